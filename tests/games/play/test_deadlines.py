"""Deadlines of confirmation when the clock of the server jumps by an hour in either direction."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.models import Game, JournalLine, Report
from games.models.attempts import MAX_ATTEMPTS
from games.play.queries import due_games, given_up_games
from games.play.settlement import settle_game
from tests.events import make_published
from tests.people import Person

pytestmark = pytest.mark.django_db
DAY, SECOND = timedelta(hours=24), timedelta(seconds=1)


@pytest.fixture
def game(organiser: Person, ada: Person, ben: Person) -> Game:
    """A game that Ada has reported, and that is confirmed after 24 hours without an answer."""
    (game,) = make_published(organiser, ada, ben, confirm_hours=24).games()
    ada.post(f"games/{game.pk}/reports", {"claim": {"result": "11-10"}})
    settle_game(game.pk)
    game.refresh_from_db()
    return game


def sweep(game: Game, received_at: datetime, hours: float) -> str:
    """Settle the game if it is due when the clock shows this many hours after the report."""
    now = received_at + timedelta(hours=hours)
    for number in due_games(now):
        settle_game(number, now=now)
    game.refresh_from_db()
    return game.state


@pytest.mark.parametrize(
    ("clock", "states"),
    [
        pytest.param([23.9, 24], ["waiting", "confirmed"], id="no jump"),
        pytest.param([23.4, 24.4, 23.5], ["waiting", "confirmed", "confirmed"], id="ahead, back"),
        pytest.param([23.9, 23, 23.9, 24], [*["waiting"] * 3, "confirmed"], id="back"),
        pytest.param([-1, 0, 24], ["waiting", "waiting", "confirmed"], id="back at once"),
    ],
)
def test_a_sweep_confirms_at_the_deadline_by_the_clock(
    game: Game, clock: list[float], states: list[str]
) -> None:
    received_at = Report.objects.get().received_at

    assert [sweep(game, received_at, hours) for hours in clock] == states
    assert JournalLine.objects.filter(kind="game.confirmed").count() == 1


def test_a_message_that_arrives_twice_leaves_a_confirmed_game_after_a_jump_back(game: Game) -> None:
    received_at = Report.objects.get().received_at
    sweep(game, received_at, 24)
    lines = JournalLine.objects.count()

    again = settle_game(game.pk, now=received_at + timedelta(hours=23))

    assert (again.state, again.confirm_by) == ("confirmed", None)
    assert JournalLine.objects.count() == lines


def test_an_answer_is_accepted_until_a_sweep_has_passed_the_deadline(
    game: Game, ben: Person
) -> None:
    Report.objects.update(received_at=timezone.now() - timedelta(hours=25))

    answer = ben.post(f"games/{game.pk}/reports", {"claim": {"result": "10-11"}})

    assert answer.status_code == 202
    assert settle_game(game.pk).state == "disputed"


def test_the_deadline_is_that_of_the_last_result(game: Game, ada: Person, ben: Person) -> None:
    first = Report.objects.get()
    Report.objects.update(received_at=first.received_at - timedelta(hours=5))
    ada.post(f"games/{game.pk}/reports", {"claim": {"result": "12-9"}})
    assert settle_game(game.pk).confirm_by == Report.objects.get(version=2).received_at + DAY
    assert JournalLine.objects.order_by("-pk")[0].kind == "game.waiting"  # for the deadline alone

    ben.post(f"games/{game.pk}/dispute", {"reason": "no"})
    disputed = settle_game(game.pk)
    assert (disputed.state, disputed.confirm_by, disputed.confirmed_at) == ("disputed", None, None)


def test_what_is_due(game: Game, ben: Person) -> None:
    deadline = game.confirm_by
    assert deadline is not None
    assert due_games(deadline - SECOND) == []
    assert due_games(deadline) == [game.pk]
    Game.objects.update(void=True)  # its pairing was withdrawn
    assert due_games(deadline) == []
    Report.objects.update(settled_at=None)
    assert due_games() == [game.pk]
    assert settle_game(game.pk, now=deadline).confirmed_at == deadline
    assert due_games(deadline + DAY) == []
    Game.objects.update(attempts=MAX_ATTEMPTS - 1)
    assert list(given_up_games()) == []
    Game.objects.update(attempts=MAX_ATTEMPTS)
    assert list(given_up_games()) == [game]
