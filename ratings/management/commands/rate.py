"""`manage.py rate GAMES.csv`: ratings from a file of games, without a database."""

import csv
import io
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.systems import PRESETS, find_preset
from ratings.systems.batches import ordered_batches
from ratings.systems.errors import BadFile
from ratings.systems.games_file import read_games, read_seeds
from ratings.systems.lists import HISTORY_COLUMNS, history_rows, rated, write_list


class Command(BaseCommand):
    help = (
        "Rate the games of a CSV file (date,event,first,second,result and optionally handicap, "
        "board, swap). Prints the list, or writes it with --ratings. Exit 2: a file cannot be used."
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
        games = _read(options["games"], read_games)
        seeds: Path | None = options["seeds"]
        states = _read(seeds, read_seeds) if seeds else {}
        batches = ordered_batches(games, by_game=options["batch"] == "game")

        history = io.StringIO()
        lines = csv.writer(history, lineterminator="\n")
        lines.writerow(HISTORY_COLUMNS)
        for batch, done in rated(batches, states, find_preset(options["preset"])):
            if options["history"]:
                lines.writerows(history_rows(batch, done))
        ratings = io.StringIO()
        write_list(ratings, states)

        if options["history"]:
            _write(options["history"], history.getvalue())
        if options["ratings"]:
            _write(options["ratings"], ratings.getvalue())
            players = sum(1 for state in states.values() if state.games)
            self.stdout.write(f"{len(games)} games, {len(batches)} batches, {players} players")
        else:
            self.stdout.write(ratings.getvalue(), ending="")


def _read(path: Path, reader: Any) -> Any:
    """What the reader makes of the file; CommandError with status 2 when it cannot be used."""
    try:
        return reader(path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
    except BadFile as bad:
        told = "\n".join(f"{path}: {line}" for line in str(bad).splitlines())
        raise CommandError(told, returncode=2) from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
