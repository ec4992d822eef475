"""The layout of every board in GAMES, and of the ring mesh in particular."""

import cmath
import math

import pytest

from games.rules.boards.chains import cells_of
from games.rules.diagram.scene import scene_of_board
from games.rules.layouts.geometry import cross, outlines, signed_area
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES

BOARDS = [
    pytest.param(rules.code, board, id=f"{rules.code}-{board}")
    for rules in GAMES.values()
    for board in dict.fromkeys((rules.boards[0], rules.boards[-1]))
]
PEGS = {"twixt"}


def scene(game, board, **tags):
    return scene_of_board(read_conditions({"Game": game, "Board": board, **tags}))


def layout(game, board):
    return scene(game, board).layout


def clockwise_from_up(point):
    return math.degrees(cmath.phase(point * 1j)) % 360


def neighbours(board):
    """Return the pairs of neighbouring cells by the rules, without those over a bridge."""
    for inner in ("mesh", "hexes"):
        board = getattr(board, inner, board)
    return {
        frozenset((cell, other))
        for cell, beside in enumerate(board.neighbours)
        for other in cells_of(beside)
    }


@pytest.mark.parametrize(("game", "board"), BOARDS)
def test_the_faces_are_the_cells_in_their_order(game, board):
    drawn = scene(game, board)

    assert tuple(drawn.layout.faces) == drawn.board.names


@pytest.mark.parametrize(("game", "board"), [b for b in BOARDS if b.values[0] not in PEGS])
def test_cells_share_an_edge_exactly_if_they_are_neighbours(game, board):
    drawn = scene(game, board)
    number = {name: cell for cell, name in enumerate(drawn.board.names)}
    shared = {frozenset(map(number.get, pair)) for pair in drawn.layout.touching}

    assert shared == neighbours(drawn.position.board)


@pytest.mark.parametrize(("game", "board"), BOARDS)
def test_cells_tile_the_board_without_overlap(game, board):
    cells = [face.outline for face in layout(game, board).faces.values()]

    assert all(signed_area(cell) > 0 for cell in cells)
    assert sum(map(signed_area, cells)) == pytest.approx(sum(map(signed_area, outlines(cells))))


@pytest.mark.parametrize(("game", "board"), BOARDS)
def test_a_stone_fits_into_its_cell(game, board):
    drawn = layout(game, board)
    for name, face in drawn.faces.items():
        for start, end in zip(face.outline, face.outline[1:] + face.outline[:1], strict=True):
            distance = cross(end - start, face.centre - start) / abs(end - start)
            assert distance > drawn.stone, name


@pytest.mark.parametrize(
    ("cell", "direction"),
    [("A00", 0), ("R00", 72), ("*00", 144), ("S00", 216), ("T00", 288), ("*05", 180), ("A05", 36)],
)
def test_the_pentagon_has_a_on_top_and_the_asterisk_at_the_lower_right(cell, direction):
    face = layout("star-star", "10").faces[cell]

    assert clockwise_from_up(face.centre) == pytest.approx(direction, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "borders", "touched_once"), [("", 33, 6), ("two-point-corners", 27, 0)]
)
def test_star_has_its_border_hexes(options, borders, touched_once):
    drawn = scene("star", "5x6", Options=options).layout

    assert len(drawn.borders) == borders
    assert sum(len(border.cells) == 1 for border in drawn.borders) == touched_once


@pytest.mark.parametrize(
    ("game", "board", "cell", "others"),
    [
        ("hex", "5", "a1", {"e1": 1, "a5": 0.5 + math.sqrt(0.75) * 1j}),
        ("y", "5", "a1", {"e1": 1, "a5": 0.5 + math.sqrt(0.75) * 1j}),
        ("star", "5x6", "A1", {"A5": 1j, "F1": math.sqrt(0.75) - 0.5j}),
        ("twixt", "5", "b2", {"d2": 1, "b4": 1j}),
    ],
)
def test_columns_and_rows_have_the_usual_directions(game, board, cell, others):
    faces = layout(game, board).faces
    for other, direction in others.items():
        step = faces[other].centre - faces[cell].centre
        assert step / abs(step) == pytest.approx(direction)
