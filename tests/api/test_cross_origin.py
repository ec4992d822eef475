"""CORS: scripts of any site may use the API, and never with the cookies of a reader."""

from typing import Any

import pytest
from django.test import Client

from tests.people import Person

pytestmark = pytest.mark.any_database

OVERLAY = "https://overlay.example"
PREFIX = "Access-Control-"


def fields(response: Any) -> dict[str, str]:
    """Return the header fields about other origins."""
    named = {name.title(): value for name, value in response.headers.items()}
    return {
        name.removeprefix(PREFIX): value
        for name, value in named.items()
        if name.startswith(PREFIX) and name != f"{PREFIX}Expose-Headers"
    }


def preflight(person: Person, path: str, method: str) -> Any:
    request = {"Origin": OVERLAY, "Access-Control-Request-Method": method}
    return person.send("OPTIONS", path, **request)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["games", "nothing"])
def test_any_site_may_read(anonymous: Person, method: str, path: str) -> None:
    for origin in (OVERLAY, "null"):
        response = anonymous.send(method, path, Origin=origin)

        assert fields(response) == {"Allow-Origin": "*"}
        exposed = response["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Link", "RateLimit", "RateLimit-Policy", "X-Request-ID"} <= set(exposed)


def test_any_site_may_read_each_described_field(anonymous: Person) -> None:
    described = {
        name
        for path in anonymous.get("schema").json()["paths"].values()
        for operation in path.values()
        for response in operation["responses"].values()
        for name in response.get("headers", {})
    }

    exposed = anonymous.get("", Origin=OVERLAY)["Access-Control-Expose-Headers"].split(", ")
    assert described | {"Deprecation", "Sunset"} <= set(exposed)


def test_no_response_allows_credentials(organiser: Person) -> None:
    responses = [
        organiser.get("me", Origin=OVERLAY),
        organiser.post("players", {"name": "Bo"}, Origin=OVERLAY),
        preflight(organiser, "players", "POST"),
    ]
    assert [fields(response)["Allow-Origin"] for response in responses] == ["*"] * 3
    assert not any("Allow-Credentials" in fields(response) for response in responses)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("", 200),
        ("http://testserver", 200),
        (OVERLAY, 401),
        ("null", 401),
        ("https://testserver", 401),
        ("http://testserver.example", 401),
    ],
)
def test_a_login_counts_for_this_site_only(organiser: Person, origin: str, status: int) -> None:
    client = Client()
    assert organiser.account is not None
    client.force_login(organiser.account)
    headers = {"Origin": origin} if origin else {}

    assert client.get("/api/v1/me", headers=headers).status_code == status
    token = {"Authorization": f"Bearer {organiser.secret}"}
    assert client.get("/api/v1/me", headers=headers | token).status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_preflight_says_what_the_script_may_send(anonymous: Person, method: str) -> None:
    response = preflight(anonymous, "games", method)

    assert (response.status_code, response.content) == (200, b"")
    assert fields(response)["Allow-Origin"] == "*"
    assert method in fields(response)["Allow-Methods"].split(", ")
    allowed = set(fields(response)["Allow-Headers"].split(", "))
    assert {"authorization", "content-type", "idempotency-key", "if-match"} <= allowed


@pytest.mark.django_db
def test_pages_belong_to_this_site_only(anonymous: Person) -> None:
    for path in ("/", "/events", "/login", "/health/live"):
        assert fields(anonymous.get(path, Origin=OVERLAY)) == {}
