"""Compare expected scores with results, in groups of similar expected scores."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

QUANTILE = 1.959964
"""Of the normal distribution, for intervals of 95 %."""

EXPECTATION_GROUPS = 10


@dataclass(frozen=True, slots=True)
class Group:
    """Games with similar expected scores: the means, and the interval of 95 % of the score."""

    games: int
    expected: float
    score: float
    low: float
    high: float


def group_by_expected(games: Iterable[tuple[float, float]]) -> tuple[Group, ...]:
    """Return the groups of games, pairs of an expected score and a score, by tenths.

    Groups without games are left out.
    """
    groups: list[list[tuple[float, float]]] = [[] for _ in range(EXPECTATION_GROUPS)]
    for expected, score in games:
        groups[min(int(expected * EXPECTATION_GROUPS), EXPECTATION_GROUPS - 1)].append(
            (expected, score)
        )
    return tuple(_make_group(group) for group in groups if group)


def _make_group(games: list[tuple[float, float]]) -> Group:
    """Return a group with the interval of Wilson (1927), in which a draw is half a win."""
    count = len(games)
    expected, score = (sum(column) / count for column in zip(*games, strict=True))
    spread = QUANTILE**2 / count
    middle = (score + spread / 2) / (1 + spread)
    radius = math.sqrt(spread * (score * (1 - score) + spread / 4)) / (1 + spread)
    return Group(count, expected, score, max(middle - radius, 0), min(middle + radius, 1))
