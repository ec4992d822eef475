"""Attempts to settle a game: failures count, a database that cannot be written does not."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection
from django.test import Client

from games import tasks
from games.models import Game, Report
from games.models.attempts import MAX_ATTEMPTS
from tests.events import FIRST_WINS, make_event
from tests.people import Person, player_of
from tests.processes import file_limit


@pytest.fixture
def game(organiser: Person, ada: Person, ben: Person) -> Game:
    """A game that both players have reported, and no task has settled."""
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    for person in (ada, ben):
        assert person.post(f"games/{game.pk}/reports", {"record": FIRST_WINS}).status_code == 202
    return game


def attempts_of(game: Game) -> tuple[str, int]:
    game.refresh_from_db()
    return game.state, game.attempts


def games_part(client: Client) -> str:
    part: str = client.get("/health/ready").json()["parts"]["games"]
    return part


@pytest.mark.django_db
def test_a_game_that_fails_is_given_up_and_named_until_another_attempt_succeeds(
    game: Game, client: Client
) -> None:
    outcome = Report.objects.filter(game=game)[0].outcome
    game.reports.update(outcome={"winner": "third"})
    for _ in range(MAX_ATTEMPTS + 1):
        tasks.settle_due()
    assert attempts_of(game) == ("open", MAX_ATTEMPTS)
    assert games_part(client) == f"not settled after 5 attempts: {game.pk}"

    game.reports.update(outcome=outcome)
    tasks.settle_due()
    assert attempts_of(game) == ("open", MAX_ATTEMPTS)

    assert tasks.retry_failed() == 1  # as beat does every hour
    tasks.settle_due()

    assert attempts_of(game) == ("confirmed", 0)
    assert games_part(client) == "ok"


@contextmanager
def room_for_an_attempt_only() -> Iterator[None]:
    """Let the database have space to count an attempt, and none to settle a game."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.fetchall()
            with file_limit(0, bytes=3 * 4096):
                yield
            return
        cursor.execute(
            "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$"
            " BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;"
            "CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON games_report"
            " EXECUTE FUNCTION disk_full()"
        )
        yield
        cursor.execute("DROP FUNCTION disk_full CASCADE")


@pytest.mark.django_db(transaction=True)
def test_an_attempt_that_a_full_disk_ended_does_not_count(game: Game) -> None:
    with room_for_an_attempt_only():
        with pytest.raises(OperationalError, match=r"disk I/O error|could not extend file"):
            tasks.settle_game(game.pk)
        for _ in range(MAX_ATTEMPTS):
            tasks.settle_due()
        assert attempts_of(game) == ("open", 0)

    tasks.settle_due()
    assert attempts_of(game) == ("confirmed", 0)
