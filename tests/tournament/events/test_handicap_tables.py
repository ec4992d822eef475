"""The table of handicaps of an event: its own, or that of its pool when the event starts."""

from typing import Any

import pytest

from games.models import Game, Player
from ratings.core.conditions import handicap_part, load_tables
from ratings.models import Pool
from ratings.systems.handicap import HandicapTable
from tests.events import SET_UP, Event
from tests.people import Person, problem_in
from tests.ratings.factories import add_second_table
from tests.tournament.events.test_verify_state import verify
from tests.tournament.handicaps import boards, make_handicap_event

pytestmark = pytest.mark.django_db

STONES = {"seat": "second", "stones": 2}


@pytest.fixture(autouse=True)
def _second_table(db: None) -> None:
    add_second_table(HandicapTable(first_move=40, first_stone=200, further_stone=150, point=20))


def recommended(who: Person, event: Event) -> set[str]:
    """Return the versions of the tables in a draft of round 1."""
    event.draft(1)
    rows = who.get(f"{event.path}/rounds/1/pairings").json()["rows"]
    return {row["recommended"]["table"] for row in rows}


TABLE_OF_EVENT = {
    "the latest": ({}, "v2", "v3"),
    "the pool's new one": ({"pool": "star"}, "v3", "v3"),
    "the event's old one": ({"pool": "star", "handicap_table": "v1"}, "v3", "v1"),
}


@pytest.mark.parametrize(
    ("settings", "of_pool", "expected"), TABLE_OF_EVENT.values(), ids=TABLE_OF_EVENT
)
def test_an_event_has_its_own_table_or_that_of_its_pool(
    organiser: Person, settings: dict[str, Any], of_pool: str, expected: str
) -> None:
    Pool.objects.update(handicap_table=of_pool)

    event = make_handicap_event(organiser, **{"handicap_table": ""} | settings)

    assert organiser.get(event.path).json()["handicap_table"] == expected
    assert recommended(organiser, event) == {expected}
    assert verify() == []


def test_a_table_activated_later_does_not_change_a_running_event(
    organiser: Person, officer: Person
) -> None:
    Pool.objects.update(handicap_table="v1")
    event = make_handicap_event(organiser, pool="star", handicap_table="")

    assert officer.patch("pools/star", {"handicap_table": "v3"}).status_code == 200

    assert recommended(organiser, event) == {"v1"}
    assert boards(organiser, event)[1] == ("C", "D", "second 3 stones")
    _, stones = event.publish(1)
    pool = Pool.objects.get()
    assert (stones.handicap_table, handicap_part(load_tables(), pool, stones)) == ("v1", -280_000)
    assert verify() == []


@pytest.mark.parametrize(("of_game", "part"), [("", -350_000), ("v1", -195_000)])
def test_the_table_of_a_game_is_that_of_its_event(of_game: str, part: int) -> None:
    conditions = {"game": "star-star", "board": "10", "swap": False, "handicap": STONES}
    first, second = Player(), Player()
    game = Game(first=first, second=second, handicap_table=of_game, **conditions)
    assert handicap_part(load_tables(), Pool(handicap_table="v3"), game) == part


def test_an_unknown_table_is_rejected(organiser: Person) -> None:
    answer = organiser.post("tournaments", SET_UP | {"handicap_table": "v9"})

    assert problem_in(answer, 422, "unknown_handicap_table")["valid"] == ["v1", "v2", "v3"]
