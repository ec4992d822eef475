"""Log-loss, accuracy and calibration error of expected scores."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.research.prediction_scores import PredictionScores, score_predictions


def score(*games: tuple[float, float]) -> PredictionScores:
    expected, scores = zip(*games, strict=True) if games else ((), ())
    return score_predictions(np.array(expected, float), np.array(scores, float))


@pytest.mark.parametrize(
    ("games", "log_loss", "accuracy", "calibration_error"),
    [
        # expected score and score of each game
        ([(0.5, 1.0), (0.5, 0.0)], math.log(2), 0.5, 0.0),
        ([(0.75, 1.0)], -math.log(0.75), 1.0, 0.25),
        ([(0.75, 0.0)], -math.log(0.25), 0.0, 0.75),
        ([(0.25, 0.0), (0.75, 1.0)], -math.log(0.75), 1.0, 0.25),
        ([(0.75, 1.0)] * 3 + [(0.75, 0.0)], -(3 * math.log(0.75) + math.log(0.25)) / 4, 0.75, 0.0),
        # A draw is half a win in the loss, and no game of the accuracy.
        ([(0.5, 0.5), (0.75, 1.0)], -(math.log(0.5) + math.log(0.75)) / 2, 1.0, 0.125),
        # An impossible result costs as much as one with a chance of a millionth.
        ([(1.0, 0.0)], 6 * math.log(10), 0.0, 1.0),
        ([(0.0, 0.0)], 1e-6, 1.0, 0.0),
    ],
)
def test_scores_of_predictions(
    games: list[tuple[float, float]], log_loss: float, accuracy: float, calibration_error: float
) -> None:
    found = score(*games)
    assert found.games == len(games)
    assert found.log_loss == pytest.approx(log_loss)
    assert found.accuracy == pytest.approx(accuracy)
    assert found.calibration_error == pytest.approx(calibration_error)
    assert sum(group.games for group in found.groups) == len(games)


def test_without_decided_games_there_is_no_accuracy() -> None:
    assert math.isnan(score((0.5, 0.5)).accuracy)
    assert math.isnan(score().log_loss)


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.sampled_from([0.0, 0.5, 1.0])), min_size=1))
def test_the_scores_do_not_depend_on_the_seats(games: list[tuple[float, float]]) -> None:
    found = score(*games)
    exchanged = score(*((1 - expected, 1 - result) for expected, result in games))
    assert exchanged.log_loss == pytest.approx(found.log_loss)
    assert exchanged.accuracy == pytest.approx(found.accuracy, nan_ok=True)
