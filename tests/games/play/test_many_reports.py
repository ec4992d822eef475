"""The worker settles reports: while a client waits, and many at once, none lost or doubled."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection

from games import tasks
from games.core.accounts.tokens import issue_personal_token
from games.models import Game, JournalLine, Report
from tests.events import FIRST_WINS, Event, make_event, make_players
from tests.people import Person, player_of
from tests.processes import Worker, celery_with_broker_at, eventually_swept


def test_a_request_waits_for_the_settlement(
    worker: Worker, organiser: Person, ada: Person, ben: Person
) -> None:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    path, body = f"games/{game.pk}/reports", {"record": FIRST_WINS}

    first = ada.post(path, body, Prefer="wait=20")
    second = ben.post(path, body, Prefer="respond-async, wait=20")

    assert [
        (response.status_code, response.json()["task"]["state"]) for response in (first, second)
    ] == [
        (200, "done"),
        (200, "done"),
    ]
    assert second.json()["task"]["result"] == {"game": game.pk, "state": "confirmed"}
    assert ben.get(second["Location"]).json() == second.json()["task"]


def test_a_report_without_a_broker_is_settled_by_the_sweep(
    worker: Worker, organiser: Person, ada: Person, ben: Person, tmp_path: Path
) -> None:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()

    with celery_with_broker_at(f"unix://{tmp_path}/none.sock"):
        for person in (ada, ben):
            response = person.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
            assert (response.status_code, response.json()["task"]["state"]) == (202, "waiting")
    game.refresh_from_db()
    assert game.state == "open"

    eventually_swept(
        tasks.settle_due, lambda: Game.objects.filter(pk=game.pk, state="confirmed").exists()
    )


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


def test_both_sides_report_at_once_and_again(worker: Worker, organiser: Person) -> None:
    """The repeated reports are the two first ones, whenever the game is settled."""
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(2))
    games = event.step("open", "start").publish()
    both = reporters(event, games)

    with ThreadPoolExecutor(max_workers=8) as pool:
        found = list(pool.map(report, both * 6))

    assert set(found) <= {200, 202}
    eventually_swept(tasks.settle_due, all_are_settled)
    reports = Report.objects.filter(game=games[0]).order_by("version")
    assert [report.version for report in reports] == [1, 2]
    lines = JournalLine.objects.filter(stream=event.stream, kind="game.confirmed")
    assert lines.count() == 1
