"""`/heads.txt`: everyone reads the heads of the public journals, which pages and sheets show."""

import pytest

from games.core.journal.lines import append_line
from games.models import Game, JournalHead
from tests.events import make_event, make_players, make_running
from tests.people import Person

pytestmark = pytest.mark.django_db


def read_heads(person: Person) -> list[str]:
    response = person.get("heads.txt")
    assert (response.status_code, response["Content-Type"]) == (200, "text/plain; charset=utf-8")
    return response.getvalue().decode().splitlines()


def casual_game(*, public: bool) -> Game:
    first, second = make_players(2)
    game = Game.objects.create(first=first, second=second, game="hex", board="5", public=public)
    append_line(f"game/{game.pk}", "report.claim", {}, by=None)
    return game


def test_everyone_reads_the_public_heads(everyone: dict[str, Person], organiser: Person) -> None:
    event = make_running(organiser, 2)
    make_event(organiser, slug="draft")
    make_event(organiser, slug="hidden", public=False).step("open")
    public, _ = casual_game(public=True), casual_game(public=False)
    append_line("site", "player.registered", {}, by=None)
    expected = [
        f"{head.stream} {head.sequence} {head.digest}"
        for head in JournalHead.objects.filter(
            stream__in=[f"game/{public.pk}", "site", event.stream]
        ).order_by("stream")
    ]
    assert len(expected) == 3

    assert {name: read_heads(person) for name, person in everyone.items()} == dict.fromkeys(
        everyone, expected
    )
