"""Whole-history ratings in shadow (Coulom, 2008: Whole-History Rating).

A player has a rating on each day of play. All of them are estimated together from all results so
far: as those which make the results most probable, if the strength varies from day to day like a
Wiener process. A new player has, on the first day, a won and a lost game against their start.
Ratings are natural: a point is ln(10) / 400. A handicap moves the rating of the opponent.

Newton's method finds the ratings of one player while those of the others are fixed. A step takes a
time that is linear in the player's games. After each batch, its players are improved by two steps
over all their days, so all batches of a player take a time that grows with the square.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from ratings.systems.elo import MILLI, MILLION
from ratings.systems.research.prediction_scores import Numbers
from ratings.systems.research.shadow_games import START, ShadowGames, batches_of

POINT: Final = math.log(10) / 400
VARIANCE_PER_DAY: Final = 30 * POINT**2
"""Of the Wiener process: 5 points after a day, 105 after a year; a choice of this project."""
FIRST_VARIANCE: Final = 2.0
"""The variance of a rating that follows only from a won and a lost game against an equal."""
STEPS_OF_BATCH: Final = 2
MOST_STEPS: Final = 100
LONGEST_STEP: Final = 400 * POINT
PRECISION: Final = 1e-6

Results = Sequence[tuple[float, float]]
"""The games of a day: the rating of the opponent, less the own handicap, and the score."""


class Fit(NamedTuple):
    """The ratings on each day of a player, and the variance of the last of them."""

    ratings: list[float]
    variance: float


def fit_history(days: Sequence[int], results: Sequence[Results], start: float) -> Fit:
    """Return the most probable ratings of a player on these days against fixed opponents."""
    fit = Fit([start] * len(days), FIRST_VARIANCE)
    for _ in range(MOST_STEPS):
        new = improve(days, fit.ratings, results, start)
        step = max(abs(a - b) for a, b in zip(new.ratings, fit.ratings, strict=True))
        fit = new
        if step < PRECISION:
            break
    return fit


def improve(
    days: Sequence[int],
    ratings: Sequence[float],
    results: Sequence[Results],
    start: float,
    variance_per_day: float = VARIANCE_PER_DAY,
) -> Fit:
    """Return better ratings of a player by one step of Newton's method."""
    gradient, curvature = [], []
    for rating, games in zip(ratings, results, strict=True):
        surplus = information = 0.0
        for opponent, score in games:
            expected = _logistic(rating - opponent)
            surplus += score - expected
            information += expected * (1 - expected)
        gradient.append(surplus)
        curvature.append(information)
    expected = _logistic(ratings[0] - start)
    gradient[0] += 1 - 2 * expected
    curvature[0] += 2 * expected * (1 - expected)

    links = [1 / (variance_per_day * (after - before)) for before, after in pairwise(days)]
    for index, link in enumerate(links):
        pull = link * (ratings[index + 1] - ratings[index])
        gradient[index] += pull
        gradient[index + 1] -= pull
        curvature[index] += link
        curvature[index + 1] += link
    # The negative Hessian is tridiagonal: `curvature` on the diagonal, minus `links` beside it.
    for index, link in enumerate(links):
        ratio = link / curvature[index]
        curvature[index + 1] -= ratio * link
        gradient[index + 1] += ratio * gradient[index]
    steps = [gradient[-1] / curvature[-1]]
    for index in range(len(links) - 1, -1, -1):
        steps.append((gradient[index] + links[index] * steps[-1]) / curvature[index])
    limited = (max(-LONGEST_STEP, min(LONGEST_STEP, step)) for step in reversed(steps))
    new = [rating + step for rating, step in zip(ratings, limited, strict=True)]
    return Fit(new, 1 / curvature[-1])


@dataclass(slots=True)
class _Player:
    """A player with their days; a game is the opponent, the index of their day, part and score."""

    start: float
    days: list[int] = field(default_factory=list)
    ratings: list[float] = field(default_factory=list)
    games: list[list[tuple["_Player", int, float, float]]] = field(default_factory=list)
    variance: float = FIRST_VARIANCE

    def open_day(self, day: int) -> int:
        """Return the index of a day, which is new or the last."""
        if not self.days or self.days[-1] != day:
            self.ratings.append(self.ratings[-1] if self.ratings else self.start)
            self.days.append(day)
            self.games.append([])
        return len(self.days) - 1

    def predict(self, day: int) -> tuple[float, float]:
        """Return the rating on a day that is not before the last one, and its variance."""
        if not self.days:
            return self.start, FIRST_VARIANCE
        return self.ratings[-1], self.variance + VARIANCE_PER_DAY * (day - self.days[-1])

    def improve(self) -> None:
        """Improve the ratings by one step."""
        results = [
            [(other.ratings[index] - part, score) for other, index, part, score in games]
            for games in self.games
        ]
        fit = improve(self.days, self.ratings, results, self.start)
        self.ratings, self.variance = fit


def predict_whole_history(games: ShadowGames) -> Numbers:
    """Return the expected score of each first seat before its batch.

    It is the mean over the errors of both ratings (MacKay, 1992).
    """
    players = [
        _Player(((START if start is None else start) - START) / MILLI * POINT)
        for start in games.starts
    ]
    expected: list[float] = []
    for text, batch in batches_of(games):
        day = date.fromisoformat(text).toordinal()
        for first, second, _, milli in batch:
            own, own_variance = players[first].predict(day)
            other, other_variance = players[second].predict(day)
            spread = math.sqrt(1 + math.pi / 8 * (own_variance + other_variance))
            expected.append(_logistic((own + milli / MILLI * POINT - other) / spread))
        for first, second, score, milli in batch:
            one, two = players[first], players[second]
            at_one, at_two = one.open_day(day), two.open_day(day)
            part, points = milli / MILLI * POINT, score / MILLION
            one.games[at_one].append((two, at_two, part, points))
            two.games[at_two].append((one, at_one, -part, 1 - points))
        for number in sorted({player for game in batch for player in game[:2]}) * STEPS_OF_BATCH:
            players[number].improve()
    return np.array(expected)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))
