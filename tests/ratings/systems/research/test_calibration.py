"""Calibration finds the values of handicaps in events that are simulated with known values."""

from dataclasses import astuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.rules.conditions import Handicap
from games.rules.seat import Seat
from ratings.systems.elo import DRAW, LOSS, MILLI, WIN
from ratings.systems.handicap import (
    CODE_TABLES,
    PRIOR,
    HandicapTable,
    amounts_of_conditions,
    part_of_conditions,
)
from ratings.systems.research.calibration import (
    LEAST_CALIBRATION_GAMES,
    CalibrationGame,
    Estimate,
    NotEstimable,
    calibrate,
)
from tests.ratings.systems.research.simulated_events import simulate

V1 = PRIOR
LOWER = HandicapTable(first_move=60, first_stone=90, further_stone=70, point=7)
HIGHER = HandicapTable(first_move=20, first_stone=150, further_stone=110, point=13)

HANDICAPS = st.one_of(
    st.none(),
    st.builds(Handicap, st.just(Seat.SECOND), stones=st.integers(1, 10)),
    st.builds(Handicap, st.sampled_from(Seat), points=st.integers(1, 50)),
)


Interval = tuple[float, float]


def intervals(games: list[CalibrationGame]) -> list[Interval]:
    """Return the interval of each value."""
    found = [(value.low, value.high) for value in calibrate(games, V1).values]
    return [(low, high) for low, high in found if low is not None and high is not None]


def count_found(table: HandicapTable, found: list[Interval]) -> list[int]:
    """Return 1 for each interval that contains the true value."""
    return [
        int(low <= truth <= high) for (low, high), truth in zip(found, astuple(table), strict=True)
    ]


@pytest.mark.parametrize("table", [LOWER, HIGHER])
def test_the_intervals_contain_the_true_values(table: HandicapTable) -> None:
    simulations = [simulate(seed, table, players=30, events=30) for seed in range(8)]
    found = sum(sum(count_found(table, intervals(games))) for games in simulations)
    assert found >= 0.9 * 8 * 4


@pytest.mark.long
@pytest.mark.parametrize(("table", "share"), [(V1, 0.6), (LOWER, 0.6), (HIGHER, 0.6), (LOWER, 1)])
def test_each_interval_contains_the_true_value_nine_times_in_ten(
    table: HandicapTable, share: float
) -> None:
    found = [
        count_found(table, intervals(simulate(seed, table, share=share))) for seed in range(60)
    ]
    assert min(map(sum, zip(*found, strict=True))) >= 54


def test_a_value_that_differs_from_the_table_is_found() -> None:
    point = calibrate(simulate(1, HIGHER), V1).values[-1]
    assert point.low is not None
    assert point.low > V1.point


@given(st.sampled_from(["v1", "v2"]), HANDICAPS, st.booleans(), st.sampled_from(["4", "10"]))
def test_amounts_times_values_are_the_value_of_the_conditions(
    version: str, handicap: Handicap | None, swap: bool, board: str
) -> None:
    values = CODE_TABLES[version]["star-star", board]
    if handicap is not None:
        assume(handicap.points <= {"4": 8, "10": 23}[board])
    swap = swap and (handicap is None or not handicap.stones)
    amounts = amounts_of_conditions(values, "star-star", board, handicap, swap=swap)
    value = sum(amount * points for amount, points in zip(amounts, astuple(values), strict=True))
    part = part_of_conditions(values, "star-star", board, handicap, swap=swap)
    assert abs(part / MILLI - value) <= 1  # first move and handicap are rounded to whole points


def test_the_estimates_do_not_depend_on_the_seats() -> None:
    games = simulate(2, LOWER, players=20, events=18)
    exchanged = [
        CalibrationGame(
            second, first, opponent, rating, opponent_k, k,
            tuple(-amount for amount in amounts), WIN - score,
        )
        for first, second, rating, opponent, k, opponent_k, amounts, score in games
    ]  # fmt: skip
    before, after = calibrate(games, V1), calibrate(exchanged, V1)
    for one, other in zip(
        (before.slope, *before.values), (after.slope, *after.values), strict=True
    ):
        assert astuple(other) == pytest.approx(astuple(one))


def even_games(count: int, score: int, points: int = 0) -> list[CalibrationGame]:
    return [
        CalibrationGame(
            2 * number, 2 * number + 1, 1_500_000 + number * 1000, 1_450_000, 20_000, 20_000,
            (0, 0, 0, points), score,
        )
        for number in range(count)
    ]  # fmt: skip


def test_values_that_too_few_games_have_are_not_estimated() -> None:
    games = (
        even_games(30, WIN)
        + even_games(30, LOSS)
        + even_games(LEAST_CALIBRATION_GAMES - 1, DRAW, points=2)
    )
    assert calibrate(games, V1).values == (
        Estimate("first_move", 0),
        Estimate("first_stone", 0),
        Estimate("further_stone", 0),
        Estimate("point", LEAST_CALIBRATION_GAMES - 1),
    )


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([], "0 games; at least 30 are needed"),
        (even_games(29, WIN), "29 games; at least 30 are needed"),
        (even_games(40, WIN), "do not determine"),
        ([game._replace(first=0, second=1) for game in even_games(20, WIN) + even_games(20, LOSS)
          + even_games(20, WIN, points=1) + even_games(20, LOSS, points=1)], "do not determine"),
        (even_games(40, LOSS) + even_games(40, WIN, points=1), "do not determine"),
        ([game._replace(second_rating=game.first_rating) for game in even_games(40, WIN)],
         "do not determine"),
    ],
)  # fmt: skip
def test_games_that_do_not_determine_the_values(games: list[CalibrationGame], message: str) -> None:
    with pytest.raises(NotEstimable, match=message):
        calibrate(games, V1)
