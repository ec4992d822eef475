"""The games of one player in order, and how probable their results are for an honest player.

Ratings have errors, so an expected score is not exact. The error of the opponents flattens each
expected score (MacKay, 1992). That of the player is the same in all games of a stream: the p-value
is the mean over this error, which is normal, of the exact probability of so few or so many wins
(Poisson binomial). A draw counts in favour of the player: as a win in a stream of few points, as a
loss in one of many.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np

from ratings.systems.elo import MILLI, MILLION
from ratings.systems.research.calibration import PER_POINT
from ratings.systems.research.poisson_binomial import at_most
from ratings.systems.research.prediction_scores import Numbers

ERRORS: Final = np.arange(-8, 8.5, 0.5)
"""Errors of the player's rating in standard deviations; the mean is the trapezoidal rule's."""

WEIGHTS: Final = np.exp(-(ERRORS**2) / 2) / np.exp(-(ERRORS**2) / 2).sum()

NOTABLE: Final = 1.5
"""Standard deviations from the expected points, from which on a p-value is computed exactly."""


class FairPlayGame(NamedTuple):
    """A rated game: its number, its batch, its players, and what it was rated by.

    Ratings before the batch, their standard errors and the handicap part are in milli; the part and
    the score are those of the first seat.
    """

    game: int
    batch: int
    first: int
    second: int
    first_rating: int
    second_rating: int
    first_error: int
    second_error: int
    part: int
    score: int


class PlayedGame(NamedTuple):
    """A game of a stream, from the point of view of its player; all but numbers in milli.

    `rating` is what the player counts with. `error` is its standard error, which all games of a
    stream share, `opponent_error` that of the opponent in this game.
    """

    game: int
    batch: int
    opponent: int
    rating: float
    error: float
    opponent_rating: float
    opponent_error: float
    part: int
    score: int

    @property
    def expected(self) -> float:
        """Return the expected score by the ratings."""
        games = Columns.of([self])
        return float(games.chances(self.rating)[0])


@dataclass(frozen=True, slots=True)
class Columns:
    """Games of a player: the logarithm of the odds of a win is `base` + `slope` x their rating."""

    base: Numbers
    slope: Numbers
    score: Numbers

    @classmethod
    def of(cls, games: Sequence[PlayedGame]) -> Self:
        """Return the columns of these games."""
        offsets, errors, scores = np.array(
            [(game.part - game.opponent_rating, game.opponent_error, game.score) for game in games],
            np.float64,
        ).T
        deviations = errors / MILLI * PER_POINT
        slope = PER_POINT / MILLI / np.sqrt(1 + math.pi / 8 * deviations**2)
        return cls(offsets * slope, slope, scores / MILLION)

    def part(self, start: int, end: int) -> Self:
        """Return the columns of the games from `start` to `end`."""
        return type(self)(self.base[start:end], self.slope[start:end], self.score[start:end])

    def chances(self, rating: float | Numbers) -> Numbers:
        """Return the probability of a win in each game, with this rating in milli."""
        return _chance(self.base + self.slope * rating)

    def exchanged(self) -> Self:
        """Return the games with the results exchanged: their wins are the losses."""
        return type(self)(-self.base, -self.slope, 1 - self.score)


def seats_of(game: FairPlayGame) -> Iterator[tuple[int, PlayedGame]]:
    """Yield the player and their game, for each seat."""
    number, batch, first, second, rating, other, error, other_error, part, score = game
    yield first, PlayedGame(number, batch, second, rating, error, other, other_error, part, score)
    score = MILLION - score
    yield second, PlayedGame(number, batch, first, other, other_error, rating, error, -part, score)


def p_below(games: Columns, rating: float | Numbers, error: float) -> float:
    """Return the probability of so few points; rating and error in milli."""
    wins = np.count_nonzero(games.score)
    odds = games.base + games.slope * rating
    chances = _chance(odds[:, None] + (games.slope * error)[:, None] * ERRORS)
    return float(at_most(int(wins), chances) @ WEIGHTS)


def log_of_least(games: Columns, rating: float | Numbers) -> float:
    """Return the logarithm of the probability of losing every game."""
    return float(np.log1p(-games.chances(rating)).sum())


def is_notable(games: Columns, rating: float | Numbers, error: float) -> bool:
    """Return True if the points are `NOTABLE` standard deviations fewer than expected, or more."""
    chances = games.chances(rating)
    variances = chances * (1 - chances)
    slope = float((games.slope * variances).sum())
    deviation = math.sqrt(float(variances.sum()) + (error * slope) ** 2)
    surplus = np.count_nonzero(games.score) - float(chances.sum())
    return bool(surplus <= -NOTABLE * deviation)


def sum_up(games: Columns, ratings: Numbers) -> tuple[float, float]:
    """Return sum (S - E) and sum E (1 - E)."""
    chances = games.chances(ratings)
    return float((games.score - chances).sum()), float((chances * (1 - chances)).sum())


def _chance(odds: Numbers) -> Numbers:
    return np.exp(-np.logaddexp(0, -odds))
