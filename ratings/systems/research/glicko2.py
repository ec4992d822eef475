"""Glicko-2 in shadow (Glickman, 2013: Example of the Glicko-2 system, glicko.net).

A player has a mean, a deviation (the standard deviation of the mean) and a volatility (how much
their strength varies), on Glicko-2's scale, where a point is ln(10) / 400. The letters of the paper
are mu, phi and sigma. A handicap moves the mean of the opponent.

Each batch is a rating period of its players. In the paper a period has a fixed length, and the
deviation of a player is widened once in each, with games (step 6) or without them. Here this length
is 30 days: a batch widens the deviation by the time since the last one, up to that length within
step 6 and beyond it before the batch. So a player with a batch every 30 days has the deviations of
the paper, and several batches in a month do not widen it more than once.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from ratings.systems.elo import MILLI, MILLION
from ratings.systems.research.prediction_scores import Numbers
from ratings.systems.research.shadow_games import START, ShadowGames, batches_of

TAU: Final = 0.5
"""How much the volatility changes; the paper advises 0.3 to 1.2."""
POINT: Final = math.log(10) / 400
FIRST_DEVIATION: Final = 350 * POINT
FIRST_VOLATILITY: Final = 0.06
PRECISION: Final = 1e-6
PERIOD_DAYS: Final = 30


class GlickoState(NamedTuple):
    """A player between two periods."""

    mean: float
    deviation: float = FIRST_DEVIATION
    volatility: float = FIRST_VOLATILITY

    def after(self, days: int) -> "GlickoState":
        """Return the state after some days without a game; it is never less certain than new."""
        variance = self.deviation**2 + self.volatility**2 * days / PERIOD_DAYS
        return self._replace(deviation=min(math.sqrt(variance), FIRST_DEVIATION))

    def at_period(self, days: int) -> "GlickoState":
        """Return the state at the start of a period with games, so many days after the last one."""
        return self.after(max(days - PERIOD_DAYS, 0))


class GlickoResult(NamedTuple):
    """A game of a player: the mean and the deviation of the opponent, and the score from 0 to 1."""

    mean: float
    deviation: float
    score: float


def rate_period(
    player: GlickoState, results: Sequence[GlickoResult], periods: float = 1
) -> GlickoState:
    """Return the state of a player after the games of a period (steps 3 to 7).

    `periods` is how much of a rating period has passed since the last one of the player, up to 1.
    """
    information = surplus = 0.0
    for mean, deviation, score in results:
        weight = _weight(deviation)
        expected = _logistic(weight * (player.mean - mean))
        information += weight**2 * expected * (1 - expected)
        surplus += weight * (score - expected)
    variance = 1 / max(information, 1e-12)  # a certain result says nothing
    volatility = _find_volatility(player, variance * surplus, variance)
    before = player.deviation**2 + volatility**2 * periods
    deviation = 1 / math.sqrt(1 / before + 1 / variance)
    return GlickoState(player.mean + deviation**2 * surplus, deviation, volatility)


def expect(first: GlickoState, second: GlickoState, part: float = 0.0) -> float:
    """Return the expected score of the first player, who has a handicap of `part`.

    Both deviations make it less certain, as in the Glicko system (Glickman, 1999).
    """
    weight = _weight(math.hypot(first.deviation, second.deviation))
    return _logistic(weight * (first.mean + part - second.mean))


def rate_after(player: GlickoState, results: Sequence[GlickoResult], days: int) -> GlickoState:
    """Return the state after the games of a period that begins so many days after the last one."""
    return rate_period(player.at_period(days), results, min(days / PERIOD_DAYS, 1))


def predict_glicko2(games: ShadowGames) -> Numbers:
    """Return the expected score of each first seat before its batch."""
    players = [
        GlickoState(((START if start is None else start) - START) / MILLI * POINT)
        for start in games.starts
    ]
    last = [0] * len(players)
    expected: list[float] = []
    for day, batch in batches_of(games):
        now = date.fromisoformat(day).toordinal()
        passed = {
            player: max(now - last[player], 0) if last[player] else PERIOD_DAYS
            for first, second, _, _ in batch
            for player in (first, second)
        }
        states = {player: players[player].at_period(days) for player, days in passed.items()}
        results: dict[int, list[GlickoResult]] = defaultdict(list)
        for first, second, score, milli in batch:
            part, points = milli / MILLI * POINT, score / MILLION
            own, other = states[first], states[second]
            expected.append(expect(own, other, part))
            results[first].append(GlickoResult(other.mean - part, other.deviation, points))
            results[second].append(GlickoResult(own.mean + part, own.deviation, 1 - points))
        for player, own_results in results.items():
            players[player] = rate_after(players[player], own_results, passed[player])
            last[player] = now
    return np.array(expected)


def _find_volatility(player: GlickoState, change: float, variance: float) -> float:
    """Return the new volatility, the zero of f by the Illinois method (step 5)."""
    start = math.log(player.volatility**2)
    deviation = player.deviation**2

    def f(x: float) -> float:
        total = deviation + variance + math.exp(x)
        return math.exp(x) * (change**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low = start
    if change**2 > deviation + variance:
        high = math.log(change**2 - deviation - variance)
    else:
        high = next(x for x in _below(start) if f(x) >= 0)
    at_low, at_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


def _below(start: float) -> Iterator[float]:
    x = start
    while True:
        x -= TAU
        yield x


def _weight(deviation: float) -> float:
    """Return g of the paper: how much a game counts if the opponent's rating is uncertain."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))
