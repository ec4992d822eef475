"""The interval that contains a player's strength with a probability of 95 %, next to a rating.

A rating is an estimate. The standard deviation of its error is estimated from the number of rated
games alone, in points:

    before the first game   350 (Glickman, 1999)
    after each game         variance = (1 - K s) squared x variance + K squared / 4
    slope of E              s = (ln 10 / 1600) / sqrt(1 + pi/8 x (ln 10 / 400) squared x w)
    w                       the variance before the game, and that of opponents: 200 squared

`s` is how much the expected score falls for each point by which the rating is too high, on average
over the errors (MacKay, 1992) and over opponents whose strength differs by 200 points. 1/4 is the
variance of a result between equal players. With a constant K, the variance approaches
K x 200 / ln 10 between equal players, as calibration.py assumes.

It assumes that the strength does not change, and that the ratings of the opponents are exact on
average; a player who improves quickly is stronger than the interval. A rating from elsewhere is as
uncertain as that of a new player. For FIDE's system, K is that of the rating now.
"""

import math
from functools import cache
from typing import Final, NamedTuple

from games.rules.messages import gettext_noop
from ratings.systems.elo import MILLI, Elo
from ratings.systems.fide import K_OF_RULE, TOP_LEVEL, find_k_rule
from ratings.systems.presets import RatingSystem
from ratings.systems.reliability import QUANTILE

NEW_PLAYER_DEVIATION: Final = 350
OPPONENTS_DEVIATION: Final = 200
MOST_INTERVAL_GAMES: Final = 1000
"""The interval of players with more games is that of this number."""

PER_POINT = math.log(10) / 400
INTERVAL_METHOD: Final = gettext_noop(
    "with a probability of 95 % the strength is between low and high: plus or minus 1.96 standard"
    " deviations of the error of an Elo rating after this number of games, which is 350 points"
    " before the first game and then follows from K; it assumes that the strength does not change"
)


class Interval(NamedTuple):
    """The ends of an interval, in whole points."""

    low: int
    high: int


def interval_of(system: RatingSystem, rating: int, games: int) -> Interval:
    """Return the interval of a rating in milli after this many rated games."""
    margin = round(QUANTILE * deviation_of(system, rating, games))
    return Interval((rating - margin) // MILLI, -((-rating - margin) // MILLI))


def deviation_of(system: RatingSystem, rating: int, games: int) -> float:
    """Return the standard deviation of the error of a rating, in milli."""
    is_top = not isinstance(system, Elo) and rating >= TOP_LEVEL
    return _deviations(system, is_top)[min(games, MOST_INTERVAL_GAMES)]


@cache
def _deviations(system: RatingSystem, is_top: bool) -> tuple[float, ...]:
    """Return the standard deviations of the errors in milli, by the number of rated games."""
    variance = float(NEW_PLAYER_DEVIATION**2)
    deviations = []
    for games in range(MOST_INTERVAL_GAMES + 1):
        deviations.append(math.sqrt(variance) * MILLI)
        k = _k(system, games, is_top)
        spread = PER_POINT**2 * (variance + OPPONENTS_DEVIATION**2)
        slope = PER_POINT / 4 / math.sqrt(1 + math.pi / 8 * spread)
        variance = (1 - k * slope) ** 2 * variance + k**2 / 4
    return tuple(deviations)


def _k(system: RatingSystem, games: int, is_top: bool) -> float:
    """Return K in points of a player with this many rated games."""
    if isinstance(system, Elo):
        return system.k(games) / MILLI
    rule = find_k_rule(TOP_LEVEL, games, has_reached_2400=is_top, is_junior=False)
    return K_OF_RULE[rule]
