"""Odd addresses, queries, cursors, headers and methods: always a problem, never a breakdown."""

from itertools import product
from urllib.parse import quote

import pytest

from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in

HUGE = ["9" * 19, "9" * 30, "9" * 4301, "-1", "0", "1e5", "1.5", "one", "²", "%00", "%ff", "%d0"]
LISTS = ["players", "games", "tournaments", "tournaments/spring/entries", "pools"]
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
    "players/{}/ratings",
]


@pytest.fixture(autouse=True)
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(3))
    return event.step("open", "start")


@pytest.mark.parametrize("path", NUMBERED)
def test_a_number_that_is_none_of_ours(organiser: Person, path: str) -> None:
    for number in HUGE:
        answer = organiser.get(path.format(number))
        assert answer.status_code in (400, 404), number
        problem_in(answer, answer.status_code)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "tokens/{}"),
        ("DELETE", "tournaments/spring/byes/{}"),
        ("POST", "tournaments/spring/entries/{}/withdraw"),
        ("POST", "tournaments/spring/entries/{}/token"),
        ("POST", "tournaments/spring/rounds/{}/pair"),
        ("PUT", "tournaments/spring/rounds/{}/pairings"),
        ("POST", "games/{}/confirm"),
        ("POST", "games/{}/rule"),
        ("PATCH", "tournaments/{}"),
    ],
)
def test_nor_to_write_to(organiser: Person, method: str, path: str) -> None:
    for number in HUGE:
        answer = organiser.send(method, path.format(number), {})
        assert answer.status_code in (400, 404), number
        problem_in(answer, answer.status_code)


CURSORS = {
    "no cursor": "%%%",
    "not ASCII": "é",
    "digits that are not ASCII": "after_١",
    "no direction": "1",
    "another direction": "beside_1",
    "a word as value": "after_one",
    "a huge value": "after_" + "9" * 30,
    "a value beyond all digits": "before_" + "9" * 5000,
    "a NUL as value": "after_\0",
    "no value": "before_",
    "a fraction": "after_1.5",
    "a date": "after_2026-01-01",
    "too many values": "after_1_2_3",
    "a negative value": "after_-1",
    "the end": "after_" + "9" * 18,
    "backwards": "before_one",
}


@pytest.mark.parametrize("path", LISTS)
def test_a_cursor_that_we_did_not_give(organiser: Person, path: str) -> None:
    for name, cursor in CURSORS.items():
        answer = organiser.get(f"{path}?cursor={quote(cursor)}")
        assert answer.status_code in (200, 404), name
        if answer.status_code == 404:
            problem_in(answer, 404, "not_found")


@pytest.mark.parametrize("path", LISTS)
def test_a_limit_that_is_none_is_the_usual_one(organiser: Person, path: str) -> None:
    for limit in ["0", "-1", "one", "9" * 30, "9" * 5000, "1.5", "%00", ""]:
        assert organiser.get(f"{path}?limit={limit}").status_code == 200, limit


FILTERS = {
    "games": ["player", "stream", "event", "round", "game", "board", "state", "basis", "rated"],
    "players": ["name", "country", "club"],
    "tournaments": ["name", "state", "game", "board", "country", "system"],
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
def test_a_filter_with_a_strange_value(organiser: Person, path: str) -> None:
    for name, value in product(FILTERS[path], VALUES):
        answer = organiser.get(f"{path}?{name}={value}")
        assert answer.status_code in (200, 422), (name, value)
        if answer.status_code != 200:
            problem_in(answer, answer.status_code)


@pytest.mark.parametrize("path", FILTERS)
def test_a_filter_that_is_none_is_refused(organiser: Person, path: str) -> None:
    problem_in(organiser.get(f"{path}?colour=red"), 422, "unknown_filter")


QUERIES = ["round=9", "round=-1", "round=one", "round=²", "round=" + "9" * 5000, "round=%00"]


@pytest.mark.parametrize("form", ["", ".json", ".csv", ".trf"])
def test_a_round_without_standings(anonymous: Person, form: str) -> None:
    for query in QUERIES:
        answer = anonymous.get(f"tournaments/spring/standings{form}?{query}")
        problem_in(answer, 422, "no_such_round")


@pytest.mark.parametrize(
    "header", ["application/xml", "text/html", "image/*;q=x", "", "\u00e9", ";"]
)
def test_an_accept_that_cannot_be_had_is_let_be(anonymous: Person, header: str) -> None:
    for path in ("players", "tournaments/spring", "tournaments/spring/standings", "games/1/record"):
        assert anonymous.get(path, Accept=header).status_code in (200, 404)


@pytest.mark.parametrize("prefer", ["wait", "wait=", "wait=-1", "wait=" + "9" * 400, "wait=x"])
def test_a_wait_that_is_no_number_is_none(organiser: Person, prefer: str) -> None:
    answer = organiser.post("tournaments/spring/review", Prefer=prefer)

    problem_in(answer, 409, "rounds_open")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "TRACE", "PROPFIND", "BREW"])
def test_a_method_that_an_address_does_not_know(organiser: Person, method: str) -> None:
    for path in ("players", "tournaments/spring", "rules/referee", "me"):
        answer = organiser.send(method, path)
        problem_in(answer, 405, "method_not_allowed")
        assert answer["Allow"]


@pytest.mark.parametrize(
    "path", ["", "nothing", "players/", "tournaments/spring/fly", "players/1/2"]
)
def test_an_address_that_leads_nowhere(anonymous: Person, path: str) -> None:
    if path:
        problem_in(anonymous.get(path), 404, "not_found")
    else:
        assert anonymous.get(path).json()["name"] == "Perihelion"


@pytest.mark.parametrize("host", ["elsewhere.example", "a b", "localhost:x", "\u00e9"])
def test_a_host_that_is_not_ours(anonymous: Person, host: str) -> None:
    problem_in(anonymous.get("players", Host=host), 400, "unreadable")


@pytest.mark.parametrize("identifier", ["x" * 5000, "a\nb", "<script>", "\u00e9", ""])
def test_a_request_id_is_ours_unless_it_is_plain(anonymous: Person, identifier: str) -> None:
    answer = anonymous.get("players/0", X_Request_ID=identifier)

    assert answer["X-Request-ID"] != identifier
    problem_in(answer, 404)
