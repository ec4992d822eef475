"""Glicko-2 in shadow, beside the worked example of the paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import DRAW, LOSS, MILLI, WIN
from ratings.systems.history import GameColumns
from ratings.systems.research.glicko2 import (
    FIRST_DEVIATION,
    POINT,
    GlickoResult,
    GlickoState,
    expect,
    predict_glicko2,
    rate_after,
    rate_period,
)
from ratings.systems.research.shadow_games import ShadowGames

ratings = st.floats(-8, 8)
deviations = st.floats(0.05, FIRST_DEVIATION)
states = st.builds(GlickoState, ratings, deviations, st.floats(0.03, 0.12))
results = st.builds(GlickoResult, ratings, deviations, st.sampled_from([0, 0.5, 1]))


def glicko(rating: int, deviation: int) -> tuple[float, float]:
    return (rating - 1500) * POINT, deviation * POINT


def test_the_example_of_the_paper() -> None:
    opponents = [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)]
    games = [GlickoResult(*glicko(rating, rd), score) for rating, rd, score in opponents]
    after = rate_period(GlickoState(*glicko(1500, 200), 0.06), games)
    assert round(after.mean / POINT + 1500, 2) == 1464.05  # printed from rounded steps: 1464.06
    assert round(after.deviation / POINT, 2) == 151.52
    assert round(after.volatility, 5) == 0.06000  # printed: 0.05999


@given(states, st.lists(results, min_size=1, max_size=12))
def test_a_period_gives_a_state_that_is_more_certain(
    before: GlickoState, games: list[GlickoResult]
) -> None:
    after = rate_period(before, games)
    assert np.isfinite(after).all()
    assert after.deviation < np.hypot(before.deviation, after.volatility)
    surplus = rate_period(before, [game._replace(score=1) for game in games]).mean
    assert after.mean <= surplus + 1e-9


def test_time_without_games_makes_a_rating_uncertain_up_to_that_of_a_new_player() -> None:
    player = GlickoState(0, 1.0, 0.06)
    assert player.after(0) == player
    assert player.after(300).deviation == pytest.approx((1 + 10 * 0.06**2) ** 0.5)
    assert player.after(10**6).deviation == FIRST_DEVIATION


def paper(player: GlickoState, months: list[list[GlickoResult]]) -> GlickoState:
    """Return the state after months, of which those without games are step 6 alone."""
    for games in months:
        if games:
            player = rate_period(player, games)
        else:
            player = player._replace(deviation=np.hypot(player.deviation, player.volatility))
    return player


@pytest.mark.parametrize("pause", [0, 1, 4])
def test_the_drift_of_a_monthly_player_is_that_of_the_paper(pause: int) -> None:
    """It is once a month, not by time and by batch."""
    game = [GlickoResult(0, 0, 0.5)]
    player = paper(GlickoState(0), ([game] + [[]] * pause) * 60)
    own = rate_period(GlickoState(0), game)
    for _ in range(59):
        own = rate_after(own, game, 30 * (pause + 1))
    own = own.after(30 * pause)
    assert own.deviation == pytest.approx(player.deviation, rel=1e-9)


def test_batches_of_one_day_do_not_widen_the_deviation() -> None:
    start = GlickoState(0, 0.3)
    twice = rate_after(rate_after(start, [GlickoResult(0, 0, 0.5)], 0), [GlickoResult(0, 0, 1)], 0)
    assert twice.deviation < rate_after(start, [GlickoResult(0, 0, 0.5)], 0).deviation
    assert twice.deviation == pytest.approx((1 / 0.3**2 + 0.5) ** -0.5, rel=1e-2)


def test_games_are_predicted_from_the_state_before_their_batch() -> None:
    """Two draws between equal players change only the deviations; a handicap moves the mean."""
    columns = GameColumns(
        np.array([0, 1] * 4), np.array([DRAW, DRAW, WIN, LOSS]),
        np.array([0, 0, 0, 100 * MILLI]), np.array([2, 3, 4]),
    )  # fmt: skip
    days = ["2026-03-01", "2026-04-01", "2026-05-01"]
    games = ShadowGames(columns, days, [None, None], np.zeros(2, np.int64))
    found = predict_glicko2(games).tolist()
    assert found[:3] == [0.5, 0.5, 0.5]
    player = rate_period(GlickoState(0), [GlickoResult(0, FIRST_DEVIATION, 0.5)] * 2)
    opponent = GlickoResult(0, player.at_period(31).deviation, 1)
    first = rate_after(player, [opponent], 31)
    second = rate_after(player, [opponent._replace(score=0)], 31)
    assert found[3] == pytest.approx(expect(first, second, 100 * POINT))
