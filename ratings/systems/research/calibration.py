"""Estimate the values of handicaps from the results of rated games.

The model of a game, from its first seat's point of view, in rating points:

    P(win) = E(slope x d + the values of the conditions)      E as in elo.py, before rounding

d is the difference of the ratings before the game. These are themselves estimates, and players
receive the handicap that their rating calls for, so handicap games look even whatever handicaps are
worth. Two corrections take the error of the ratings into account:

- The slope is estimated together with the values, and the games without handicap determine it. It
  is below 1 where large differences are partly error, and above 1 where ratings have not yet moved
  as far from their start as the strengths are apart, as with a small K and few games.
- What remains uncertain of the true difference has the variance slope x v, which flattens E: its
  argument is divided by sqrt(1 + pi/8 x variance) on the logistic scale (MacKay, 1992). v is the
  sum of the variances of both ratings, and that of an Elo rating in equilibrium is
  K x 200 / ln 10 points squared.

Intervals contain the value with a probability of 95 %. The games of one player share the error of
their rating, so the standard error is the larger one of that of the model and of one that is robust
to dependence between games with a common player (Aronow, Samii and Assenova, 2015); the latter is
computed by leaving out each player in turn.

The values are estimates in floating point. They change no rating until a person adopts them as a
new table. The report shows them beside the table in force.
"""

import math
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any, Final, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.rules.text import Text
from ratings.systems.elo import MILLI, MILLION, RatingError
from ratings.systems.handicap import HandicapTable
from ratings.systems.intervals import QUANTILE

ESTIMATED_VALUES: Final = tuple(field.name for field in fields(HandicapTable))
LEAST_CALIBRATION_GAMES = 30
"""A value that fewer games have is not estimated; it remains that of the table."""

PER_POINT = math.log(10) / 400
VARIANCE_OF_K: Final = 200 / math.log(10)
MAX_STEPS = 50
CALIBRATION_PRECISION = 1e-7
LARGEST_VALUE = 2_000
TOO_FEW = Text("the games do not determine the values; more games are needed")

Numbers: TypeAlias = NDArray[np.float64]
Players: TypeAlias = NDArray[np.int64]


class NotEstimable(RatingError):
    """The games do not determine the values."""


class CalibrationGame(NamedTuple):
    """A rated game: its players, the ratings and K before it in milli, its first seat's score.

    `amounts` are how often its conditions contain each of `ESTIMATED_VALUES` for the first seat.
    """

    first: int
    second: int
    first_rating: int
    second_rating: int
    first_k: int
    second_k: int
    amounts: tuple[float, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated number with its interval of 95 %, and the number of games that have it.

    The numbers are None if there are too few games.
    """

    name: str
    games: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """The estimates of the slope and of each value, in points."""

    slope: Estimate
    values: tuple[Estimate, ...]


def calibrate(games: Collection[CalibrationGame], table: HandicapTable) -> Calibration:
    """Return the values that explain the results best; raises NotEstimable.

    The values that too few games have are those of `table`.
    """
    if len(games) < LEAST_CALIBRATION_GAMES:
        raise NotEstimable(
            Text(
                "%(count)s games; at least %(least)s are needed",
                count=len(games),
                least=LEAST_CALIBRATION_GAMES,
            )
        )
    columns = list(zip(*games, strict=True))
    first, second = (np.array(column, np.int64) for column in columns[:2])
    ratings, opponents, k, opponent_k, score = (
        np.array(column, np.float64) for column in (*columns[2:6], columns[7])
    )
    amounts = np.array(columns[6], np.float64)
    difference = (ratings - opponents) / MILLI
    variance = (k + opponent_k) / MILLI * VARIANCE_OF_K

    counts = np.count_nonzero(amounts, axis=0)
    is_estimated = counts >= LEAST_CALIBRATION_GAMES
    values_of_table = np.array(astuple(table), np.float64)
    offset = amounts[:, ~is_estimated] @ values_of_table[~is_estimated]
    start = np.concatenate([[1.0], values_of_table[is_estimated]])
    design = np.column_stack([difference, amounts[:, is_estimated]])
    fit = _fit(start, design, offset, variance, score / MILLION)
    errors = fit.standard_errors(first, second)

    found = [
        (value, value - QUANTILE * error, value + QUANTILE * error)
        for value, error in zip(fit.parameters.tolist(), errors.tolist(), strict=True)
    ]
    slope = Estimate("slope", len(games), *found[0])
    estimated = iter(found[1:])
    values = tuple(
        Estimate(name, count, *(next(estimated) if enough else ()))
        for name, count, enough in zip(
            ESTIMATED_VALUES, counts.tolist(), is_estimated.tolist(), strict=True
        )
    )
    return Calibration(slope, values)


@dataclass(frozen=True, slots=True)
class _Fit:
    parameters: Numbers
    design: Numbers
    scale: Numbers
    expected: Numbers
    residual: Numbers
    likelihood: float

    @classmethod
    def at(
        cls, parameters: Numbers, design: Numbers, offset: Numbers, scale: Numbers, score: Numbers
    ) -> Self:
        """Return the fit with these parameters."""
        odds = scale * (design @ parameters + offset)
        expected = np.exp(-np.logaddexp(0, -odds))
        likelihood = float(np.sum(score * odds - np.logaddexp(0, odds)))
        return cls(parameters, design, scale, expected, score - expected, likelihood)

    def information(self) -> Numbers:
        """Return the information matrix of the parameters."""
        scaled = self.design * self.scale[:, None]
        information: Numbers = scaled.T @ (scaled * self._weights()[:, None])
        return information

    def standard_errors(self, first: Players, second: Players) -> Numbers:
        """Return the larger one of the two standard errors of each parameter.

        Raises NotEstimable if a value is determined by the games of one player alone.
        """
        information = self.information()
        inverse = np.linalg.inv(information)
        scores = self.design * (self.scale * self.residual)[:, None]
        pairs = np.minimum(first, second) * (max(first.max(), second.max()) + 1)
        of_pairs = _sums(scores.T, pairs + np.maximum(first, second)) @ inverse
        try:
            without = self._changes_without_players(information, scores, first, second)
        except np.linalg.LinAlgError:
            raise NotEstimable(TOO_FEW) from None
        robust = np.sum(without**2, axis=0) - np.sum(of_pairs**2, axis=0)
        errors: Numbers = np.sqrt(np.maximum(robust, np.diagonal(inverse)))
        return errors

    def _changes_without_players(
        self, information: Numbers, scores: Numbers, first: Players, second: Players
    ) -> Numbers:
        """Return by how much the parameters change without the games of each player.

        One step of Newton's method is enough. It replaces the sums of the scores, which are too
        small for players with much influence.
        """
        size = len(information)
        weights = self._weights() * self.scale**2
        products = (
            weights * self.design[:, row] * self.design[:, column]
            for row in range(size)
            for column in range(size)
        )
        own = _sums(products, first, second).reshape(-1, size, size)
        totals = _sums(scores.T, first, second)
        changes = np.linalg.solve(information - own, totals[:, :, None])[:, :, 0]
        return np.asarray(changes, np.float64)

    def _weights(self) -> Numbers:
        """Return the variances of the scores."""
        weights: Numbers = self.expected * (1 - self.expected)
        return weights


def _fit(
    start: Numbers, design: Numbers, offset: Numbers, variance: Numbers, score: Numbers
) -> _Fit:
    """Return the parameters of the largest likelihood; `start` are parameters near it."""
    parameters = start
    for _ in range(MAX_STEPS):
        slope = min(max(parameters[0], 0), 1)
        scale = PER_POINT / np.sqrt(1 + math.pi / 8 * PER_POINT**2 * slope * variance)
        fit = _fit_scaled(_Fit.at(parameters, design, offset, scale, score), offset, score)
        if np.all(np.abs(fit.parameters - parameters) < CALIBRATION_PRECISION):
            return fit
        parameters = fit.parameters
    raise NotEstimable(TOO_FEW)


def _fit_scaled(fit: _Fit, offset: Numbers, score: Numbers) -> _Fit:
    """Return the fit of the largest likelihood by Newton's method; the scale does not change."""
    for _ in range(MAX_STEPS):
        try:
            step = np.linalg.solve(fit.information(), fit.design.T @ (fit.scale * fit.residual))
        except np.linalg.LinAlgError:
            break
        if np.all(np.abs(step) < CALIBRATION_PRECISION):
            return fit
        for _ in range(MAX_STEPS):
            new = _Fit.at(fit.parameters + step, fit.design, offset, fit.scale, score)
            if new.likelihood > fit.likelihood - CALIBRATION_PRECISION:
                break
            step = step / 2
        fit = new
        if not np.all(np.abs(fit.parameters) < LARGEST_VALUE):
            break
    raise NotEstimable(TOO_FEW)


def _sums(columns: Iterable[Numbers], *numbers: Players) -> Numbers:
    """Return the sums of the columns for each number; a game has one or two of them."""
    distinct, places = np.unique(np.concatenate(numbers), return_inverse=True)
    each = places.reshape(len(numbers), -1)
    return np.column_stack(
        [sum(np.bincount(place, column, len(distinct)) for place in each) for column in columns]
    )


MOST_CALIBRATION_GAMES: Final = 200_000
"""The last games that are used; they bound the memory and are more than enough."""

CALIBRATION_COLUMNS = ("name", "games", "table", "estimate", "low", "high")
CALIBRATION_NOTE = (
    "The values of table v1 are the project's priors, not measurements. The estimates change no "
    f"rating. They are computed from the last {MOST_CALIBRATION_GAMES} games of players whose "
    "ratings are settled. Intervals contain the value with a probability of 95 %."
)


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """Estimates from the games of a pool, beside the values of its table."""

    table: str
    games: int
    slope: Estimate
    values: tuple[tuple[int, Estimate], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON; values in rating points."""
        names = CALIBRATION_COLUMNS[:2] + CALIBRATION_COLUMNS[3:]
        return {
            "table": self.table,
            "games": self.games,
            "note": CALIBRATION_NOTE,
            "slope": dict(zip(names, _rounded(self.slope), strict=True)),
            "values": [dict(zip(CALIBRATION_COLUMNS, row, strict=True)) for row in self._rows()],
        }

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for in_force, estimate in self.values:
            name, games, *numbers = _rounded(estimate)
            yield name, games, in_force, *numbers


def report_rows(report: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """Yield the header, the slope, and a row for each value; what is not estimated is None."""
    yield CALIBRATION_COLUMNS
    for row in ({**report["slope"], "table": 1}, *report["values"]):
        yield [row[name] for name in CALIBRATION_COLUMNS]


def make_report(
    version: str, table: HandicapTable, games: Iterable[CalibrationGame]
) -> CalibrationReport:
    """Return the report for games, beside the values of the table of this version.

    Only the last `MOST_CALIBRATION_GAMES` are used. Raises NotEstimable.
    """
    used = deque(games, maxlen=MOST_CALIBRATION_GAMES)
    found = calibrate(used, table)
    in_force = asdict(table)
    return CalibrationReport(
        version,
        len(used),
        found.slope,
        tuple((in_force[estimate.name], estimate) for estimate in found.values),
    )


def _rounded(estimate: Estimate) -> tuple[Any, ...]:
    numbers = (estimate.value, estimate.low, estimate.high)
    rounded = (None if number is None else round(number, 3) for number in numbers)
    return estimate.name, estimate.games, *rounded
