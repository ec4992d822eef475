"""`rebuild_from_journal --dry-run`: the replay of a journal gives the rows of the tables."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.models import Game, JournalLine
from tests.events import Event
from tests.people import Person
from tests.tournament.imports import final_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """A final event with proofs, rulings, a requested bye, a pairing bye and an old draft."""
    return final_event(organiser)


def replay(*arguments: str) -> tuple[list[str], list[str], int]:
    """Return the lines of the output and of the errors, and the exit status."""
    output, errors, status = StringIO(), StringIO(), 0
    try:
        call_command("rebuild_from_journal", *arguments, stdout=output, stderr=errors)
    except CommandError as error:
        status = error.returncode
        errors.write(f"{error}\n")
    return output.getvalue().splitlines(), errors.getvalue().splitlines(), status


def test_the_replay_equals_the_tables(event: Event) -> None:
    (line,), errors, status = replay("--dry-run", event.stream)

    lines = JournalLine.objects.filter(stream=event.stream).count()
    entries = event.tournament.entries.count()
    pairings = event.tournament.pairings.count()
    assert (errors, status) == ([], 0)
    assert line.startswith(f"tournament/spring: {lines} lines give bye 1, certificate 3, ")
    assert f"entry {entries}, " in line
    assert f"pairing {pairings}, " in line
    assert line.endswith(": equal to the tables")


def test_a_changed_row_is_named(event: Event) -> None:
    game = Game.objects.order_by("pk")[0]
    Game.objects.filter(pk=game.pk).update(termination="time")

    (line,), errors, status = replay("tournament/spring", "--dry-run")

    assert (line.endswith(": different from the tables"), status) == (True, 1)
    assert errors[0].startswith(f"tournament/spring: game {game.place}: termination is time")
    assert errors[1] == "1 differences from the tables"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "add --dry-run: the journal has no text of records"),
        (["--dry-run", "tournament/autumn"], "there is no journal"),
    ],
)
def test_wrong_arguments_are_rejected(event: Event, arguments: list[str], expected: str) -> None:
    output, errors, status = replay(*arguments)

    assert (output, status) == ([], 2)
    assert errors[0].startswith(expected)
