"""The theorems, on boards so small that every way to fill them is tested."""

from functools import cache
from itertools import product

import pytest

from games.rules.boards.chains import chains
from games.rules.boards.hexagons import curved_triangle, rhombus, triangle
from games.rules.boards.mesh import ring_mesh
from games.rules.scoring.border_hexes import border_board
from games.rules.scoring.peries import star_board
from games.rules.star_y import connects_sides


@pytest.mark.parametrize("every", [61, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("bridge", [True, False])
def test_full_boards_of_star_star_on_two_rings(bridge, every):
    """Scores add up to 5n + 1, and an additional stone lowers none: two fills bound all endings."""
    board = star_board(2, bridge=bridge)
    size = len(board.names)

    @cache
    def score(first):
        own, other = (board.chains_of(stones) for stones in (first, board.cells ^ first))
        (own, _), (other, _) = board.bounds(own, other)
        assert own + other == 11
        return own

    for first in range(0, 1 << size, every):
        for cell in range(size):
            assert score(first | 1 << cell) >= score(first)


@pytest.mark.parametrize("size", [(2, 2), (2, 3)])
@pytest.mark.parametrize("two_point_corners", [False, True])
def test_every_full_board_of_star(size, two_point_corners):
    board = border_board(*size, two_point_corners=two_point_corners)
    cells = len(board.names)
    scores = [board.chains_of(stones).least for stones in range(1 << cells)]

    for first, score in enumerate(scores):
        assert score + scores[board.cells ^ first] == scores[board.cells]
        for cell in range(cells):
            assert scores[first | 1 << cell] >= score


def test_every_ending_of_every_position_of_the_smallest_star():
    board = border_board(2, 2, two_point_corners=False)
    scores = [board.chains_of(stones).least for stones in range(1 << 7)]
    for owners in product(range(3), repeat=7):
        first, second, empty = (
            sum(1 << cell for cell, owner in enumerate(owners) if owner == who) for who in range(3)
        )
        # All ways to share the empty cells: the subsets of a set.
        endings, share = [], empty
        while True:
            endings.append((scores[first | share], scores[second | empty ^ share]))
            if not share:
                break
            share = (share - 1) & empty
        bounds = tuple((min(one), max(one)) for one in zip(*endings, strict=True))
        assert board.bounds(board.chains_of(first), board.chains_of(second)) == bounds


def connects(board, stones, sides):
    on_border = chains(stones, board.neighbours, touching=board.border)
    return any(all(chain & board.sides[side] for side in sides) for chain in on_border)


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (3, 4), (2, 6)])
def test_every_full_board_of_hex_has_one_winner(size):
    board = rhombus(*size)
    for black in range(1 << len(board.names)):
        assert connects(board, black, (0, 2)) is not connects(board, board.cells ^ black, (1, 3))


@pytest.mark.parametrize("side", [2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_every_full_board_of_y_has_one_winner(side):
    board = triangle(side)
    for black in range(1 << len(board.names)):
        assert connects(board, black, range(3)) is not connects(
            board, board.cells ^ black, range(3)
        )


def test_only_the_corners_of_the_curved_board_touch_two_sides():
    board = curved_triangle()
    both = [sum(side >> cell & 1 for side in board.sides) for cell in range(93)]

    assert sorted(both) == [0] * 69 + [1] * 21 + [2] * 3


TWO_RINGS = pytest.param(2, 5, marks=pytest.mark.long)


@pytest.mark.parametrize(("rings", "sectors"), [(1, 5), (1, 9), TWO_RINGS])
def test_every_full_board_has_one_star_y_and_one_owner_per_corner(rings, sectors):
    mesh = ring_mesh(rings, sectors, playable_centre=True)
    for black in range(1 << len(mesh.names)):
        colours = [list(chains(stones, mesh.neighbours)) for stones in (black, mesh.cells ^ black)]
        owners = [0] * sectors
        for chain in (*colours[0], *colours[1]):
            touched = [bool(chain & side) for side in mesh.sides]
            if sum(touched) >= 3:
                for corner in range(sectors):
                    owners[corner] += touched[corner] and touched[corner - 1]
        assert owners == [1] * sectors
        if sectors == 5:
            won = [any(connects_sides(chain, mesh) for chain in colour) for colour in colours]
            assert won[0] is not won[1]
