"""Reports that wait for a worker, also for one that was killed: their game is settled once."""

import signal

import pytest

from games import tasks
from games.core.broker import connect
from games.core.journal.lines import game_stream
from games.models import Game, JournalLine, Report
from tests.events import FIRST_WINS, make_event
from tests.people import Person, player_of
from tests.processes import Worker, eventually, eventually_swept

pytestmark = [pytest.mark.processes, pytest.mark.long]


@pytest.fixture
def game(worker: Worker, organiser: Person, ada: Person, ben: Person) -> Game:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben))
    event.step("open", "start")
    (game,) = event.publish()
    return game


@pytest.fixture
def reports(game: Game, worker: Worker, ada: Person, ben: Person) -> None:
    """The reports of both sides, sent while the worker is suspended."""
    worker.suspend()
    for person in (ada, ben):
        response = person.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
        assert response.status_code == 202


def is_settled(game: Game) -> bool:
    game.refresh_from_db()
    return game.state == "confirmed"


def settlement_count(game: Game) -> int:
    return JournalLine.objects.filter(stream=game_stream(game), kind="game.confirmed").count()


@pytest.mark.parametrize("messages", ["lost", "delivered"])
def test_the_game_is_settled_once_after_the_restart(
    game: Game, reports: None, worker: Worker, messages: str
) -> None:
    worker.kill()
    assert not is_settled(game)
    if messages == "lost":
        connect().flushall()

    worker.start()
    eventually_swept(tasks.settle_due, lambda: is_settled(game))
    worker.wait_until_idle()
    assert not Report.objects.filter(settled_at=None).exists()
    assert settlement_count(game) == 1


def test_repeated_messages_settle_the_game_once(game: Game, reports: None, worker: Worker) -> None:
    for _ in range(20):
        tasks.settle_game.delay(game.pk)
    assert not is_settled(game)

    worker.send(signal.SIGCONT)

    eventually(lambda: is_settled(game) and connect().llen("results") == 0)
    worker.wait_until_idle()
    assert settlement_count(game) == 1
