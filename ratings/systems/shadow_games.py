"""The games over which rating systems are run in shadow: the same batches for all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from ratings.systems.batches import MONTH_LENGTH, order_games
from ratings.systems.elo import MILLI
from ratings.systems.games_file import GamesFile
from ratings.systems.history import Column, GameColumns
from ratings.systems.seeds_file import Seed

START: Final = 1500 * MILLI
"""The rating of a new player in systems that are not given another one."""


@dataclass(frozen=True, slots=True)
class ShadowGames:
    """Games in batches, and what was known of each player before the first.

    `months` contains the month of each batch, such as 2026-03; `starts` the rating of each player
    in milli, None if they had none; `played` the number of their rated games before.
    """

    columns: GameColumns
    months: Sequence[str]
    starts: Sequence[int | None]
    played: Column


def shadow_games_of_file(
    games: GamesFile, seeds: Mapping[str, Seed], *, by_game: bool = False
) -> ShadowGames:
    """Return the games of a file in the batches in which `rate` rates them."""
    order, columns = order_games(games, by_game=by_game)
    dates = games.date[order].tolist()
    months = [
        max(games.dates[date] for date in set(dates[start:end]))[:MONTH_LENGTH]
        for start, end in pairwise([0, *columns.ends.tolist()])
    ]
    starts = [seeds[name].rating if name in seeds else None for name in games.players]
    return ShadowGames(columns, months, starts, np.zeros(len(starts), np.int64))
