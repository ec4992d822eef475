"""Whole-history ratings in shadow, beside those of the implementation of GoShrine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import LOSS, MILLI, WIN
from ratings.systems.history import GameColumns
from ratings.systems.research.shadow_games import ShadowGames
from ratings.systems.research.whole_history import (
    POINT,
    VARIANCE_PER_DAY,
    fit_history,
    improve,
    predict_whole_history,
)

OF_GOSHRINE = 300 * POINT**2
"""Its variance of a day."""

histories = st.lists(
    st.lists(st.tuples(st.floats(-4, 4), st.sampled_from([0, 0.5, 1])), min_size=1, max_size=5),
    min_size=1,
    max_size=8,
)


def test_the_ratings_of_another_implementation() -> None:
    """One player wins on day 1, then loses on days 2 and 3, and twice on day 4."""
    days, scores = [1, 2, 3, 4], [[1], [0], [0], [0, 0]]
    one, two = [0.0] * 4, [0.0] * 4
    for _ in range(50):
        games = [[(two[i], score) for score in day] for i, day in enumerate(scores)]
        one, variance = improve(days, one, games, 0, OF_GOSHRINE)
        games = [[(one[i], 1 - score) for score in day] for i, day in enumerate(scores)]
        two, other_variance = improve(days, two, games, 0, OF_GOSHRINE)
    assert [round(rating / POINT) for rating in one] == [-92, -94, -95, -96]
    assert [round(rating / POINT) for rating in two] == [92, 94, 95, 96]
    assert (round(variance, 2), round(other_variance, 2)) == (0.72, 0.72)


@given(histories, st.floats(-4, 4))
def test_the_fit_is_the_most_probable_history(
    results: list[list[tuple[float, float]]], start: float
) -> None:
    days = [3 * number for number in range(len(results))]
    fit = fit_history(days, results, start)
    best = probability(days, fit.ratings, results, start)
    for index in range(len(days)):
        for step in (-0.01, 0.01):
            moved = list(fit.ratings)
            moved[index] += step
            assert probability(days, moved, results, start) < best


def probability(
    days: list[int], ratings: list[float], results: list[list[tuple[float, float]]], start: float
) -> float:
    """Return the logarithm of the probability of the results and the ratings."""
    games = [
        (rating - opponent, score)
        for rating, day in zip(ratings, results, strict=True)
        for opponent, score in day
    ]
    games += [(ratings[0] - start, 1), (ratings[0] - start, 0)]
    chances = sum(
        -score * np.log1p(np.exp(-edge)) - (1 - score) * np.log1p(np.exp(edge))
        for edge, score in games
    )
    variance = VARIANCE_PER_DAY * np.diff(days)
    return float(chances - np.sum(np.diff(ratings) ** 2 / (2 * variance)))


@given(histories, st.integers(1, 60))
def test_a_step_is_that_of_newton_with_the_whole_hessian(
    results: list[list[tuple[float, float]]], gap: int
) -> None:
    """`improve` solves the tridiagonal system day by day, in a time linear in the days."""
    count = len(results)
    ratings = np.linspace(-0.3, 0.5, count)
    with_start = [[(0.1, 1.0), (0.1, 0.0), *results[0]], *results[1:]]
    gradient, hessian = np.zeros(count), np.zeros((count, count))
    for day, games in enumerate(with_start):
        for opponent, score in games:
            expected = 1 / (1 + np.exp(opponent - ratings[day]))
            gradient[day] += score - expected
            hessian[day, day] -= expected * (1 - expected)
    link = 1 / (VARIANCE_PER_DAY * gap)
    for day in range(count - 1):
        pull = link * (ratings[day + 1] - ratings[day])
        gradient[day : day + 2] += pull, -pull
        hessian[day : day + 2, day : day + 2] += [[-link, link], [link, -link]]
    step = np.clip(np.linalg.solve(hessian, -gradient), -400 * POINT, 400 * POINT)

    found = improve([gap * day for day in range(count)], ratings.tolist(), results, 0.1)

    assert found.ratings == pytest.approx((ratings + step).tolist(), abs=1e-8)
    assert found.variance == pytest.approx(np.linalg.inv(-hessian)[-1, -1])


def test_more_games_make_a_rating_more_certain() -> None:
    few, many = (fit_history([1], [[(0.0, 0.5)] * count], 0).variance for count in (1, 100))
    assert few == pytest.approx(1 / 0.75)
    assert many == pytest.approx(1 / 25.5)


def test_games_are_predicted_from_the_results_before_their_batch() -> None:
    columns = GameColumns(
        np.array([0, 1] * 3), np.array([WIN, WIN, LOSS]), np.array([0, 0, 0]), np.array([2, 3]),
    )  # fmt: skip
    days = ["2026-03-01", "2026-04-01"]
    games = ShadowGames(columns, days, [None, 1600 * MILLI], np.zeros(2, np.int64))
    first, second, third = predict_whole_history(games).tolist()
    assert first == second
    assert first < 0.5 < third
