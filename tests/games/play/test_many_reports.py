"""The worker settles reports: while a client waits, and many at once, none lost or doubled."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from games import tasks
from games.core.accounts.tokens import issue_personal_token
from games.models import Game, JournalLine, Report
from tests.events import FIRST_WINS, Event, make_event, make_players
from tests.people import Person
from tests.processes import Worker, eventually_swept


def reporters(event: Event, games: list[Game]) -> list[tuple[Person, Game]]:
    """Return both players of every game, each with a personal token."""
    found = []
    for game in games:
        for player in (game.first, game.second):
            _, secret = issue_personal_token(player, event.stream, by=event.owner.account)
            found.append((Person(player.name, secret=secret), game))
    return found


def report(reporter: tuple[Person, Game]) -> int:
    person, game = reporter
    try:
        response = person.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
        return response.status_code
    finally:
        connection.close()


def all_are_settled() -> bool:
    return not Report.objects.filter(settled_at=None).exists()


@pytest.mark.parametrize("number", [10, pytest.param(200, marks=pytest.mark.long)])
def test_many_reports_at_once(worker: Worker, organiser: Person, number: int) -> None:
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(number))
    games = event.step("open", "start").publish()
    everyone = reporters(event, games)

    with ThreadPoolExecutor(max_workers=8) as pool:
        found = list(pool.map(report, everyone))

    assert len(found) == number
    assert set(found) <= {200, 202}  # 200: the worker was faster than the response
    eventually_swept(tasks.settle_due, all_are_settled)
    settled = Game.objects.filter(state="confirmed", basis="links", winner="first")
    assert settled.count() == len(games)
    assert Report.objects.count() == number
    lines = JournalLine.objects.filter(stream=event.stream)
    assert lines.filter(kind="report.record").count() == number
    assert lines.filter(kind="game.confirmed").count() == len(games)
    numbers = list(lines.order_by("sequence").values_list("sequence", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
