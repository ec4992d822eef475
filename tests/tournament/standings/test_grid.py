import pytest

from tests.tournament.pairing.test_monrad import event
from tournament.standings.grid import GridOrder, crosstable_lines, round_robin_square
from tournament.standings.table import rank

SWISS = event("2s0 U H\n1f1 3s+ .\nZ 2f- .", rounds=4)
RING = event("2f1 3s= 2s0\n1s0 Z 1f1\nZ 1f= Z", rounds=6, round_robin=True)


@pytest.mark.parametrize(
    ("order", "lines"),
    [
        (GridOrder.RANK, [(1, 2, ("2f1", "3s+")), (2, 1, ("1s0", "U")), (3, 3, ("Z", "1f-"))]),
        (GridOrder.NUMBER, [(1, 1, ("2s0", "U")), (2, 2, ("1f1", "3s+")), (3, 3, ("Z", "2f-"))]),
    ],
)
def test_cells_name_opponents_by_their_line(
    order: GridOrder, lines: list[tuple[int, int, tuple[str, ...]]]
) -> None:
    grid = crosstable_lines(SWISS, rank(SWISS, "PTS"), order)
    assert [(line.label, line.number, line.cells) for line in grid] == lines


@pytest.mark.parametrize(
    ("order", "cells"),
    [
        (GridOrder.NUMBER, [("*", "10", "="), ("01", "*", ""), ("=", "", "*")]),
        (GridOrder.RANK, [("*", "10", "="), ("01", "*", ""), ("=", "", "*")]),
    ],
)
def test_the_square_holds_every_game(order: GridOrder, cells: list[tuple[str, ...]]) -> None:
    grid = round_robin_square(RING, rank(RING, "PTS"), order)
    assert [line.cells for line in grid] == cells
