"""Rounds set by hand: differences from the engine are returned, journalled and marked."""

from typing import Any

import pytest

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person
from tests.tournament.actions import numbered
from tests.tournament.events.test_verify_state import verify
from tournament.models import Pairing

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """Return seven players; the Dutch system pairs 1-4, 5-2, 3-6, and 7 has the bye."""
    event = make_event(organiser, system="dutch")
    event.enter(*make_players(7))
    return event.step("open", "start")


def put(who: Person, event: Event, *pairings: tuple[int, int | None], query: str = "") -> Any:
    entries = list(event.tournament.entries.order_by("pairing_number").values_list("pk", flat=True))
    boards = [
        {"first_id": entries[a - 1], "second_id": None if b is None else entries[b - 1]}
        for a, b in pairings
    ]
    body = {"reason": "a family", "pairings": boards}
    return who.put(f"{event.path}/rounds/1/pairings{query}", body).json()


def marks(body: dict[str, Any]) -> list[bool]:
    return [pairing["by_hand"] for pairing in body["rows"]]


def test_differences_are_returned_and_journalled(organiser: Person, event: Event) -> None:
    boards = ((4, 1), (5, 2), (3, 7), (6, None))
    preview = put(organiser, event, *boards, query="?dry_run=1")
    assert not Pairing.objects.exists()
    body = put(organiser, event, *boards)
    assert preview == {"dry_run": True, **body}
    assert body["differences"] == [
        {"code": "seats", "board": 1, "numbers": [4, 1], "engine": numbered((1, 4))},
        {"code": "opponents", "board": 3, "numbers": [3, 7], "engine": numbered((3, 6), (7,))},
        {"code": "bye", "board": None, "numbers": [6], "engine": numbered((3, 6))},
    ]
    assert marks(body) == [True, False, True, True]
    lines = JournalLine.objects.select_related("payload").filter(kind="round.set_by_hand")
    assert [line.payload.body["differences"] for line in lines] == [body["differences"]]
    assert verify() == []


def test_the_marks_are_public(organiser: Person, anonymous: Person, event: Event) -> None:
    engine = put(organiser, event, (1, 4), (5, 2), (3, 6), (7, None))
    assert (engine["differences"], any(marks(engine))) == ([], False)
    put(organiser, event, (4, 1), (5, 2), (3, 6), (7, None))
    organiser.post(f"{event.path}/rounds/1/publish")
    body = anonymous.get(f"{event.path}/rounds/1/pairings").json()
    assert (body["system"], body["reason"]) == ("by_hand", "a family")
    assert marks(body) == [True, False, False, False]
    assert "differences" not in body


def test_another_order_of_boards_is_not_marked(organiser: Person, event: Event) -> None:
    body = put(organiser, event, (1, 4), (3, 6), (5, 2), (7, None))
    assert [difference["code"] for difference in body["differences"]] == ["board", "board"]
    assert not any(marks(body))


def test_everything_is_marked_without_a_legal_pairing(organiser: Person) -> None:
    event = make_event(organiser, system="dutch", rounds=2)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    first, second = event.tournament.entries.order_by("pairing_number")
    body = {"reason": "again", "pairings": [{"first_id": second.pk, "second_id": first.pk}]}
    body = organiser.put(f"{event.path}/rounds/2/pairings", body).json()
    assert [(d["code"], d["engine"]) for d in body["differences"]] == [("opponents", [])]
    assert [finding["code"] for finding in body["violations"]] == ["rematch"]
    assert marks(body) == [True]
