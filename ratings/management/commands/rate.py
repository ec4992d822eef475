"""`manage.py rate GAMES.csv`: compute ratings from a file of games, without a database."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand

from games.core.uploads.csv import write_csv
from ratings.management.files import parse_file, read_bytes, rows_of_file, unusable
from ratings.management.progress import TerminalProgress, show_progress
from ratings.systems.batches import order_games
from ratings.systems.elo import MILLI
from ratings.systems.fide import Fide
from ratings.systems.fide_history import rate_fide_history
from ratings.systems.file_rows import Row
from ratings.systems.games_file import GamesFile, read_games
from ratings.systems.handicap import CODE_TABLES, FIRST_VERSION
from ratings.systems.history import Column, GameColumns, History, rate_history
from ratings.systems.history_file import HISTORY_FILE_COLUMNS, write_history
from ratings.systems.lists import list_rows
from ratings.systems.presets import PRESETS, RatingSystem, find_preset
from ratings.systems.seeds_file import Seed, read_seeds

LINES_OF_PROGRESS = 20_000
"""The number of lines between two steps of the progress bar."""


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
            "--history", type=Path, metavar="OUT.csv", help=",".join(HISTORY_FILE_COLUMNS)
        )

    def handle(self, *args: Any, **options: Any) -> None:
        content = read_bytes(options["games"])
        lines = max(content.count(b"\n"), content.count(b"\r"))
        with show_progress(2 * lines if options["history"] else lines) as progress:
            rows = _count_rows(rows_of_file(content), progress)
            games = parse_file(options["games"], partial(read_games, table=options["table"]), rows)
            seeds: dict[str, Seed] = {}
            if options["seeds"]:
                seeds = parse_file(options["seeds"], read_seeds)

            system, by_game = find_preset(options["preset"]), options["batch"] == "game"
            by_month = isinstance(system, Fide)
            order, columns = order_games(games, by_game=by_game, by_month=by_month)
            history = _rate(games, order, columns, seeds, system, by_game=by_game)

            if options["history"]:
                chunks = write_history(games, order, columns, history)
                _write_file(options["history"], _count_games(chunks, progress))

        ratings = write_csv(
            list_rows(
                zip(games.players, history.ratings.tolist(), history.games.tolist(), strict=True)
            )
        )
        if options["ratings"]:
            _write_file(options["ratings"], [ratings.encode()])
            players = np.count_nonzero(history.games)
            self.stdout.write(f"{len(order)} games, {len(columns.ends)} batches, {players} players")
        else:
            self.stdout.write(ratings, ending="")


def _rate(
    games: GamesFile,
    order: Column,
    columns: GameColumns,
    seeds: dict[str, Seed],
    system: RatingSystem,
    *,
    by_game: bool,
) -> History:
    if isinstance(system, Fide):
        dates = games.date[order]
        last_days = [
            max(games.dates[date] for date in set(month.tolist()))
            for month in np.split(dates, columns.ends[:-1])
        ]
        months = [int(day[:4]) * 12 + int(day[5:7]) - 1 for day in last_days]
        # A single game is an event of its own, with a negative number.
        is_single = np.array([by_game or not name for name in games.events], bool)
        event = games.event[order]
        events = np.where(is_single[event], -1 - np.arange(len(order)), event).tolist()
        return rate_fide_history(columns, months, events, games.players, seeds, system)
    ratings = np.full(len(games.players), system.start * MILLI, np.int64)
    counts = np.zeros_like(ratings)
    for player, name in enumerate(games.players):
        seed = seeds.get(name)
        if seed is not None and seed.rating is not None:
            ratings[player], counts[player] = seed.rating, seed.games
    return rate_history(columns, ratings, counts, system)


def _count_rows(
    rows: Iterator[tuple[int, Row]], progress: TerminalProgress
) -> Iterator[tuple[int, Row]]:
    for row in rows:
        yield row
        if row[0] % LINES_OF_PROGRESS == 0:
            progress.step(LINES_OF_PROGRESS)


def _count_games(
    chunks: Iterable[tuple[int, bytes]], progress: TerminalProgress
) -> Iterator[bytes]:
    for games, chunk in chunks:
        yield chunk
        if games:
            progress.step(games)


def _write_file(path: Path, chunks: Iterable[bytes]) -> None:
    try:
        with path.open("wb") as file:
            file.writelines(chunks)
    except OSError as error:
        raise unusable(path, str(error.strerror)) from None
