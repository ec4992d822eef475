from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.pairing.events import event
from tests.tournament.standings.events import round_robin, swiss
from tournament.standings.crosstable import Crosstable
from tournament.standings.crosstable_rows import (
    SYMBOLS,
    CrosstableOrder,
    crosstable_rows,
    square_columns,
    square_rows,
)
from tournament.standings.table import rank

SWISS = event("2s0 U H\n1f1 3s+ .\nZ 2f- .", rounds=4)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (
            CrosstableOrder.RANK,
            [(1, 2, ("2f1", "3s+")), (2, 1, ("1s0", "U")), (3, 3, ("Z", "1f-"))],
        ),
        (
            CrosstableOrder.NUMBER,
            [(1, 1, ("2s0", "U")), (2, 2, ("1f1", "3s+")), (3, 3, ("Z", "2f-"))],
        ),
    ],
)
def test_cells_refer_to_opponents_by_label(
    order: CrosstableOrder, expected: list[tuple[int, int, tuple[str, ...]]]
) -> None:
    rows = crosstable_rows(SWISS, rank(SWISS, "PTS"), order)
    assert [(row.label, row.number, row.cells) for row in rows] == expected


# Two cycles of three players, one of whom is free in each round; 3 lost the last game by forfeit.
TWICE = "2f1 3s= Z 2s0 3f1 Z\n1s0 Z 3f1 1f1 Z 3s+\nZ 1f= 2s0 Z 1s0 2f-"
ONE_MISSING = "2f1 Z Z 2s0 3f1 Z\n1s0 Z 3f1 1f1 Z 3s+\nZ Z 2s0 Z 1s0 2f-"
HALF_WAY = "2f1 3s= Z 2s0 . .\n1s0 Z 3f1 1f1 . .\nZ 1f= 2s0 Z . ."
# 4 left after the first round; the opponents of 4 had half-point byes.
LEFT = "4f1 2f= 3s0\n3f1 1s= H\n2s0 H 1f1\n1s0 Z Z"
ONCE = "2f1 Z 3s=\n1s0 3f- Z\nZ 2s+ 1f="


@pytest.mark.parametrize(
    ("picture", "rounds", "cells"),
    [
        (ONCE, 3, [("*", "1", "="), ("0", "*", "-"), ("=", "+", "*")]),
        (TWICE, 6, [("*", "1 0", "= 1"), ("0 1", "*", "1 +"), ("= 0", "0 -", "*")]),
        (ONE_MISSING, 6, [("*", "1 0", ". 1"), ("0 1", "*", "1 +"), (". 0", "0 -", "*")]),
        (HALF_WAY, 6, [("*", "1 0", "="), ("0 1", "*", "1"), ("=", "0", "*")]),
        (
            LEFT,
            3,
            [
                ("*", "=", "0", "1", ""),
                ("=", "*", "1", "", "H"),
                ("1", "0", "*", "", "H"),
                ("0", "", "", "*", ""),
            ],
        ),
    ],
    ids=[
        "one cycle, odd",
        "two cycles, odd",
        "a game not played",
        "half finished",
        "one withdrawn, opponents with byes",
    ],
)
def test_the_square_has_all_games(picture: str, rounds: int, cells: list[tuple[str, ...]]) -> None:
    table = event(picture, rounds=rounds, round_robin=True)
    rows = square_rows(table, rank(table, "PTS"), CrosstableOrder.NUMBER)
    assert [row.cells for row in rows] == cells
    labels = [str(number) for number in range(1, len(cells) + 1)]
    assert square_columns(rows) == [*labels, "byes"][: len(cells[0])]


def test_rows_by_rank_share_ranks_but_not_labels() -> None:
    ring = event("2f1 3s=\n1s0 4f=\n4s= 1f=\n3f= 2s=", rounds=3, round_robin=True)
    rows = square_rows(ring, rank(ring, "PTS"), CrosstableOrder.RANK)
    assert [(row.label, row.rank, row.number, row.cells) for row in rows] == [
        (1, 1, 1, ("*", "=", "", "1")),
        (2, 2, 3, ("=", "*", "=", "")),
        (3, 2, 4, ("", "=", "*", "=")),
        (4, 4, 2, ("0", "", "=", "*")),
    ]


def test_awarded_points_follow_the_result_in_brackets() -> None:
    table = event("2f0 3s1\n1s0 Z\nU 1f0", rounds=3, round_robin=True)
    first, *others = table.players
    results = (replace(first.results[0], awarded=1), *first.results[1:])
    halved = replace(first, results=results)
    table = replace(table, players=(halved, *others))
    rows = rank(table, "PTS")
    assert crosstable_rows(table, rows, CrosstableOrder.NUMBER)[0].cells == ("2f0(0.5)", "3s1")
    square = square_rows(table, rows, CrosstableOrder.NUMBER)
    assert [row.cells for row in square] == [
        ("*", "0(0.5)", "1", ""), ("0", "*", "", ""), ("0", "", "*", "U"),
    ]  # fmt: skip


KINDS = {symbol: kind for kind, symbol in SYMBOLS.items()}


def units_in(table: Crosstable, cells: tuple[str, ...]) -> int:
    symbols = [symbol for cell in cells for symbol in cell.split() if symbol in KINDS]
    return sum(table.points.units_of(KINDS[symbol]) for symbol in symbols)


@given(st.integers(0, 300), st.sampled_from([swiss, round_robin]), st.sampled_from(CrosstableOrder))
def test_the_cells_of_a_row_add_up_to_its_points(
    seed: int, make: Callable[[int], Crosstable], order: CrosstableOrder
) -> None:
    table = make(seed)
    rows = rank(table, "PTS,TPN")
    for row in crosstable_rows(table, rows, order):
        results = tuple(cell[-1] for cell in row.cells)
        assert units_in(table, results) == table.points_of(row.number)
    for row in square_rows(table, rows, order):
        assert units_in(table, row.cells) == table.points_of(row.number)
