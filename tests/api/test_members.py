"""Unknown members of JSON bodies: refused with the nearest known name."""

from typing import Any

import pytest

from tests.events import Event, make_event
from tests.people import Person, player_of, problem_in


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    event = make_event(organiser, pool="star")
    event.enter(player_of(ada), player_of(ben))
    return event.step("open", "start")


NEAREST = [
    ("POST", "players", {"nam": "Cleo"}, "/nam", "name"),
    ("POST", "players", {"name": "Cleo", "id": 1}, "/id", None),
    ("PATCH", "tournaments/spring", {"tiebreak": ["PTS"]}, "/tiebreak", "tiebreaks"),
    ("PATCH", "tournaments/spring", {"draw_seed": "7"}, "/draw_seed", None),
    ("PATCH", "tournaments/spring", {"separations": [{"bye": "club"}]}, "/separations/0/bye", "by"),
    (
        "PUT",
        "tournaments/spring/rounds/1/pairings",
        {"reason": "drawn", "pairings": [{"first_id": 1}, {"first_id": 2, "secnd": 3}]},
        "/pairings/1/secnd",
        "second_id",
    ),
    ("PATCH", "tournaments/spring/entries/{entry}", {"pairing_number": 1}, "/pairing_number", None),
    ("PATCH", "tournaments/spring/entries/{entry}", {"x" * 999: 1}, "/" + "x" * 40, None),
    ("POST", "rules/referee", {"recrd": ""}, "/recrd", "record"),
    ("POST", "rules/referee", {"record": "x", "a~b/c": 1}, "/a~0b~1c", None),
]


@pytest.mark.parametrize(("method", "path", "body", "pointer", "nearest"), NEAREST)
def test_the_refusal_names_the_nearest_member(
    organiser: Person, event: Event, method: str, path: str, body: Any, pointer: str, nearest: Any
) -> None:
    path = path.format(entry=event.tournament.entries.first().pk)
    problem = problem_in(organiser.send(method, path, body), 422, "unknown_member")

    error = problem["errors"][0]
    assert (error["pointer"], error.get("nearest")) == (pointer, nearest)


@pytest.mark.parametrize("body", [[], "x", 1, None])
def test_an_action_without_a_body_takes_an_object_only(
    organiser: Person, event: Event, body: Any
) -> None:
    content = b"null" if body is None else body
    problem_in(organiser.post("tournaments/spring/review", content), 422, "invalid")


def test_the_schema_closes_the_objects_of_requests(schema: dict[str, Any]) -> None:
    schemas = schema["components"]["schemas"]

    assert schemas["TournamentChangeInput"]["additionalProperties"] is False
    assert schemas["BoardInput"]["additionalProperties"] is False
    assert "additionalProperties" not in schemas["ImportedTournamentWritten"]
