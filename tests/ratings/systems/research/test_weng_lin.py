"""Weng-Lin in shadow, beside algorithm 1 of the paper written out for two players."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import DRAW, LOSS, MILLI, MILLION, WIN
from ratings.systems.history import GameColumns
from ratings.systems.research.shadow_games import ShadowGames
from ratings.systems.research.weng_lin import predict_weng_lin

pytest.importorskip("openskill")

PLAYERS = 4
BETA, TAU = 25 / 6, 25 / 300
POINT = math.log(10) / 400 * math.sqrt(2) * BETA

Game = tuple[int, int, int, int]
"""First and second player, the first seat's score, the handicap part in milli."""

games = st.tuples(
    st.integers(0, PLAYERS - 1), st.integers(0, PLAYERS - 1),
    st.sampled_from([WIN, DRAW, LOSS]), st.integers(-400_000, 400_000),
).filter(lambda game: game[0] != game[1])  # fmt: skip
batches = st.lists(st.lists(games, min_size=1, max_size=5), min_size=1, max_size=4)
starts = st.lists(st.none() | st.integers(0, 3000 * MILLI), min_size=PLAYERS, max_size=PLAYERS)


def shadow(history: list[list[Game]], known: list[int | None]) -> ShadowGames:
    rows = np.array([game for batch in history for game in batch], np.int64)
    ends = np.cumsum([len(batch) for batch in history])
    columns = GameColumns(rows[:, :2].reshape(-1), rows[:, 2], rows[:, 3], ends)
    return ShadowGames(columns, ["2026-03-01"] * len(history), known, np.zeros(PLAYERS, np.int64))


def predict(history: list[list[Game]], known: list[int | None]) -> list[float]:
    """Return the expected scores by the formulas of the paper."""
    means = [0 if start is None else (start / MILLI - 1500) * POINT for start in known]
    variances = [(25 / 3) ** 2] * PLAYERS
    expected = []
    for batch in history:
        for a, b, _, part in batch:
            c = math.sqrt(2 * BETA**2 + variances[a] + variances[b])
            difference = means[a] - means[b] + part / MILLI * POINT
            expected.append(1 / (1 + math.exp(-difference / c)))
        for a, b, score, part in batch:
            va, vb = variances[a] + TAU**2, variances[b] + TAU**2
            c = math.sqrt(2 * BETA**2 + va + vb)
            p = 1 / (1 + math.exp(-(means[a] - means[b] + part / MILLI * POINT) / c))
            surplus = score / MILLION - p
            means[a] += va / c * surplus
            means[b] -= vb / c * surplus
            variances[a] = va * max(1 - math.sqrt(va) / c * va / c**2 * p * (1 - p), 0.0001)
            variances[b] = vb * max(1 - math.sqrt(vb) / c * vb / c**2 * p * (1 - p), 0.0001)
    return expected


@given(batches, starts)
def test_the_expected_scores_are_those_of_the_paper(
    history: list[list[Game]], known: list[int | None]
) -> None:
    found = predict_weng_lin(shadow(history, known)).tolist()
    assert found == pytest.approx(predict(history, known), rel=1e-9)


def test_a_difference_between_known_players_counts_less_than_in_elo() -> None:
    """New players are uncertain: 400 points are ten to one only when both are known exactly."""
    found = predict_weng_lin(shadow([[(0, 1, WIN, 0)]], [1900 * MILLI, 1500 * MILLI, None, None]))
    assert found.tolist() == [pytest.approx(1 / (1 + 10 ** (-1 / math.sqrt(5))))]
