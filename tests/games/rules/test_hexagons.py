"""Boards of hexagons: counts, neighbours, sides."""

from collections import Counter

import pytest

from games.rules.boards.chains import cells_of
from games.rules.boards.hexagons import (
    border_hexes,
    curved_triangle,
    hexagon,
    hexagon_places,
    rhombus,
    triangle,
)


def degrees(board):
    return Counter(beside.bit_count() for beside in board.neighbours)


@pytest.mark.parametrize(
    ("board", "cells", "sides", "degree_counts"),
    [
        (rhombus(11, 11), 121, [11] * 4, {6: 81, 4: 36, 3: 2, 2: 2}),
        (rhombus(5, 9), 45, [5, 9, 5, 9], {6: 21, 4: 20, 3: 2, 2: 2}),
        (triangle(5), 15, [5] * 3, {6: 3, 4: 9, 2: 3}),
        (curved_triangle(), 93, [9] * 3, {6: 66, 5: 3, 4: 21, 3: 3}),
        (hexagon(5, 6), 75, [5, 6] * 3, {6: 48, 4: 21, 3: 6}),
        (hexagon(4, 4), 37, [4] * 6, {6: 19, 4: 12, 3: 6}),
        (hexagon(10, 10), 271, [10] * 6, {6: 217, 4: 48, 3: 6}),
    ],
)
def test_counts(board, cells, sides, degree_counts):
    assert len(set(board.names)) == cells
    assert [side.bit_count() for side in board.sides] == sides
    assert degrees(board) == degree_counts
    for cell, beside in enumerate(board.neighbours):
        assert all(board.neighbours[other] >> cell & 1 for other in cells_of(beside))


@pytest.mark.parametrize("a", range(2, 13))
@pytest.mark.parametrize("b", [2, 3, 7, 12])
def test_the_formulas_of_the_hexagon(a, b):
    board = hexagon(a, b)

    assert len(board.names) == (a * a + b * b + 4 * a * b - 3 * (a + b) + 2) // 2
    assert board.border.bit_count() == 3 * (a + b) - 6
    assert len(border_hexes(hexagon_places(a, b))) == 3 * (a + b)


@pytest.mark.parametrize(
    ("board", "cell", "beside"),
    [
        (rhombus(5, 5), "c3", "b3 b4 c2 c4 d2 d3"),
        (triangle(5), "b2", "a2 a3 b1 b3 c1 c2"),
        (hexagon(5, 6), "d4", "c3 c4 d3 d5 e4 e5"),
        (curved_triangle(), "a20", "a21 c23 a30 a31 c34"),
        (curved_triangle(), "a10", "b10 c10 a21 a22 c22 c23"),
        (curved_triangle(), "c34", "c23 a20 c33 a30 c44 c45"),
    ],
)
def test_neighbours(board, cell, beside):
    found = {board.names[other] for other in cells_of(board.neighbours[board.index[cell]])}

    assert found == set(beside.split())
