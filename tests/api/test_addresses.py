"""Unusual addresses, queries, cursors, headers and methods: always a problem, never a 500."""

from base64 import b64encode
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from tests.events import Event, make_event, make_players
from tests.people import Person, cursor_of, problem_in

HUGE = ["9" * 19, "9" * 30, "9" * 4301, "-1", "0", "1e5", "1.5", "one", "²", "%00", "%ff", "%d0"]
LISTS = [
    "players", "games", "tournaments", "tournaments/spring/entries", "pools", "tokens",
    "tournaments/spring/byes", "tournaments/spring/links", "tournaments/spring/tokens",
]  # fmt: skip
NUMBERED = [
    "players/{}",
    "games/{}",
    "games/{}/record",
    "games/{}/reports",
    "tournaments/spring/entries/{}",
    "tournaments/spring/rounds/{}",
    "tournaments/spring/rounds/{}/pairings",
    "tasks/{}",
    "tasks/report-{}",
    "tasks/batch-{}",
    "tasks/import-{}",
    "tournaments/{}",
    "tournaments/{}/standings",
    "tournaments/{}/clubs",
    "pools/{}",
    "pools/star/runs/{}",
    "players/{}/rating-history",
]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("path", ["nope", "players/1/nope", "tournaments/spring/nope.csv"])
def test_an_unknown_address_is_a_problem_for_developers_too(
    anonymous: Person, settings: Any, method: str, path: str
) -> None:
    settings.DEBUG = True

    problem_in(anonymous.send(method, path), 404, "not_found")


WRITTEN = [
    ("DELETE", "tokens/{}"),
    ("DELETE", "tournaments/spring/byes/{}"),
    ("DELETE", "tournaments/spring/tokens/{}"),
    ("POST", "tournaments/spring/entries/{}/withdraw"),
    ("POST", "tournaments/spring/entries/{}/token"),
    ("POST", "tournaments/spring/rounds/{}/pair"),
    ("PUT", "tournaments/spring/rounds/{}/pairings"),
    ("POST", "games/{}/confirm"),
    ("POST", "games/{}/rule"),
    ("PATCH", "tournaments/{}"),
]


@pytest.fixture(autouse=True)
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(3))
    return event.step("open", "start")


@pytest.mark.parametrize("path", NUMBERED)
def test_an_unknown_number_is_rejected_when_reading(organiser: Person, path: str) -> None:
    for number in HUGE:
        response = organiser.get(path.format(number))
        assert response.status_code in (400, 404), number
        problem_in(response, response.status_code)


@pytest.mark.parametrize(("method", "path"), WRITTEN)
def test_an_unknown_number_is_rejected_when_writing(
    organiser: Person, method: str, path: str
) -> None:
    for number in HUGE:
        response = organiser.send(method, path.format(number), {})
        assert response.status_code in (400, 404), number
        problem_in(response, response.status_code)


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


@pytest.mark.parametrize("path", LISTS)
def test_an_invalid_limit_is_rejected(organiser: Person, path: str) -> None:
    limits = ["", "0", "-1", "one", "9" * 30, "9" * 5000, "1.5", "%00", "²"]
    for limit in limits:
        response = organiser.get(f"{path}?limit={limit}")
        problem_in(response, 422, "invalid_parameter")
        assert response.json()["errors"][0]["parameter"] == "limit"


@pytest.mark.parametrize("path", LISTS)
def test_a_limit_up_to_the_maximum_is_taken(organiser: Person, path: str) -> None:
    for limit in ["1", "1000"]:
        assert organiser.get(f"{path}?limit={limit}").status_code == 200, limit
    problem = problem_in(organiser.get(f"{path}?limit=1001"), 422, "invalid_parameter")
    assert "from 1 to 1000" in problem["detail"]


@pytest.mark.parametrize("path", ["players", "tournaments/spring/entries"])
def test_a_list_can_be_read_from_its_end(organiser: Person, path: str) -> None:
    def ids(address: str) -> list[int]:
        rows = organiser.get(address).json()["results"]
        return [row["id" if path == "players" else "entry"] for row in rows]

    oldest, page = ids(path), organiser.get(f"{path}?order=newest&limit=2").json()

    assert ids(f"{path}?order=newest") == oldest[::-1]
    assert ids(f"{path}?order=oldest") == oldest
    assert ids(f"{path}?order=newest&limit=2") == oldest[::-1][:2]
    assert ids(page["next"]) == oldest[::-1][2:4]
    assert ids(organiser.get(page["next"]).json()["previous"]) == oldest[::-1][:2]
    problem_in(organiser.get(f"{path}?order=name"), 422, "invalid_parameter")


def test_a_list_with_one_order_has_no_other(organiser: Person) -> None:
    problem_in(organiser.get("pools/star/ratings?order=newest"), 422, "unknown_parameter")


@pytest.mark.parametrize("path", ["players", "tournaments"])
def test_a_part_of_a_name_has_a_maximum_length(organiser: Person, path: str) -> None:
    problem_in(organiser.get(f"{path}?name={'n' * 55_000}"), 422)
    problem_in(organiser.post(path, {"name": "n" * 55_000}), 422)


FILTERS = {
    "games": [
        "player",
        "tournament",
        "round",
        "ruleset",
        "board_size",
        "state",
        "basis",
        "rated",
    ],
    "players": ["name", "country", "club", "birth_year", "external_id"],
    "tournaments": ["name", "state", "ruleset", "board_size", "country", "system"],
    "tournaments/spring/entries": ["state"],
}
VALUES = [
    "9" * 19,
    "9" * 30,
    "-1",
    "1e400",
    "1e40",
    "nan",
    "inf",
    "%00",
    "%ff",
    "%F0%9F%99%82",
    "'",
    "x" * 5000,
]


@pytest.mark.parametrize("path", FILTERS)
@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_an_unusual_filter_value_does_not_fail(
    organiser: Person, path: str, is_short: bool
) -> None:
    """Send each value to each filter; in short, every second one, and the others to the next."""
    for number, name in enumerate(FILTERS[path]):
        for value in VALUES[number % 2 :: 2] if is_short else VALUES:
            response = organiser.get(f"{path}?{name}={value}")
            assert response.status_code in (200, 422), (name, value)
            if response.status_code != 200:
                problem_in(response, response.status_code)


@pytest.mark.parametrize("path", FILTERS)
def test_an_unknown_filter_is_rejected(organiser: Person, path: str) -> None:
    problem_in(organiser.get(f"{path}?colour=red"), 422, "unknown_parameter")


QUERIES = ["round=9", "round=-1", "round=one", "round=²", "round=" + "9" * 5000, "round=%00"]


@pytest.mark.parametrize("form", ["", ".json", ".csv", ".trf"])
def test_a_round_without_standings_is_rejected(anonymous: Person, form: str) -> None:
    for query in QUERIES:
        response = anonymous.get(f"tournaments/spring/standings{form}?{query}")
        problem_in(response, 422, "invalid_parameter")


@pytest.mark.parametrize("prefer", ["wait", "wait=", "wait=-1", "wait=" + "9" * 400, "wait=x"])
def test_an_invalid_wait_is_ignored(organiser: Person, prefer: str) -> None:
    response = organiser.post("tournaments/spring/review", Prefer=prefer)

    problem_in(response, 409, "rounds_open")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "TRACE", "PROPFIND", "BREW"])
def test_a_method_that_is_not_allowed_is_405(organiser: Person, method: str) -> None:
    for path in ("players", "tournaments/spring/standings", "rules/referee", "me"):
        response = organiser.send(method, path)
        problem_in(response, 405, "method_not_allowed")
        assert response["Allow"]


@pytest.mark.parametrize(
    "path", ["", "nothing", "players/", "tournaments/spring/fly", "players/1/2"]
)
def test_an_unknown_address_is_404(anonymous: Person, path: str) -> None:
    if path:
        problem_in(anonymous.get(path), 404, "not_found")
    else:
        assert anonymous.get(path).json()["name"] == "Perihelion"


@pytest.mark.parametrize("host", ["elsewhere.example", "a b", "localhost:x", "\u00e9"])
def test_an_unknown_host_is_rejected(anonymous: Person, host: str) -> None:
    problem_in(anonymous.get("players", Host=host), 400, "unreadable")


@pytest.mark.parametrize("identifier", ["x" * 5000, "a\nb", "<script>", "\u00e9", ""])
def test_an_unsafe_request_id_is_replaced(anonymous: Person, identifier: str) -> None:
    response = anonymous.get("players/0", X_Request_ID=identifier)

    assert response["X-Request-ID"] != identifier
    problem_in(response, 404)


@pytest.mark.parametrize("path", ["/api", "/api/"])
def test_the_root_leads_to_the_index(path: str) -> None:
    assert Client().get(path).headers["Location"] == "/api/v1"
