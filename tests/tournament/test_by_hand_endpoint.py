"""Rounds set by hand: what differs from the engine is answered, journalled and marked."""

from typing import Any

import pytest

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person
from tournament.models import Pairing

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """Seven players; the Dutch engine pairs 1-4, 5-2, 3-6, and 7 has the bye."""
    event = make_event(organiser, system="dutch")
    event.enter(*make_players(7))
    return event.step("open", "start")


def put(who: Person, event: Event, *lines: tuple[int, int | None], query: str = "") -> Any:
    entries = list(event.tournament.entries.order_by("pairing_number").values_list("pk", flat=True))
    boards = [
        {"first": entries[a - 1], "second": None if b is None else entries[b - 1]} for a, b in lines
    ]
    body = {"reason": "a family", "pairings": boards}
    return who.put(f"{event.path}/rounds/1/pairings{query}", body).json()


def marks(shown: dict[str, Any]) -> list[bool]:
    return [line["by_hand"] for line in shown["pairings"]]


ENGINE = ((1, 4), (5, 2), (3, 6), (7, None))


def test_the_engine_is_as_the_others_take_it(organiser: Person, event: Event) -> None:
    shown = organiser.post(f"{event.path}/rounds/1/pair").json()
    found = [
        (line["first"]["pairing_number"], (line["second"] or {}).get("pairing_number"))
        for line in shown["pairings"]
    ]
    assert found == list(ENGINE)
    assert not any(marks(shown))


def test_boards_as_the_engine_has_them_are_not_marked(organiser: Person, event: Event) -> None:
    shown = put(organiser, event, *ENGINE)
    assert shown["differences"] == []
    assert not any(marks(shown))


@pytest.mark.parametrize("query", ["", "?dry_run=1"])
def test_what_differs_is_told(organiser: Person, event: Event, query: str) -> None:
    shown = put(organiser, event, (4, 1), (5, 2), (3, 7), (6, None), query=query)
    assert shown["differences"] == [
        {"code": "seats", "board": 1, "players": [4, 1], "engine": [[1, 4]]},
        {"code": "opponents", "board": 3, "players": [3, 7], "engine": [[3, 6], [7, None]]},
        {"code": "bye", "board": None, "players": [6, None], "engine": [[3, 6]]},
    ]
    assert marks(shown) == [True, False, True, True]
    told = JournalLine.objects.select_related("payload").filter(kind="round.set_by_hand")
    assert [line.payload.body["differences"] for line in told] == (
        [] if query else [shown["differences"]]
    )


def test_everybody_sees_the_marks(organiser: Person, anonymous: Person, event: Event) -> None:
    put(organiser, event, (4, 1), (5, 2), (3, 6), (7, None))
    organiser.post(f"{event.path}/rounds/1/publish")
    shown = anonymous.get(f"{event.path}/rounds/1/pairings").json()
    assert (shown["system"], shown["reason"]) == ("by-hand", "a family")
    assert marks(shown) == [True, False, False, False]
    assert "differences" not in shown


def test_another_order_of_boards_is_told_and_marks_nothing(organiser: Person, event: Event) -> None:
    shown = put(organiser, event, (1, 4), (3, 6), (5, 2), (7, None))
    assert [one["code"] for one in shown["differences"]] == ["board", "board"]
    assert not any(marks(shown))


def test_paired_anew_nothing_is_marked(organiser: Person, event: Event) -> None:
    put(organiser, event, (4, 1), (5, 2), (3, 6), (7, None))
    shown = organiser.post(f"{event.path}/rounds/1/pair").json()
    assert not any(marks(shown))
    assert Pairing.objects.filter(by_hand=True).count() == 1


def test_where_the_engine_has_no_pairing_all_is_by_hand(organiser: Person) -> None:
    event = make_event(organiser, system="dutch", rounds=2)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    one, other = event.tournament.entries.order_by("pairing_number")
    body = {"reason": "again", "pairings": [{"first": other.pk, "second": one.pk}]}
    shown = organiser.put(f"{event.path}/rounds/2/pairings", body).json()
    assert [(one["code"], one["engine"]) for one in shown["differences"]] == [("opponents", [])]
    assert [one["code"] for one in shown["violations"]] == ["rematch"]
    assert marks(shown) == [True]
