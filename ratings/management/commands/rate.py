"""`manage.py rate GAMES.csv`: compute ratings from a file of games, without a database."""

from argparse import ArgumentParser
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError

from games.http.errors import BadRequest
from games.imports.csv import decode_text, parse_rows, write_csv
from ratings.systems.batches import order_batches, rate_batches
from ratings.systems.games_file import BadFile, CellError, Rows, read_games, read_seeds
from ratings.systems.lists import HISTORY_COLUMNS, history_rows, list_rows
from ratings.systems.presets import PRESETS, find_preset

T = TypeVar("T")


class Command(BaseCommand):
    help = (
        "Rate the games of a CSV file (date,event,first,second,result and optionally handicap, "
        "board, swap). Print the rating list, or write it with --ratings. Exit with status 2 if a "
        "file cannot be used."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", type=Path, metavar="GAMES.csv")
        parser.add_argument("--preset", default="decay", choices=list(PRESETS))
        parser.add_argument("--batch", default="event", choices=["event", "game"])
        parser.add_argument("--seeds", type=Path, metavar="SEEDS.csv", help="player,rating")
        parser.add_argument("--ratings", type=Path, metavar="OUT.csv", help="player,rating,games")
        parser.add_argument(
            "--history", type=Path, metavar="OUT.csv", help=",".join(HISTORY_COLUMNS)
        )

    def handle(self, *args: Any, **options: Any) -> None:
        games = _read_file(options["games"], read_games)
        states = _read_file(options["seeds"], read_seeds) if options["seeds"] else {}

        batches = order_batches(games, by_game=options["batch"] == "game")
        rated = rate_batches(batches, states, find_preset(options["preset"]))
        history = write_csv(history_rows(rated)) if options["history"] else ""
        deque(rated, maxlen=0)  # without a history, this is what rates the batches
        ratings = write_csv(list_rows(states))

        if options["history"]:
            _write_file(options["history"], history)
        if options["ratings"]:
            _write_file(options["ratings"], ratings)
            players = sum(1 for state in states.values() if state.games)
            self.stdout.write(f"{len(games)} games, {len(batches)} batches, {players} players")
        else:
            self.stdout.write(ratings, ending="")


def _read_file(path: Path, read: Callable[[Rows], T]) -> T:
    """Return the content of a file; raises CommandError with status 2 if it cannot be used."""
    try:
        return read(rows_of_file(path.read_bytes()))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
    except BadFile as error:
        detail = "\n".join(f"{path}: {line}" for line in str(error).splitlines())
        raise CommandError(detail, returncode=2) from None


def rows_of_file(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a UTF-8 file; raises BadFile with the line that is not text or not CSV."""
    try:
        yield from parse_rows(decode_text(content, ("utf-8-sig",)))
    except BadRequest as error:
        raise BadFile([CellError(error.errors[0]["line"], "", error.errors[0]["detail"])]) from None


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
