"""`manage.py rate GAMES.csv`: compute ratings from a file of games, without a database."""

import csv
from argparse import ArgumentParser
from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.core.uploads.csv import write_csv
from ratings.management.files import parse_file, unusable
from ratings.systems.batches import order_games, rate_batches
from ratings.systems.fide import Fide
from ratings.systems.games_file import read_games
from ratings.systems.handicap import CODE_TABLES, FIRST_VERSION
from ratings.systems.lists import HISTORY_COLUMNS, history_rows, list_rows
from ratings.systems.presets import DEFAULT, Preset, find_preset
from ratings.systems.seeds_file import Seed, read_seeds


class Command(BaseCommand):
    help = (
        "Rate the games of a CSV file (date,event,first,second,result and optionally handicap, "
        "board, swap). Print the rating list, or write it with --ratings. Exit with status 2 if a "
        "file cannot be used."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", type=Path, metavar="GAMES.csv")
        parser.add_argument(
            "--preset", default=DEFAULT.value, choices=[preset.value for preset in Preset]
        )
        parser.add_argument("--batch", default="event", choices=["event", "game"])
        parser.add_argument(
            "--table",
            default=FIRST_VERSION,
            choices=list(CODE_TABLES),
            help="version of the values of handicaps",
        )
        parser.add_argument(
            "--seeds",
            type=Path,
            metavar="SEEDS.csv",
            help="player,rating[,birth_year,games,reached_2400]",
        )
        parser.add_argument("--ratings", type=Path, metavar="OUT.csv", help="player,rating,games")
        parser.add_argument(
            "--history", type=Path, metavar="OUT.csv", help=",".join(HISTORY_COLUMNS)
        )

    def handle(self, *args: Any, **options: Any) -> None:
        games = parse_file(options["games"], partial(read_games, table=options["table"]))
        seeds: dict[str, Seed] = (
            parse_file(options["seeds"], read_seeds) if options["seeds"] else {}
        )

        system, by_game = find_preset(options["preset"]), options["batch"] == "game"
        batches = order_games(games, by_game=by_game, by_month=isinstance(system, Fide))
        states = {player: seed.start.state(system) for player, seed in seeds.items()}
        history = rate_batches(batches, states, seeds, system)
        if options["history"]:
            _write_file(options["history"], history_rows(history))
        deque(history, maxlen=0)

        players = {player for game in games for player in (game.first, game.second)}
        found = [(player, states[player].rating, states[player].games) for player in players]
        if options["ratings"]:
            _write_file(options["ratings"], list_rows(found))
            rated = sum(number > 0 for *_, number in found)
            self.stdout.write(f"{len(games)} games, {len(batches)} batches, {rated} players")
        else:
            self.stdout.write(write_csv(list_rows(found)), ending="")


def _write_file(path: Path, rows: Iterable[Sequence[object]]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    except OSError as error:
        raise unusable(path, str(error.strerror)) from None
