"""The games over which rating systems are run in shadow: the same batches for all of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from ratings.systems.batches import order_games
from ratings.systems.elo import MILLI
from ratings.systems.games_file import GamesFile
from ratings.systems.history import Column, GameColumns
from ratings.systems.seeds_file import Seed

START: Final = 1500 * MILLI
"""The rating of a new player in systems that are not given another one."""


@dataclass(frozen=True, slots=True)
class ShadowGames:
    """Games in batches, and what was known of each player before the first.

    `days` contains the day of each batch, such as 2026-03-01; `starts` the rating of each player
    in milli, None if they had none; `played` the number of their rated games before.
    """

    columns: GameColumns
    days: Sequence[str]
    starts: Sequence[int | None]
    played: Column


def shadow_games_of_file(
    games: GamesFile, seeds: Mapping[str, Seed], *, by_game: bool = False
) -> ShadowGames:
    """Return the games of a file in the batches in which `rate` rates them."""
    order, columns = order_games(games, by_game=by_game)
    dates = games.date[order].tolist()
    days = [
        max(games.dates[date] for date in set(dates[start:end]))
        for start, end in pairwise([0, *columns.ends.tolist()])
    ]
    starts = [seeds[name].rating if name in seeds else None for name in games.players]
    played = [seeds[name].games if name in seeds else 0 for name in games.players]
    return ShadowGames(columns, days, starts, np.array(played, np.int64))


def batches_of(games: ShadowGames) -> Iterator[tuple[str, list[tuple[int, int, int, int]]]]:
    """Yield the day and the games of each batch: both players, the score, the handicap part."""
    columns = games.columns
    seats = columns.players.tolist()
    rows = list(
        zip(seats[::2], seats[1::2], columns.scores.tolist(), columns.parts.tolist(), strict=True)
    )
    for day, (start, end) in zip(games.days, pairwise([0, *columns.ends.tolist()]), strict=True):
        yield day, rows[start:end]
