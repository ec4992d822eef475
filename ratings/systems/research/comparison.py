"""Compare rating systems by how well they predict the next game.

All systems are compared over the same games, those which each of them predicts. The first system is
the reference: the difference is the mean log-loss of a system less that of the reference, with an
interval of 95 % in which the games of a batch depend on each other, because they are predicted from
the same ratings. Below zero, a system predicts better than the reference.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from games.rules.text import Text
from ratings.systems.elo import MILLION, RatingError
from ratings.systems.history import Column
from ratings.systems.reliability import QUANTILE
from ratings.systems.research.prediction_scores import (
    Numbers,
    PredictionScores,
    log_losses,
    score_predictions,
)
from ratings.systems.research.shadow import Predict
from ratings.systems.research.shadow_games import ShadowGames

COMPARISON_COLUMNS: Final = (
    "system", "games", "log_loss", "accuracy", "calibration_error", "difference", "low", "high",
)  # fmt: skip
COMPARISON_NOTE: Final = (
    "Each system predicts each game from the results before its batch. The difference is that of "
    "the log-loss to the first system, with an interval of 95 %; below zero is better. The "
    "comparison changes no rating."
)


class NoCommonGames(RatingError):
    """There is no game that each of the systems predicts."""


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """A system's scores, and the difference of its log-loss to the reference with its interval.

    The interval is None if there are fewer than two batches.
    """

    name: str
    scores: PredictionScores
    difference: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The systems in the given order, over the games that each of them predicts."""

    systems: tuple[ComparedSystem, ...]
    games: int
    left_out: int

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as JSON."""
        return {
            "games": self.games,
            "left_out": self.left_out,
            "note": COMPARISON_NOTE,
            "systems": [
                dict(zip(COMPARISON_COLUMNS, row, strict=True))
                | {"groups": [_rounded(asdict(group)) for group in system.scores.groups]}
                for row, system in zip(self._rows(), self.systems, strict=True)
            ],
        }

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield the header and a row for each system; what is not known is empty."""
        yield COMPARISON_COLUMNS
        for row in self._rows():
            yield ["" if cell is None else cell for cell in row]

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for system in self.systems:
            scores = system.scores
            numbers = {
                "log_loss": scores.log_loss,
                "accuracy": None if np.isnan(scores.accuracy) else scores.accuracy,
                "calibration_error": scores.calibration_error,
                "difference": system.difference,
                "low": system.low,
                "high": system.high,
            }
            yield system.name, scores.games, *_rounded(numbers).values()


def compare(systems: Mapping[str, Predict], games: ShadowGames) -> Comparison:
    """Return how well each system predicts the games; raises NoCommonGames."""
    predictions = {name: predict(games) for name, predict in systems.items()}
    is_predicted = ~np.isnan(np.array([*predictions.values()])).any(axis=0)
    count = int(np.count_nonzero(is_predicted))
    if not count:
        raise NoCommonGames(
            Text(
                "there is no game that each of the systems predicts; fide-2024 "
                "predicts only games between players with a rating"
            )
        )
    scores = games.columns.scores[is_predicted] / MILLION
    batches = np.searchsorted(games.columns.ends, np.flatnonzero(is_predicted), side="right")

    compared = []
    reference: Numbers | None = None
    for name, predicted in predictions.items():
        expected = predicted[is_predicted]
        losses = log_losses(expected, scores)
        reference = losses if reference is None else reference
        difference = losses - reference
        radius = _radius(difference, batches)
        mean = float(difference.mean())
        interval: tuple[float | None, float | None] = (None, None)
        if radius is not None:
            interval = mean - radius, mean + radius
        compared.append(ComparedSystem(name, score_predictions(expected, scores), mean, *interval))
    return Comparison(tuple(compared), count, len(is_predicted) - count)


def _radius(differences: Numbers, batches: Column) -> float | None:
    """Return half of the interval of the mean of differences that depend on each other in batches.

    None if there is only one batch.
    """
    _, places = np.unique(batches, return_inverse=True)
    sums = np.bincount(places, differences - differences.mean())
    if len(sums) < 2:
        return None
    correction = len(sums) / (len(sums) - 1)
    return QUANTILE * float(np.sqrt(correction * np.sum(sums**2))) / len(differences)


def _rounded(numbers: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if value is None else round(value, 6) for name, value in numbers.items()}
