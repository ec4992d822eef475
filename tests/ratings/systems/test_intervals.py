"""The interval of 95 % next to a rating."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import MILLI
from ratings.systems.intervals import (
    ONE_AT_A_TIME,
    QUANTILE,
    SIZES,
    SPREADS,
    Group,
    Interval,
    Sizes,
    deviation_of,
    estimate_spread,
    interval_of,
    lag_of,
    sizes_of,
    strengths_of,
)
from ratings.systems.presets import DEFAULT, PRESETS, USUAL_SPREAD
from tests.bench.intervals import count_drifting, mean_loss, simulate


@pytest.mark.parametrize(
    ("rating", "start", "spread", "interval"),
    [
        (1500_000, None, 250, Interval(1010, 1990)),  # 1.96 x 250 = 489.99
        (1500_500, 1500_500, 250, Interval(1010, 1991)),
        (1500_000, None, 100, Interval(1304, 1696)),
        (0, 0, 250, Interval(-490, 490)),
    ],
)
def test_an_interval_has_whole_points_and_is_rounded_outwards(
    rating: int, start: int | None, spread: int, interval: Interval
) -> None:
    assert interval_of(PRESETS["decay"], rating, 0, start=start, spread=spread) == interval


@given(
    system=st.sampled_from(["decay", "fide-2024"]),
    distance=st.integers(0, 2000),
    games=st.integers(0, 2000),
    spread=st.integers(*SPREADS[:: len(SPREADS) - 1]),
)
def test_an_interval_is_as_wide_as_far_above_the_start_as_below(
    system: str, distance: int, games: int, spread: int
) -> None:
    preset, more = PRESETS[system], {"start": 2000 * MILLI, "spread": spread}
    above = interval_of(preset, (2000 + distance) * MILLI, games, **more)
    below = interval_of(preset, (2000 - distance) * MILLI, games, **more)
    assert above.low < above.high
    assert abs((above.high - above.low) - (below.high - below.low)) <= 1


@pytest.mark.parametrize("system", ["floor", "settling", "decay", "fixed"])
def test_the_lower_end_nears_the_rating_with_the_games(system: str) -> None:
    games = (0, 5, 20, 60, 200)
    found = [interval_of(PRESETS[system], 1500 * MILLI, number).low for number in games]
    assert found == sorted(found)
    assert found[-1] > 1370


def test_the_upper_end_is_at_the_hypotenuse_of_deviation_and_lag() -> None:
    """With K = 24, a game makes up for 2.76 % of the lag."""
    fixed, up = PRESETS["fixed"], 24 * 0.2 * math.log(10) / 400
    lags = [lag_of(fixed, games) for games in (0, 1, 2, 3, 1000)]
    assert lags == pytest.approx([0, 2, 4 - 2 * up, 6 - 6 * up + 2 * up**2, 2 / up], rel=2e-3)

    below = strengths_of(fixed, 1000, USUAL_SPREAD).deviation(0)
    above = math.hypot(below, lags[-1])
    low, high = math.floor(1500 - QUANTILE * below), math.ceil(1500 + QUANTILE * above)
    assert interval_of(fixed, 1500 * MILLI, 1000) == Interval(low, high)
    assert deviation_of(fixed, 1500 * MILLI, 1000) == pytest.approx(MILLI * (below + above) / 2)


@pytest.mark.parametrize("spread", [100, 225, 400])
def test_the_spread_of_a_pool_is_found(spread: int) -> None:
    system = PRESETS["decay"]
    groups = [
        Group(games, 200, 200 * strengths_of(system, games, spread, size).square, size)
        for games, size in ((7, 1), (30, 4), (90, 9))
    ]
    assert abs(estimate_spread(system, groups) - spread) <= 10
    assert estimate_spread(system, []) == USUAL_SPREAD
    assert estimate_spread(system, [Group(0, 50, 0.0)]) == USUAL_SPREAD


@pytest.mark.parametrize(
    ("system", "deviation"),
    [
        pytest.param("floor", 350, marks=pytest.mark.long),
        pytest.param("floor", 150, marks=pytest.mark.long),
        pytest.param("settling", 150, marks=pytest.mark.long),
        pytest.param("decay", 150, marks=pytest.mark.long),
        pytest.param("fixed", 350, marks=pytest.mark.long),
        pytest.param("fide-2024", 350, marks=pytest.mark.long),
    ],
)
def test_the_intervals_contain_as_many_strengths_as_they_say(system: str, deviation: int) -> None:
    """At each number of games: of all players, and of the ten best and ten worst ratings.

    Strengths are constant here, and the intervals leave room for drift, so the fewer players at
    both ends may lie in them a little more often.
    """
    shares, _ = simulate(PRESETS[system], deviation, games=(10, 30, 90, 200), pools=60)
    for found in shares.values():
        assert 0.92 <= found[0] <= 0.98, shares
        assert 0.92 <= sum(found[1:]) / 2 <= 0.985, shares


@pytest.mark.parametrize(
    ("system", "sizes"),
    [
        pytest.param("floor", (1,) * 9 + (9,), marks=pytest.mark.long),
        pytest.param("settling", (1, 3, 5, 9), marks=pytest.mark.long),
        pytest.param("decay", (9,), marks=pytest.mark.long),
        pytest.param("fixed", (1, 3, 5, 9), marks=pytest.mark.long),
    ],
)
def test_the_intervals_hold_where_the_games_of_an_event_are_rated_together(
    system: str, sizes: tuple[int, ...]
) -> None:
    for deviation in (150, 350):
        shares, _ = simulate(
            PRESETS[system], deviation, games=(15, 90), pools=12, players=120, sizes=sizes
        )
        assert all(0.93 <= found[0] <= 0.985 for found in shares.values()), shares


@pytest.mark.parametrize(
    ("batches", "sizes"),
    [
        ([], ONE_AT_A_TIME),
        ([(1, 24_000, 1), (2, 24_000, 9)], Sizes(8.2, 8.2)),
        ([(1, 24_000, 4), (1, 24_000, 5)], Sizes(9, 9)),  # two events of one month
        ([(1, 0, 5), (2, 40_000, 3)], Sizes(3, 3)),  # a first rating
        ([(1, 200_000, 9), (2, 80_600, 1)], Sizes(8.7, 9)),
        ([(1, 200_000, 1), (2, 171_571, 9)], Sizes(6.8, 8.1)),
    ],
)
def test_the_sizes_of_batches_are_two_means(
    batches: list[tuple[int, int, int]], sizes: Sizes
) -> None:
    assert sizes_of(batches) == sizes


def test_the_interval_contains_those_of_both_sizes() -> None:
    def found(least: float, most: float) -> Interval | None:
        return interval_of(PRESETS["decay"], 1900_000, 30, sizes=Sizes(least, most))

    small, large, both = found(1, 1), found(9, 9), found(1, 9)
    assert small
    assert large
    assert small.low > large.low
    assert both == (min(small.low, large.low), max(small.high, large.high))
    assert found(9, SIZES[-1]) is not None
    assert found(9, SIZES[-1] + 0.1) is None


@pytest.mark.long
def test_the_intervals_of_the_default_hold_where_players_improve_or_drift() -> None:
    """On other seeds than those by which preset and intervals were chosen."""
    shares = count_drifting(PRESETS[DEFAULT], range(2000, 2016))
    assert 0.92 <= shares["all"] <= 0.98, shares
    assert shares["improvers"] >= 0.88, shares


@pytest.mark.long
def test_the_default_predicts_best() -> None:
    presets = ("floor", "settling", "decay", "fixed")
    losses = [mean_loss(PRESETS[name], range(24)) for name in presets]
    assert losses == sorted(losses)
