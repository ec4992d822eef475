"""The rating performance: the strength that a player showed in some games (C.07 article 10.3)."""

from bisect import bisect_left
from collections.abc import Sequence

from ratings.systems.fide import CERTAIN_DIFFERENCE, FULL_SCORE_DIFFERENCE, expected_percent


def perfect_rating(opponents: Sequence[int], half_points: int) -> int:
    """Return the lowest rating with an expected score of at least the score, in points.

    `opponents` are the ratings of the opponents, one for each game. The comparison is in whole per
    cent, so that it is exact. A score of zero gives the lowest rating of the opponents minus 800, a
    full score the highest plus 736.
    """
    if half_points == 0:
        return min(opponents) - FULL_SCORE_DIFFERENCE

    def is_enough(rating: int) -> bool:
        expected = sum(expected_percent(rating - opponent) for opponent in opponents)
        return expected >= 50 * half_points

    possible = range(min(opponents) - CERTAIN_DIFFERENCE, max(opponents) + CERTAIN_DIFFERENCE)
    return possible.start + bisect_left(possible, True, key=is_enough)
