"""What Glicko-2 and whole-history ratings make of the games of one player.

The opponents are taken to be exactly as strong as their official ratings before the game say, less
the value of the handicap. So one player is estimated from their own games alone.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from ratings.systems.intervals import Interval
from ratings.systems.reliability import QUANTILE
from ratings.systems.research.glicko2 import (
    PERIOD_DAYS,
    POINT,
    GlickoResult,
    GlickoState,
    rate_after,
)
from ratings.systems.research.whole_history import VARIANCE_PER_DAY, fit_history

CENTER: Final = 1500
SECOND_OPINION_METHOD: Final = (
    "an estimate from the player's games alone, as of today; the official ratings of the opponents"
    " before each game, less the value of the handicap, are taken as exact; the interval contains"
    " the strength with a probability of 95 %, if the model is right"
)

GamesByDay: TypeAlias = Mapping[int, Sequence[tuple[float, float]]]
"""By day, in order: the strength of each opponent in points, and the score from 0 to 1."""


class Opinion(NamedTuple):
    """The rating by a system in whole points, and the interval of 95 %."""

    rating: int
    interval: Interval


def rate_by_glicko2(start: float, games: GamesByDay, today: int) -> Opinion:
    """Return the opinion of Glicko-2: each day is a rating period, also between days of play."""
    player, last = GlickoState(_natural(start)), today
    for number, (day, results) in enumerate(games.items()):
        days = day - last if number else PERIOD_DAYS
        found = [GlickoResult(_natural(opponent), 0, score) for opponent, score in results]
        player, last = rate_after(player, found, days), day
    return _opinion(player.mean, player.after(max(today - last, 0)).deviation)


def rate_by_whole_history(start: float, games: GamesByDay, today: int) -> Opinion:
    """Return the opinion of whole-history ratings: the rating on the last day of play."""
    results = [[(_natural(opponent), score) for opponent, score in day] for day in games.values()]
    fit = fit_history(list(games), results, _natural(start))
    variance = fit.variance + VARIANCE_PER_DAY * max(today - list(games)[-1], 0)
    return _opinion(fit.ratings[-1], math.sqrt(variance))


class OpinionSystem(LabelledEnum):
    """The systems that give a second opinion."""

    GLICKO_2 = "glicko-2", "Glicko-2"
    WHOLE_HISTORY = "whole-history", gettext_noop("whole-history rating")


OPINIONS: Final = {
    OpinionSystem.GLICKO_2: rate_by_glicko2,
    OpinionSystem.WHOLE_HISTORY: rate_by_whole_history,
}


def _natural(points: float) -> float:
    return (points - CENTER) * POINT


def _opinion(mean: float, deviation: float) -> Opinion:
    rating, margin = mean / POINT + CENTER, QUANTILE * deviation / POINT
    return Opinion(round(rating), Interval(math.floor(rating - margin), math.ceil(rating + margin)))
