"""How well expected scores predict results: log-loss, accuracy and calibration error.

    log-loss           mean of -(s ln E + (1 - s) ln (1 - E)); less is better; ln 2 = 0.693 knows
                       nothing
    accuracy           the share of the decided games that the player with the higher expected score
                       won; if the expected scores are equal, a game counts one half
    calibration error  mean distance between expected score and score over ten groups of similar
                       expected scores, weighted by their games

s is the score of the first seat and E its expected score, limited to 0.000001 .. 0.999999, because
the loss of an impossible result is infinite.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ratings.systems.reliability import Group, group_by_expected

Numbers: TypeAlias = NDArray[np.float64]

SMALLEST = 1e-6


@dataclass(frozen=True, slots=True)
class PredictionScores:
    """How well expected scores predict the results of some games; not a number without games."""

    games: int
    log_loss: float
    accuracy: float
    calibration_error: float
    groups: tuple[Group, ...]


def score_predictions(expected: Numbers, scores: Numbers) -> PredictionScores:
    """Return how well the expected scores of first seats predict their scores."""
    games = len(scores)
    groups = group_by_expected(zip(expected.tolist(), scores.tolist(), strict=True))
    is_decided = scores != 0.5
    hits = (1 + np.sign(expected - 0.5) * np.sign(scores - 0.5)) / 2
    distance = sum(group.games * abs(group.score - group.expected) for group in groups)
    return PredictionScores(
        games,
        log_loss=_mean(log_losses(expected, scores)),
        accuracy=_mean(hits[is_decided]),
        calibration_error=distance / games if games else np.nan,
        groups=groups,
    )


def log_losses(expected: Numbers, scores: Numbers) -> Numbers:
    """Return the log-loss of each game."""
    limited = np.clip(expected, SMALLEST, 1 - SMALLEST)
    losses: Numbers = -(scores * np.log(limited) + (1 - scores) * np.log1p(-limited))
    return losses


def _mean(numbers: Numbers) -> float:
    return float(numbers.mean()) if len(numbers) else np.nan
