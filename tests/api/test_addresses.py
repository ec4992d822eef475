"""Addresses without a view, and what the parameters of lists and `Prefer` accept."""

from base64 import b64encode
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from tests.events import Event, make_event, make_players
from tests.people import Person, cursor_of, problem_in

LISTS = ["players", "tournaments", "tournaments/spring/entries", "tokens"]


@pytest.mark.parametrize(("method", "path"), [("GET", "players/"), ("POST", "players/1/nope")])
def test_an_unknown_address_is_a_problem_for_developers_too(
    anonymous: Person, settings: Any, method: str, path: str
) -> None:
    settings.DEBUG = True

    problem_in(anonymous.send(method, path), 404, "not_found")


UNKNOWN: list[tuple[str, dict[str, Any]]] = [
    ("players/", {"nearest": "/api/v1/players"}),
    ("tournaments/spring/standing", {"nearest": "/api/v1/tournaments/spring/standings"}),
    ("problems.pdf", {"valid": [".json", ".csv", ".xlsx", ".html"]}),
    ("zzzzzzzzz", {"nearest": "/api/v1"}),
    ("players/abc", {"nearest": "/api/v1/players"}),
    ("me.json", {"nearest": "/api/v1/me"}),
    ("tournaments/spring/certificates/1", {"nearest": "/api/v1/tournaments/spring"}),
    ("pools/stars", {"valid": ["star"]}),
]


@pytest.mark.parametrize(("path", "expected"), UNKNOWN)
def test_an_unknown_address_names_what_is_there(
    anonymous: Person, path: str, expected: dict[str, Any]
) -> None:
    problem = problem_in(anonymous.get(path), 404, "not_found")

    assert {name: problem[name] for name in ("nearest", "valid") if name in problem} == expected
    assert problem["errors"] == []


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1/docs"])
def test_a_write_to_the_root_or_to_the_documentation_is_a_problem(path: str) -> None:
    response = Client(enforce_csrf_checks=True).post(path, headers={"accept": "text/html"})

    assert {"GET", "HEAD"} <= {*problem_in(response, 405, "method_not_allowed")["valid"]}


@pytest.fixture(autouse=True)
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(3))
    return event.step("open", "start")


CURSORS = {
    "no cursor": quote("%%%"),
    "not ASCII": quote("é"),
    "a NUL": quote("\0"),
    "no base 64": "1",
    "no text": quote(b64encode(b"\xff\xfe").decode()),
    "no columns": quote(b64encode(b"r=1").decode()),
    "no JSON": quote(b64encode(b"p=one").decode()),
    "deep JSON": quote(b64encode(b"p=" + b"[" * 5000).decode()),
    "no list": quote(b64encode(b"p=1").decode()),
    "no direction": quote(b64encode(b"r=x&p=[1]").decode()),
    "too many digits": quote(b64encode(b"p=[" + b"9" * 5000 + b"]").decode()),
    "infinite": quote(b64encode(b"p=[Infinity]").decode()),
    "NaN": quote(b64encode(b"p=[NaN]").decode()),
}
EDGES = [
    *([], [1, 2, 3], [None], [-1], [10**18], [10**30]),
    *(["one"], [1.5], [True], [[1]], [{"a": 1}], ["\0"], ["\0", "\0"]),
    *(
        [float("nan")],
        [float("inf")],
        [1, 1],
        ["one", "one"],
        ["2026-01-01T00:00Z", "2026-01-01T00:00Z"],
    ),
]


@pytest.mark.parametrize("path", LISTS)
def test_a_made_up_cursor_does_not_fail(organiser: Person, path: str) -> None:
    edges = {f"{edge} {way}": cursor_of(path, edge, way) for edge in EDGES for way in (0, 1)}
    for name, cursor in [*CURSORS.items(), *edges.items()]:
        response = organiser.get(f"{path}?cursor={cursor}")
        assert response.status_code in (200, 422), name
        if response.status_code == 422:
            problem = problem_in(response, 422, "invalid_parameter")
            assert problem["parameter"] == "cursor"


def test_a_limit_up_to_the_maximum_is_taken(organiser: Person) -> None:
    for limit in ["1", "1000"]:
        assert organiser.get(f"players?limit={limit}").status_code == 200, limit
    problem = problem_in(organiser.get("players?limit=1001"), 422, "invalid_parameter")
    assert "from 1 to 1000" in problem["detail"]


@pytest.mark.parametrize("path", ["players", "tournaments/spring/entries"])
def test_a_list_can_be_read_from_its_end(organiser: Person, path: str) -> None:
    def ids(address: str) -> list[int]:
        rows = organiser.get(address).json()["results"]
        return [row["id"] for row in rows]

    oldest, page = ids(path), organiser.get(f"{path}?order=newest&limit=2").json()

    assert ids(f"{path}?order=newest") == oldest[::-1]
    assert ids(f"{path}?order=oldest") == oldest
    assert ids(f"{path}?order=newest&limit=2") == oldest[::-1][:2]
    assert ids(page["next"]) == oldest[::-1][2:4]
    assert ids(organiser.get(page["next"]).json()["previous"]) == oldest[::-1][:2]
    problem_in(organiser.get(f"{path}?order=name"), 422, "invalid_parameter")


@pytest.mark.parametrize("prefer", ["wait", "wait=", "wait=-1", "wait=" + "9" * 400, "wait=x"])
def test_an_invalid_wait_is_ignored(organiser: Person, prefer: str) -> None:
    response = organiser.post("tournaments/spring/review", Prefer=prefer)

    problem_in(response, 409, "rounds_open")


@pytest.mark.parametrize("path", ["/api", "/api/"])
def test_the_root_leads_to_the_index(path: str) -> None:
    assert Client().get(path).headers["Location"] == f"{settings.PUBLIC_URL}/api/v1"
