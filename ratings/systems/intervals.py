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

The games of an event are rated together, which moves ratings further from their start than the same
games one at a time. So there is a simulation for each number of games at once (`SIZES`), and
values between them are interpolated. The events of one player can differ in size, and the first
ones count most where K falls fast. Their `Sizes` are two means, of K and of a high power of K as
the weights; the interval contains those of both.

Strengths do not change in these simulations. The rating of a player who improves by `TREND` points
with each game is behind by a lag, which the upper end makes room for: it is at the hypotenuse of
the deviation and the lag. A lag grows by `TREND` with each game and loses what the game makes up
for, K times the `SLOPE` of the expected score.

`make bench ONLY=intervals` simulates other pools, in which players improve or drift, and counts how
many strengths the intervals contain. A rating from elsewhere is the start of its player; in FIDE's
system, others start from their first rating, which is drawn towards 1800.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
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
    MAX_K_TIMES_GAMES,
    find_k_rule,
)
from ratings.systems.presets import USUAL_SPREAD, RatingSystem

QUANTILE: Final = 1.959964
"""Of the normal distribution, for intervals of 95 %."""

Numbers = NDArray[Any]

USUAL_PLAYERS: Final = 10
"""How many players with the usual spread are added to those of a pool in its estimate."""
SPREADS: Final = (50, 100, 150, 200, 250, 300, 350, 400, 450)
GAMES: Final = (1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224)
"""The spreads and numbers of games that are simulated; between them, values are interpolated."""
PROVISIONAL_BELOW: Final = 10
"""With fewer games, a rating is near its start whatever the strength is, and has no interval."""
SIZES: Final = (1, 2, 3, 5, 9, 15)
"""The numbers of games rated together that are simulated; more of them have no interval."""
EARLY: Final = 8
"""The power of K that weighs the games in the second mean of their sizes."""
SIMULATED_PLAYERS: Final = 8_000
QUANTILES: Final = (0, 0.3, 0.55, 0.75, 0.88, 0.95, 0.985, 0.998)
"""Those of the distances of ratings from their start, between which strengths are interpolated."""
STEEPEST: Final = (2, 0.3)
"""How much the mean strength and the deviation rise at most with a rating beyond these."""
PER_POINT = math.log(10) / 400
TREND: Final = 2
"""How many points the strength of a player who improves gains with each game."""
SLOPE: Final = 0.2 * PER_POINT
"""How fast expected scores rise with the rating, for a favourite who expects 0.72."""

INTERVAL_METHOD: Final = gettext_noop(
    "with a probability of 95 % the strength is in the interval: simulated players with this"
    " rating after this number of games, with as many of them rated together, in a pool whose"
    " strengths are as far apart as the ratings say; its upper end makes room for a strength that"
    " rises by 2 points with each game; it assumes opponents from all of the pool; there is none"
    " where more than 15 games are rated together"
)

METHOD_OF_SINGLE_GAMES: Final = gettext_noop(
    "with a probability of 95 % the strength is in the interval: simulated players with this"
    " rating after this number of games, in a pool whose strengths are as far apart as the ratings"
    " say; its upper end makes room for a strength that rises by 2 points with each game; it"
    " assumes opponents from all of the pool, and games that are rated one at a time: where those"
    " of an event were rated together, less is certain"
)
"""Of a list that does not say how many games were rated together (`ListedRating`)."""


class Interval(NamedTuple):
    """The ends of an interval, in whole points."""

    low: int
    high: int


class Sizes(NamedTuple):
    """How many games of a player are rated together: two means, the smaller one first."""

    least: float
    most: float


ONE_AT_A_TIME: Final = Sizes(1.0, 1.0)


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
        return self._go_on(abs(x), self.deviations, STEEPEST[1])

    def _go_on(self, x: float, values: Numbers, steepest: float) -> float:
        inner, beyond = np.interp(x, self.distances, values), x - self.distances[-1]
        if beyond <= 0:
            return float(inner)
        rise, run = values[-1] - values[-2], self.distances[-1] - self.distances[-2]
        slope = min(max(rise, 0) / run, steepest) if run else steepest
        return float(inner + slope * beyond)


def sizes_of(batches: Iterable[tuple[int, int, int]]) -> Sizes:
    """Return the sizes of the batches of a player, rounded to tenths.

    Of each batch, these are its period (those of one period are rated together), K in milli and
    the number of games. Games with a K of zero, before a first rating, do not count.
    """
    games: Counter[int] = Counter()
    weights: dict[int, int] = {}
    for period, k, count in batches:
        if k:
            games[period] += count
            weights[period] = k
    if not games:
        return ONE_AT_A_TIME
    found = []
    for power in (1, EARLY):
        total = sum(count * weights[period] ** power for period, count in games.items())
        squares = sum(count**2 * weights[period] ** power for period, count in games.items())
        found.append((10 * squares + total // 2) // total / 10)
    return Sizes(*sorted(found))


def interval_of(
    system: RatingSystem,
    rating: int,
    games: int,
    *,
    start: int | None = None,
    spread: int = USUAL_SPREAD,
    sizes: Sizes = ONE_AT_A_TIME,
) -> Interval | None:
    """Return the interval of a rating in milli after this many rated games.

    `start` is the rating before the first game, in milli; None for a player who had none. `spread`
    is that of the pool, in points. None if more games were rated together than are simulated.
    """
    if sizes.most > SIZES[-1]:
        return None
    origin = start_of(system, start)
    x, lag = (rating - origin) / MILLI, lag_of(system, games)
    lows, highs = [], []
    for size in {*sizes}:
        found = strengths_of(system, games, spread, size, has_start=start is not None)
        middle, deviation = origin / MILLI + found.mean(x), found.deviation(x)
        lows.append(math.floor(middle - QUANTILE * deviation))
        highs.append(math.ceil(middle + QUANTILE * math.hypot(deviation, lag)))
    return Interval(min(lows), max(highs))


def deviation_of(
    system: RatingSystem,
    rating: int,
    games: int,
    spread: int = USUAL_SPREAD,
    *,
    start: int | None = None,
    sizes: Sizes = ONE_AT_A_TIME,
) -> float:
    """Return the standard deviation of the strength at a rating, in milli.

    It is the mean of those below and above: an interval is as wide as twice `QUANTILE` times it.
    """
    x, has_start = (rating - start_of(system, start)) / MILLI, start is not None
    below = max(
        strengths_of(system, games, spread, size, has_start=has_start).deviation(x)
        for size in {*sizes}
    )
    return MILLI * (below + math.hypot(below, lag_of(system, games))) / 2


def lag_of(system: RatingSystem, games: int) -> float:
    """Return how many points the rating of a player who improves is behind, after these games.

    Nobody improves by `TREND` for more games than are simulated.
    """
    return _lags(system)[min(games, GAMES[-1])]


@cache
def _lags(system: RatingSystem) -> tuple[float, ...]:
    lags = [0.0]
    for played in range(GAMES[-1]):
        lags.append(lags[-1] * (1 - k_after(system, played) * SLOPE) + TREND)
    return tuple(lags)


def start_of(system: RatingSystem, seed: int | None) -> int:
    """Return the rating in milli from which a player starts; `seed` is that from elsewhere."""
    if seed is not None:
        return seed
    return system.start * MILLI if isinstance(system, Elo) else HYPOTHETICAL_RATING


class Group(NamedTuple):
    """The players of a pool with the same number of games.

    `squares` is the sum of the squares of the distances of their ratings from their starts, in
    points, `size` the mean number of games that were rated together.
    """

    games: int
    players: int
    squares: float
    size: float = 1


def estimate_spread(system: RatingSystem, groups: Sequence[Group]) -> int:
    """Return the spread of a pool, by its players."""
    found = [group for group in groups if group.games] or [Group(GAMES[7], 0, 0)]
    middle = found[len(found) // 2]
    total = sum(group.squares for group in found)
    usual = strengths_of(system, middle.games, USUAL_SPREAD, middle.size).square
    expected = []
    for spread in SPREADS:
        sums = sum(
            strengths_of(system, group.games, spread, group.size).square * group.players
            for group in found
        )
        more = strengths_of(system, middle.games, spread, middle.size).square - usual
        expected.append(sums + USUAL_PLAYERS * more)
    return round(float(np.interp(total, expected, SPREADS)))


@lru_cache(100_000)
def strengths_of(
    system: RatingSystem, games: int, spread: int, size: float = 1, *, has_start: bool = True
) -> Strengths:
    """Return what strengths are at the ratings after this many games, in a pool of this spread.

    `size` is the number of games that are rated together.
    """
    if not games:
        same = np.array([0.0, 1.0])
        return Strengths(0, same, same, np.full(2, float(spread)))
    has_start = has_start or isinstance(system, Elo)
    place, across = _place(math.log(size), np.log(SIZES))
    square, *rest = _strengths(system, SIZES[place], games, spread, has_start=has_start)
    if across:
        other = _strengths(system, SIZES[place + 1], games, spread, has_start=has_start)
        square, *rest = (1 - across) * np.array([square, *rest]) + across * other
    return Strengths(float(square), *np.split(np.array(rest), 3))


def _strengths(
    system: RatingSystem, size: int, games: int, spread: int, *, has_start: bool
) -> Numbers:
    """Return the values of `Strengths`, one after another."""
    played, table = _simulate(system, size, has_start=has_start)
    column, along = _place(math.log(games), np.log(played))
    row, across = _place(spread, SPREADS)
    lower, upper = (
        (1 - along) * table[at, column] + along * table[at, column + 1] for at in (row, row + 1)
    )
    values: Numbers = (1 - across) * lower + across * upper
    return values


def _place(value: float, numbers: "Sequence[float] | Numbers") -> tuple[int, float]:
    """Return the index of the number before a value, and the share of the way to the next one."""
    place = np.interp(value, numbers, range(len(numbers)))
    index = int(min(place, len(numbers) - 2))
    return index, float(place - index)


@cache
def _simulate(
    system: RatingSystem, size: int, *, has_start: bool
) -> tuple[tuple[int, ...], Numbers]:
    """Return some numbers of games, and by spread and by these the values of `Strengths`."""
    tables = [_simulate_pool(system, spread, size, has_start=has_start) for spread in SPREADS]
    return tuple(tables[0]), np.array([list(table.values()) for table in tables])


def _simulate_pool(
    system: RatingSystem, spread: int, size: int, *, has_start: bool
) -> dict[int, Numbers]:
    """Return the values of `Strengths` by the number of games, at about those of `GAMES`."""
    random = np.random.default_rng(spread)
    strengths = spread * random.standard_normal(SIMULATED_PLAYERS)
    ratings, played, half = np.zeros(SIMULATED_PLAYERS), 0, SIMULATED_PLAYERS // 2
    found: dict[int, Numbers] = {}
    if not has_start:
        ratings, played = _first_ratings(random, strengths), INITIAL_GAMES
        found[played] = _fit(ratings, strengths)
    while played < GAMES[-1]:
        k, change = k_after(system, played, size), np.zeros(SIMULATED_PLAYERS)
        for _ in range(size):
            # One half plays the other one, turned by a random number of places.
            turn = random.integers(half)
            wins = random.random(half) < _expect(strengths[:half] - np.roll(strengths[half:], turn))
            surplus = k * (wins - _expect(ratings[:half] - np.roll(ratings[half:], turn)))
            change[:half] += surplus
            change[half:] -= np.roll(surplus, -turn)
        ratings += change
        played += size
        if any(played - size < games <= played for games in GAMES):
            found[played] = _fit(ratings, strengths)
    return found


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


def k_after(system: RatingSystem, games: int, size: int = 1) -> float:
    """Return K in points of a player with this many rated games; `size` are rated together."""
    if isinstance(system, Elo):
        return system.k(games) / MILLI
    rule = find_k_rule(HYPOTHETICAL_RATING, games, has_reached_2400=False, is_junior=False)
    return min(K_OF_RULE[rule], MAX_K_TIMES_GAMES // size)


def _expect(difference: Numbers) -> Numbers:
    expected: Numbers = 1 / (1 + np.exp(-PER_POINT * difference))
    return expected
