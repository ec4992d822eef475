"""The boards of an event that are being played: on its overview, on the wall, in its stream."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, LiveRecord
from tests.events import Event, make_running
from tests.people import Person, make_person
from tournament.webhooks.stream import format_event, load_board_events, load_boards

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def module_event(rows_of_module: None) -> Event:
    """An event of four players; the record of its first game is kept."""
    event = make_running(make_person("Olga"), 4, rounds=1)
    event.publish(1)
    game = event.games()[0]
    ago = timezone.now() - timedelta(minutes=10)
    turns = [["S10", ago.isoformat()], ["T10", timezone.now().isoformat()]]
    LiveRecord.objects.create(game=game, turns=turns, version=3, started_at=ago, turn_since=ago)
    return event


@pytest.fixture
def event(db: None, module_event: Event) -> Event:
    return module_event.again()


@pytest.fixture
def game(event: Event) -> Game:
    return event.games()[0]


def boards_on(page: str) -> list[tuple[str, str, str]]:
    """Return the version of each board on a page, its last turn, and the points of the first."""
    text = Client().get(page).content.decode()
    pattern = r'data-version="(\d+)".*?class="points">([^<]*)<.*?class="quiet">([^·]*?) ·'
    return [(v, turn, points) for v, points, turn in re.findall(pattern, text, re.DOTALL)]


DELAYS: dict[str, list[tuple[str, str, str]]] = {
    # delay: what strangers see of two turns, entered ten minutes ago and now
    "none": [("3", "Turn 2", "2–19")],
    "5_minutes": [("2", "Turn 1", "2–19")],
    "15_minutes": [("1", "Before the first turn.", "")],
    "round": [],
    "never": [],
}


@pytest.mark.parametrize("delay", DELAYS)
def test_strangers_see_the_boards_after_the_delay(event: Event, game: Game, delay: str) -> None:
    Game.objects.update(live_delay=delay)
    expected = DELAYS[delay]
    for page in ("/e/spring", "/e/spring/wall"):
        assert boards_on(page) == expected
    for version in ("1", "2", "3", "4"):
        answer = Client().get(f"/e/spring/live/{game.pk}/{version}")
        shown = expected[0][0] if expected else None
        status = 404 if shown is None else 200 if version == shown else 303
        assert answer.status_code == status, version
        if status == 303:
            assert answer["Location"] == f"/e/spring/live/{game.pk}/{shown}"
    found = {game.pk: int(expected[0][0])} if expected else {}
    assert load_boards([event.stream, "pool/star"]) == {event.stream: found}


GONE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # changes of the game, and of its record, after which it is no board in play
    "over": ({}, {"is_over": True}),
    "settled": ({"state": "confirmed"}, {}),
    "withdrawn": ({"void": True}, {}),
}


@pytest.mark.parametrize(("of_game", "of_record"), GONE.values(), ids=GONE)
def test_a_game_that_is_over_is_not_shown(
    event: Event, game: Game, of_game: dict[str, Any], of_record: dict[str, Any]
) -> None:
    Game.objects.filter(pk=game.pk).update(**of_game)
    LiveRecord.objects.update(**of_record or {"version": 3})
    assert boards_on("/e/spring") == []
    assert load_boards([event.stream]) == {event.stream: {}}


def test_a_board_of_another_or_a_private_event_is_not_found(
    event: Event, game: Game, organiser: Person
) -> None:
    address = f"/live/{game.pk}/3"
    assert Client().get(f"/e/autumn{address}").status_code == 404
    assert "max-age=600" in Client().get(f"/e/spring{address}")["Cache-Control"]
    event.tournament.public = False
    event.tournament.save()
    assert Client().get(f"/e/spring{address}").status_code == 404


def test_the_stream_tells_which_boards_have_changed(event: Event) -> None:
    begun_and_ended, versions = load_board_events(
        event.stream, {7: 2, 8: 4, 9: 1}, {8: 5, 9: 1, 10: 1}
    )
    body = {"type": "live.versions", "complete": False, "versions": {"7": 0, "8": 5, "10": 1}}
    assert versions == format_event(body, name="live")
    messages = [json.loads(text.decode().removeprefix("data: ")) for text in begun_and_ended]
    assert [(each["type"], each["data"]["game_id"]) for each in messages] == [
        ("live.ended", 7),
        ("live.begun", 10),
    ]
    assert messages[1] == messages[1] | {
        "tournament": {"slug": "spring", "name": "Spring Open"},
        "pool": None,
        "sequence": None,
    }
