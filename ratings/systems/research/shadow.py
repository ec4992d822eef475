"""The rating systems that can be run in shadow, and how each of them predicts the next game.

A system in shadow reads the games of the official batches and changes no rating. It predicts each
game from the ratings before its batch.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, TypeAlias

import numpy as np

from ratings.systems.batches import MONTH_LENGTH
from ratings.systems.elo import MILLI, MILLION, RatingError
from ratings.systems.fide import Fide
from ratings.systems.fide_history import rate_fide_history
from ratings.systems.history import GameColumns, rate_history
from ratings.systems.presets import PRESETS, RatingSystem
from ratings.systems.research.glicko2 import predict_glicko2
from ratings.systems.research.prediction_scores import Numbers
from ratings.systems.research.shadow_games import ShadowGames
from ratings.systems.research.weng_lin import is_available, predict_weng_lin
from ratings.systems.research.whole_history import predict_whole_history
from ratings.systems.seeds_file import Seed

Predict: TypeAlias = Callable[[ShadowGames], Numbers]
"""Returns the expected score of each game's first seat; not a number where there is none."""


class UnknownSystem(RatingError):
    """No system has this name, or the library that it needs is not installed."""


def predict_preset(system: RatingSystem, games: ShadowGames) -> Numbers:
    """Predict by the integer engine; FIDE's system does not predict games of unrated players."""
    if isinstance(system, Fide):
        return _predict_fide(system, games)
    ratings = [system.start * MILLI if start is None else start for start in games.starts]
    history = rate_history(games.columns, np.array(ratings, np.int64), games.played, system)
    return history.expected[::2] / MILLION


def _predict_fide(system: Fide, games: ShadowGames) -> Numbers:
    """Predict month by month; nothing is known of years of birth, so no K is that of a junior."""
    columns = games.columns
    months = [day[:MONTH_LENGTH] for day in games.days]
    is_last = [month != after for month, after in zip(months, [*months[1:], ""], strict=True)]
    periods = GameColumns(
        columns.players, columns.scores, columns.parts, columns.ends[np.array(is_last, bool)]
    )
    players = [str(player) for player in range(len(games.starts))]
    rows = zip(players, games.starts, games.played.tolist(), strict=True)
    seeds = {name: Seed(start, None, played) for name, start, played in rows}
    last_days = [day for day, last in zip(games.days, is_last, strict=True) if last]
    numbers = [int(day[:4]) * 12 + int(day[5:7]) - 1 for day in last_days]
    sizes = np.diff(columns.ends, prepend=0)
    events = np.repeat(np.arange(len(sizes)), sizes).tolist()
    history = rate_fide_history(periods, numbers, events, players, seeds, system)
    return np.where(history.k[::2] > 0, history.expected[::2] / MILLION, np.nan)


SHADOW_SYSTEMS: Final[dict[str, Predict]] = {
    **{name: partial(predict_preset, preset) for name, preset in PRESETS.items()},
    "glicko-2": predict_glicko2,
    "whole-history": predict_whole_history,
    "weng-lin": predict_weng_lin,
}


def available_systems() -> list[str]:
    """Return the names of the systems whose library is installed."""
    return [name for name in SHADOW_SYSTEMS if name != "weng-lin" or is_available()]


def find_systems(names: Iterable[str]) -> dict[str, Predict]:
    """Return the systems of these names; raises UnknownSystem with the valid names."""
    available = available_systems()
    found = {}
    for name in names:
        if name not in SHADOW_SYSTEMS:
            raise UnknownSystem(f"no system {name[:60]!r}; valid are: {', '.join(SHADOW_SYSTEMS)}")
        if name not in available:
            raise UnknownSystem(f"{name} needs a library: pip install .[compare]")
        found[name] = SHADOW_SYSTEMS[name]
    return found
