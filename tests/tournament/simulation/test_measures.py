"""What a simulated event shows: its order, its seats, its floats."""

from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.seat import Seat
from ratings.systems.elo import MILLION
from tournament.simulation.measures import Measures, count_floats, kendall_tau, measure
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult

VALUES = st.lists(st.integers(-5, 5), min_size=2, max_size=12)
PAIRS = VALUES.flatmap(
    lambda values: st.tuples(
        st.just(values), st.lists(st.integers(-5, 5), min_size=len(values), max_size=len(values))
    )
)


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def tau_by_pairs(values: list[int], others: list[int]) -> float:
    """Return tau-b by its definition, counting every pair."""
    signs = [
        (sign(values[a] - values[b]), sign(others[a] - others[b]))
        for a, b in combinations(range(len(values)), 2)
    ]
    difference = sum(one * other for one, other in signs)
    untied = [sum(pair[side] != 0 for pair in signs) for side in (0, 1)]
    return difference / sqrt(untied[0] * untied[1]) if all(untied) else 0


@given(PAIRS)
def test_tau_is_that_of_all_pairs(pair: tuple[list[int], list[int]]) -> None:
    assert kendall_tau(*pair) == pytest.approx(MILLION * tau_by_pairs(*pair), abs=1)


@given(st.lists(st.integers(), min_size=2, max_size=30, unique=True))
def test_tau_of_equal_and_of_reversed_orders(values: list[int]) -> None:
    values = [value % 2**40 for value in values]
    if len(set(values)) > 1:
        assert kendall_tau(values, values) == MILLION
        assert kendall_tau(values, [-value for value in values]) == -MILLION


@given(PAIRS)
def test_tau_is_the_same_in_both_directions(pair: tuple[list[int], list[int]]) -> None:
    assert kendall_tau(pair[0], pair[1]) == kendall_tau(pair[1], pair[0])


def game(kind: Kind, opponent: int, seat: Seat) -> RoundResult:
    return RoundResult(kind, opponent, seat)


FIRST, SECOND = Seat.FIRST, Seat.SECOND
TABLE = Crosstable(
    players=(
        Competitor(
            number=1,
            name="Ada",
            results=(game(Kind.WIN, 2, FIRST), game(Kind.WIN, 3, FIRST)),
        ),
        Competitor(
            number=2,
            name="Ben",
            results=(game(Kind.LOSS, 1, SECOND), RoundResult(Kind.PAIRING_BYE)),
        ),
        Competitor(
            number=3,
            name="Cleo",
            results=(RoundResult(Kind.PAIRING_BYE), game(Kind.LOSS, 1, SECOND)),
        ),
    ),
    rounds=2,
)
"""Ada beats Ben and Cleo with the first seat; Cleo, then Ben, has the bye."""


def test_the_measures_of_a_small_event() -> None:
    found = measure(TABLE, {1: 1, 2: 2, 3: 2}, {1: 1500, 2: 1700, 3: 1600}, top=2)
    assert found == Measures(
        winner=0,
        strongest_rank=2_500_000,
        top_share=500_000,
        tau=-816_497,
        rematches=0,
        imbalance=1_333_333,
        largest_imbalance=2_000_000,
        downfloats=2_000_000,
        upfloats=0,
        byes=2_000_000,
        games=2_000_000,
        blocked=0,
    )


def test_equal_winners_share_the_first_rank() -> None:
    found = measure(TABLE, {1: 1, 2: 1, 3: 3}, {1: 1500, 2: 1700, 3: 1600}, top=1)
    assert (found.winner, found.strongest_rank, found.top_share) == (500_000, 1_500_000, 500_000)


def test_a_lower_opponent_is_a_downfloat() -> None:
    rows = {
        1: (game(Kind.WIN, 2, FIRST), game(Kind.WIN, 4, SECOND)),
        2: (game(Kind.LOSS, 1, SECOND), game(Kind.LOSS, 3, FIRST)),
        3: (game(Kind.WIN, 4, FIRST), game(Kind.WIN, 2, SECOND)),
        4: (game(Kind.LOSS, 3, SECOND), game(Kind.LOSS, 1, FIRST)),
    }
    players = tuple(Competitor(number=n, name=f"{n}", results=row) for n, row in rows.items())
    table = Crosstable(players=players, rounds=2)
    assert count_floats(table) == (2, 2)
    assert measure(table, {1: 1, 2: 3, 3: 2, 4: 4}, dict.fromkeys(rows, 0), top=1).rematches == 0


def test_a_second_game_of_two_players_is_a_rematch() -> None:
    rows = {
        1: (game(Kind.WIN, 2, FIRST), game(Kind.LOSS, 2, SECOND)),
        2: (game(Kind.LOSS, 1, SECOND), game(Kind.WIN, 1, FIRST)),
    }
    players = tuple(Competitor(number=n, name=f"{n}", results=row) for n, row in rows.items())
    found = measure(Crosstable(players=players, rounds=2), {1: 1, 2: 2}, {1: 2, 2: 1}, top=1)
    assert (found.rematches, found.imbalance, found.winner, found.tau) == (
        MILLION,
        0,
        MILLION,
        MILLION,
    )
