"""CORS: what a script of another site may read and send."""

import json
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy.environment import Environment
from tests.people import Person, problem_in

OVERLAY, LISTED = "https://overlay.example", "https://desk.example"
PREFIX = "Access-Control-"


@pytest.fixture(autouse=True)
def list_one_origin(settings: Any) -> None:
    settings.CORS_ORIGINS = [LISTED]


def fields(response: Any) -> dict[str, str]:
    """Return the header fields about other origins."""
    return {
        name.removeprefix(PREFIX): value
        for name, value in response.headers.items()
        if name.startswith(PREFIX) and name != f"{PREFIX}Expose-Headers"
    }


def preflight(person: Person, path: str, method: str, origin: str, **headers: str) -> Any:
    request = {"Origin": origin, "Access-Control-Request-Method": method, **headers}
    return person.send("OPTIONS", path, **request)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["", "games", "games/0", "nothing"])
def test_any_site_may_read(anonymous: Person, method: str, path: str) -> None:
    for origin in (OVERLAY, LISTED, "null"):
        response = anonymous.send(method, path, Origin=origin)

        assert fields(response) == {"Allow-Origin": "*"}
        exposed = response["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Link", "RateLimit", "RateLimit-Policy", "X-Request-ID"} <= set(exposed)


def test_a_problem_can_be_read(anonymous: Person) -> None:
    response = anonymous.get("games?limit=0", Origin=OVERLAY)

    problem_in(response, 422, "wrong_limit")
    assert response["Access-Control-Allow-Origin"] == "*"


def test_no_response_allows_credentials(organiser: Person) -> None:
    for origin in (OVERLAY, LISTED):
        responses = [
            organiser.get("me", Origin=origin),
            organiser.post("players", {"name": "Bo"}, Origin=origin),
            preflight(organiser, "players", "POST", origin),
        ]
        assert not any("Access-Control-Allow-Credentials" in response for response in responses)


def test_only_a_listed_site_may_write(organiser: Person) -> None:
    by_overlay = organiser.post("players", {"name": "Bo"}, Origin=OVERLAY)
    by_listed = organiser.post("players", {"name": "Cy"}, Origin=LISTED)

    assert (fields(by_overlay), by_overlay["Vary"]) == ({}, "Origin")
    assert (fields(by_listed), by_listed["Vary"]) == ({"Allow-Origin": LISTED}, "Origin")


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
def test_a_preflight_says_what_the_origin_may_send(anonymous: Person, method: str) -> None:
    by_overlay = preflight(anonymous, "games", method, OVERLAY)
    by_listed = preflight(anonymous, "games", method, LISTED)

    assert (by_overlay.status_code, by_overlay.content) == (204, b"")
    assert fields(by_overlay)["Allow-Origin"] == "*"
    assert fields(by_overlay)["Allow-Methods"] == "GET, HEAD"
    assert "If-None-Match" in fields(by_overlay)["Allow-Headers"]
    assert "Authorization" not in fields(by_overlay)["Allow-Headers"]
    assert fields(by_listed)["Allow-Origin"] == LISTED
    assert method in fields(by_listed)["Allow-Methods"].split(", ")
    assert {"Authorization", "Idempotency-Key"} <= set(
        fields(by_listed)["Allow-Headers"].split(", ")
    )
    assert by_overlay["Vary"] == by_listed["Vary"] == "Origin"


def test_reads_can_be_limited_to_listed_sites(settings: Any, anonymous: Person) -> None:
    settings.CORS_READS = "listed"

    assert fields(anonymous.get("games", Origin=OVERLAY)) == {}
    assert fields(preflight(anonymous, "games", "GET", OVERLAY)) == {}
    assert fields(anonymous.get("games", Origin=LISTED)) == {"Allow-Origin": LISTED}


@pytest.mark.django_db
def test_pages_belong_to_this_site_only(anonymous: Person) -> None:
    for path in ("/", "/events", "/login", "/health/live"):
        assert fields(anonymous.get(path, Origin=LISTED)) == {}


def test_options_without_a_preflight_list_the_methods(anonymous: Person) -> None:
    response = anonymous.send("OPTIONS", "games", Origin=OVERLAY)

    assert response.status_code == 200
    assert "GET" in response["Allow"]
    assert json.loads(response.content)


@pytest.mark.parametrize(
    "text",
    ["*", "overlay.example", "https://overlay.example/", "https://a.example/x", "ftp://a.example",
     "https://me@a.example", "https://", "HTTPS://A.example", "https://a.example:x"],
)  # fmt: skip
def test_what_is_no_origin_stops_the_start(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CORS_ORIGINS"):
        Environment({"CORS_ORIGINS": text}).origins("CORS_ORIGINS")


def test_origins_are_separated_by_commas() -> None:
    text = "https://a.example, http://localhost:3000"

    assert Environment({"O": text}).origins("O") == ["https://a.example", "http://localhost:3000"]
