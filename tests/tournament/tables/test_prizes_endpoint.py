"""`/tournaments/{slug}/prizes`: the awards in the prize groups of an event."""

from typing import Any

import pytest

from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db
PRIZES = [
    {"name": "all", "amounts": [10000, 5000]},
    {"name": "U1499", "amounts": [1001], "split": "points", "rating_to": 1498},
]


@pytest.fixture
def event(organiser: Person) -> Event:
    """Two of three rounds by four players; the first seat wins every game 11-10."""
    event = make_event(organiser, tiebreaks=["PTS", "BH", "SB", "TPN"])
    event.enter(*make_players(4))
    event.step("open", "start")
    event.play(1)
    event.play(2)
    return event


def set_up(organiser: Person, event: Event, *groups: dict[str, Any]) -> None:
    assert organiser.patch(event.path, {"prizes": groups}).status_code == 200


def winners(person: Person, event: Event, query: str = "") -> list[list[int]]:
    """Return the pairing numbers of the winners of each group."""
    groups = person.get(f"{event.path}/prizes?{query}").json()["groups"]
    return [[award["number"] for award in group["awards"]] for group in groups]


def ranked(person: Person, event: Event) -> list[int]:
    return [row["number"] for row in person.get(f"{event.path}/standings").json()["rows"]]


def test_each_group_has_its_awards(organiser: Person, event: Event) -> None:
    changes = {"prizes": PRIZES, "currency": "EUR"}
    assert organiser.patch(event.path, changes).json()["prizes"] == PRIZES

    body = organiser.get(f"{event.path}/prizes").json()

    groups = body["groups"]
    assert (body["year"], [group["name"] for group in groups]) == (2026, ["all", "U1499"])
    assert [(group["offered"], group["paid"], group["left"]) for group in groups] == [
        (15000, 15000, 0), (1001, 1001, 0),
    ]  # fmt: skip
    best = {award["number"] for award in groups[0]["awards"]}
    assert best.isdisjoint(award["number"] for award in groups[1]["awards"])
    assert groups[1]["rating_to"] == 1498
    assert (body["currency"], groups[1]["awards"][0]["coins"]) == ("EUR", 1001)
    assert groups[1]["awards"][0]["amount"] == "10.01"


def test_by_age_sex_and_category(organiser: Person, anonymous: Person, event: Event) -> None:
    entries = event.tournament.entries.order_by("pairing_number")
    about = [{"birth_year": 2013}, {"birth_year": 2014}, {"sex": "w"}, {"category": "Students"}]
    for entry, changes in zip(entries, about, strict=True):
        path = f"{event.path}/entries/{entry.pk}"
        assert organiser.patch(path, {**changes, "reason": "asked"}).status_code == 200
    set_up(
        organiser,
        event,
        {"name": "U12", "amounts": [50], "age_to": 12},
        {"name": "U13", "amounts": [40], "birth_year_from": 2013},
        {"name": "women", "amounts": [30], "sex": "w"},
        {"name": "students", "amounts": [20], "category": "students"},
    )

    assert winners(anonymous, event) == [[2], [1], [3], [4]]


def test_a_withdrawn_player_who_was_absent_wins_nothing(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    first, *others = ranked(organiser, event)
    prizes = {"name": "all", "amounts": [100, 50]}
    set_up(
        organiser, event, prizes | {"exclusive": False}, prizes | {"name": "2", "withdrawn": True}
    )
    entry = event.tournament.entries.get(pairing_number=first)

    organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")

    # The player has played in the last complete round and has missed none.
    assert winners(anonymous, event)[0] == [first, others[0]]
    event.play(3)
    winners_without, winners_with = winners(anonymous, event)
    assert first not in winners_without
    assert first in winners_with
    assert first in winners(anonymous, event, "round=2")[0]


def test_without_games_there_are_no_awards(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    set_up(organiser, event, *PRIZES)

    body = anonymous.get(f"{event.path}/prizes?round=0").json()

    assert [(group["awards"], group["left"]) for group in body["groups"]] == [
        ([], 15000),
        ([], 1001),
    ]


def test_invalid_prizes_are_rejected(organiser: Person, event: Event) -> None:
    wrong = {"name": "all", "amounts": [1, -2], "split": "x", "games_from": 100, "sxe": ""}
    body = {"prizes": [PRIZES[0], wrong]}

    problem = problem_in(organiser.patch(event.path, body), 422, "senseless_prizes")

    codes = {error["pointer"]: error["code"] for error in problem["errors"]}
    assert codes["/prizes/1/sxe"] == "unknown_member"
    right = {
        error["pointer"]: [error.get(name) for name in ("valid", "min", "max")]
        for error in problem["errors"]
        if error["code"] == "senseless_prizes"
    }
    assert right == {
        "/prizes/1/name": [None, None, None],
        "/prizes/1/games_from": [None, 0, 99],
        "/prizes/1/amounts/1": [None, 0, 10**12],
        "/prizes/1/split": [["rank", "points", "half"], None, None],
    }
    assert organiser.get(event.path).json()["prizes"] == []
