"""The interval that contains a player's strength with a probability of 95 %, next to a rating.

A rating is an estimate that moves from its start towards the strength, the slower the smaller K is.
Where players are at a rating of 1700 after a few games depends on how far the strengths in the pool
are apart: with K = 24 after ten games, most of those who are 60 points above their start are some
200 points stronger. So the interval depends on the `spread` of a pool, the standard deviation of
the strengths about the starts of their ratings, and it is not symmetrical about the rating.

What strengths belong to a rating is found by simulation, for each system and spread: players with
normally distributed strengths play opponents who are drawn at random from the pool. After each
number of games, three things are measured by the distance x of the ratings from their start: the
mean distance of the strengths and the deviation about it, both linear between some quantiles of x,
and the mean square of x itself, from which the spread of a pool is estimated. So the best ratings
of a list, which are lucky as well as good, are compared with the best of such a list.

Strengths are measured from the mean of the players of the pool, because results between them say
nothing about any other scale.

`make bench ONLY=intervals` simulates other pools, and counts how many strengths the intervals
contain. They assume that the strength does not change, and that games are rated one at a time; the
games of an event are rated together, which moves ratings further from their start. A rating from
elsewhere is the start of its player; in FIDE's system, others start from their first rating, which
is drawn towards 1800.
"""

import math
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.rules.messages import gettext_noop
from ratings.systems.elo import MILLI, Elo
from ratings.systems.fide import (
    DIFFERENCE_OF_SCORE,
    HYPOTHETICAL_GAMES,
    HYPOTHETICAL_RATING,
    INITIAL_GAMES,
    K_OF_RULE,
    find_k_rule,
)
from ratings.systems.presets import RatingSystem
from ratings.systems.reliability import QUANTILE

Numbers = NDArray[Any]

USUAL_SPREAD: Final = 250
"""That of a pool without players."""
USUAL_PLAYERS: Final = 10
"""How many players with the usual spread are added to those of a pool in its estimate."""
SPREADS: Final = (50, 100, 150, 200, 250, 300, 350, 400, 450)
GAMES: Final = (1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224)
"""The spreads and numbers of games that are simulated; between them, values are interpolated."""
SIMULATED_PLAYERS: Final = 16_000
QUANTILES: Final = (0, 0.3, 0.55, 0.75, 0.88, 0.95, 0.985, 0.998)
"""Those of the distances of ratings from their start, between which strengths are interpolated."""
STEEPEST: Final = (2, 0.3)
"""How much the mean strength and the deviation rise at most with a rating beyond these."""
WIDER: Final = 1.07
"""Makes up for the errors of the estimated spread and of the mean of the players of a pool."""

PER_POINT = math.log(10) / 400
INTERVAL_METHOD: Final = gettext_noop(
    "with a probability of 95 % the strength is in the interval: simulated players with this"
    " rating after this number of games, in a pool whose strengths are as far apart as the ratings"
    " say; it assumes that the strength does not change, opponents from all of the pool, and games"
    " that are rated one at a time: where those of an event are rated together, less is certain"
)


class Interval(NamedTuple):
    """The ends of an interval, in whole points."""

    low: int
    high: int


class Strengths(NamedTuple):
    """Of the players whose ratings are at some distances from their starts, in points.

    `square` is the mean of the distance squared over all players, `means` and `deviations` are
    those of the distance of the strengths. Beyond the last distance, both go on as before it, but
    not steeper than `STEEPEST`: after few games, the last distances are near each other.
    """

    square: float
    distances: Numbers
    means: Numbers
    deviations: Numbers

    def mean(self, x: float) -> float:
        """Return the mean distance of the strengths from the start."""
        return math.copysign(self._go_on(abs(x), self.means, STEEPEST[0]), x)

    def deviation(self, x: float) -> float:
        """Return the standard deviation about the mean."""
        return WIDER * self._go_on(abs(x), self.deviations, STEEPEST[1])

    def _go_on(self, x: float, values: Numbers, steepest: float) -> float:
        inner, beyond = np.interp(x, self.distances, values), x - self.distances[-1]
        if beyond <= 0:
            return float(inner)
        rise, run = values[-1] - values[-2], self.distances[-1] - self.distances[-2]
        slope = min(max(rise, 0) / run, steepest) if run else steepest
        return float(inner + slope * beyond)


def interval_of(
    system: RatingSystem,
    rating: int,
    games: int,
    *,
    start: int | None = None,
    spread: int = USUAL_SPREAD,
) -> Interval:
    """Return the interval of a rating in milli after this many rated games.

    `start` is the rating from elsewhere, in milli; None for a player without one. `spread` is that
    of the pool, in points.
    """
    found = strengths_of(system, games, spread, has_start=start is not None)
    origin = start_of(system, start)
    x = (rating - origin) / MILLI
    middle, margin = origin / MILLI + found.mean(x), QUANTILE * found.deviation(x)
    return Interval(math.floor(middle - margin), math.ceil(middle + margin))


def deviation_of(
    system: RatingSystem, rating: int, games: int, spread: int = USUAL_SPREAD
) -> float:
    """Return the standard deviation of the strength at a rating, in milli."""
    x = (rating - start_of(system, None)) / MILLI
    return strengths_of(system, games, spread, has_start=False).deviation(x) * MILLI


def start_of(system: RatingSystem, seed: int | None) -> int:
    """Return the rating in milli from which a player starts; `seed` is that from elsewhere."""
    if seed is not None:
        return seed
    return system.start * MILLI if isinstance(system, Elo) else HYPOTHETICAL_RATING


def estimate_spread(system: RatingSystem, groups: Iterable[tuple[int, int, float]]) -> int:
    """Return the spread of a pool.

    `groups` are its players by the number of games: this number, how many they are, and the sum of
    the squares of the distances of their ratings from their starts, in points.
    """
    found = [(games, players, squares) for games, players, squares in groups if games]
    counts = [(games, players) for games, players, _ in found]
    counts.append((GAMES[7] if not found else found[len(found) // 2][0], 0))
    total = sum(squares for *_, squares in found)
    expected = []
    for spread in SPREADS:
        squares = [strengths_of(system, games, spread).square for games, _ in counts]
        usual = strengths_of(system, counts[-1][0], USUAL_SPREAD).square
        sums = sum(square * n for square, (_, n) in zip(squares, counts, strict=True))
        expected.append(sums + USUAL_PLAYERS * (squares[-1] - usual))
    return round(float(np.interp(total, expected, SPREADS)))


@cache
def strengths_of(
    system: RatingSystem, games: int, spread: int, *, has_start: bool = True
) -> Strengths:
    """Return what strengths are at the ratings after this many games, in a pool of this spread."""
    if not games:
        same = np.array([0.0, 1.0])
        return Strengths(0, same, same, np.full(2, float(spread)))
    table = _simulate(system, has_start=has_start or isinstance(system, Elo))
    place = np.interp(math.log(games), np.log(GAMES), range(len(GAMES)))
    level = np.interp(spread, SPREADS, range(len(SPREADS)))
    rows, columns = (
        int(min(at, size - 2)) for at, size in ((level, len(SPREADS)), (place, len(GAMES)))
    )
    along, across = place - columns, level - rows
    lower, upper = (
        (1 - along) * table[row, columns] + along * table[row, columns + 1]
        for row in (rows, rows + 1)
    )
    square, *rest = (1 - across) * lower + across * upper
    return Strengths(float(square), *np.split(np.array(rest), 3))


@cache
def _simulate(system: RatingSystem, *, has_start: bool) -> Numbers:
    """Return the values of `Strengths`, one after another, by spread and by number of games."""
    return np.array([_simulate_pool(system, spread, has_start=has_start) for spread in SPREADS])


def _simulate_pool(system: RatingSystem, spread: int, *, has_start: bool) -> list[Numbers]:
    random = np.random.default_rng(spread)
    strengths = spread * random.standard_normal(SIMULATED_PLAYERS)
    ratings, played = np.zeros(SIMULATED_PLAYERS), 0
    rows: list[Numbers] = []
    if not has_start:
        ratings, played = _first_ratings(random, strengths), INITIAL_GAMES
        rows = [_fit(ratings, strengths)] * sum(games <= played for games in GAMES)
    while played < GAMES[-1]:
        order = random.permutation(SIMULATED_PLAYERS)
        first, second = order[::2], order[1::2]
        wins = random.random(len(first)) < _expect(strengths[first] - strengths[second])
        change = k_after(system, played) * (wins - _expect(ratings[first] - ratings[second]))
        ratings[first] += change
        ratings[second] -= change
        played += 1
        if played in GAMES:
            rows.append(_fit(ratings, strengths))
    return rows


def _first_ratings(random: np.random.Generator, strengths: Numbers) -> Numbers:
    """Return FIDE's first ratings after five games, about those of the hypothetical opponents."""
    opponents = random.choice(strengths, (INITIAL_GAMES, len(strengths)))
    wins = random.random(opponents.shape) < _expect(strengths - opponents)
    games = INITIAL_GAMES + HYPOTHETICAL_GAMES
    percent = np.rint(100 * (wins.sum(0) + HYPOTHETICAL_GAMES / 2) / games).astype(int)
    table = np.array([-value for value in DIFFERENCE_OF_SCORE[:0:-1]] + [*DIFFERENCE_OF_SCORE])
    first: Numbers = opponents.sum(0) / games + table[percent]
    return first


def _fit(ratings: Numbers, strengths: Numbers) -> Numbers:
    """Return the values of `Strengths`, one after another, by least squares."""
    x, y = np.abs(ratings), (strengths - np.mean(strengths)) * np.sign(ratings)
    # After few games, many players are at the same distance.
    distances, places = np.unique([0, *np.quantile(x, QUANTILES[1:])], return_inverse=True)
    shares = np.stack([np.interp(x, distances, row) for row in np.eye(len(distances))], 1)
    y = y - np.maximum(x - distances[-1], 0)
    products = shares.T @ shares
    means = np.zeros_like(distances)
    means[1:], *_ = np.linalg.lstsq(products[1:, 1:], shares[:, 1:].T @ y)
    means = np.maximum.accumulate(means)
    squares = (y - shares @ means) ** 2
    # At each distance, some players more who have the mean variance: there may be few others.
    more, usual = USUAL_PLAYERS * np.eye(len(distances)), USUAL_PLAYERS * np.mean(squares)
    variances = np.linalg.solve(products + more, shares.T @ squares + usual)
    deviations = np.sqrt(np.maximum(variances, np.mean(squares) / 4))
    return np.concatenate([[np.mean(x**2)], distances[places], means[places], deviations[places]])


def k_after(system: RatingSystem, games: int) -> float:
    """Return K in points of a player with this many rated games."""
    if isinstance(system, Elo):
        return system.k(games) / MILLI
    rule = find_k_rule(HYPOTHETICAL_RATING, games, has_reached_2400=False, is_junior=False)
    return K_OF_RULE[rule]


def _expect(difference: Numbers) -> Numbers:
    expected: Numbers = 1 / (1 + np.exp(-PER_POINT * difference))
    return expected
