"""The error of a rating, as far as it follows from K.

An Elo rating in equilibrium varies about the strength with the variance K x 200 / ln 10 points
squared. The error is larger for a player with few games, whose rating is still near its start.
"""

import math
from typing import Final

from ratings.systems.elo import MILLI, Elo
from ratings.systems.fide_k import K_OF_RULE, TOP_LEVEL, find_k_rule
from ratings.systems.presets import RatingSystem
from ratings.systems.reliability import QUANTILE

VARIANCE_OF_K: Final = 200 / math.log(10)


def k_of_rating(rating: int, games: int, system: RatingSystem) -> int:
    """Return the K in milli of a player with this rating in milli; in FIDE's system, of an adult.

    There it is taken that a player below 2400 has never reached it.
    """
    if isinstance(system, Elo):
        return system.k(games)
    has_reached_2400 = rating >= TOP_LEVEL
    rule = find_k_rule(rating, games, has_reached_2400=has_reached_2400, is_junior=False)
    return K_OF_RULE[rule] * MILLI


def margin_of_difference(k: int, opponent_k: int) -> int:
    """Return half of the interval of 95 % of a rating difference, in whole points; K in milli."""
    return round(QUANTILE * math.sqrt((k + opponent_k) / MILLI * VARIANCE_OF_K))
