"""The layout of every board in GAMES, and of the ring mesh in particular."""

import cmath
import math

import pytest

from games.rules.boards.chains import cells_of
from games.rules.diagram.scene import scene_of_board
from games.rules.layouts.geometry import cross, expanded, outlines, signed_area
from games.rules.layouts.layout import UNIT
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


@pytest.mark.parametrize(("game", "board"), BOARDS)
def test_neighbours_are_about_one_unit_apart(game, board):
    drawn = scene(game, board)
    centres = [face.centre for face in drawn.layout.faces.values()]
    gaps = [abs(centres[a] - centres[b]) / UNIT for a, b in drawn_pairs(drawn)]

    assert 0.67 < min(gaps) <= max(gaps) < 1.4


def drawn_pairs(drawn):
    number = {name: cell for cell, name in enumerate(drawn.board.names)}
    return [(number[one], number[two]) for one, two in drawn.layout.touching]


@pytest.mark.parametrize(
    ("game", "board", "gaps"),
    [
        ("star-star", "10", [1, 2 * math.sin(math.pi / 5)]),
        ("poly-y", "10x9", [2 * math.sin(math.pi / 9), 1]),
    ],
)
def test_a_ring_mesh_has_one_distance_across_rings_and_one_along(game, board, gaps):
    drawn = scene(game, board)
    centres = [face.centre for face in drawn.layout.faces.values()]
    found = {round(abs(centres[a] - centres[b]) / UNIT, 6) for a, b in drawn_pairs(drawn)}

    assert sorted(found) == pytest.approx(gaps, abs=1e-6)


@pytest.mark.parametrize(
    ("cell", "direction"),
    [("A00", 0), ("R00", 72), ("*00", 144), ("S00", 216), ("T00", 288), ("*05", 180), ("A05", 36)],
)
def test_the_pentagon_has_a_on_top_and_the_asterisk_at_the_lower_right(cell, direction):
    face = layout("star-star", "10").faces[cell]

    assert clockwise_from_up(face.centre) == pytest.approx(direction, abs=1e-6)


def test_every_ring_is_a_regular_pentagon():
    faces = layout("star-star", "10").faces
    for ring in range(1, 11):
        corners = [faces[f"{sector}{ring % 10}0"].centre for sector in "*STAR"]
        assert [abs(corner) for corner in corners] == pytest.approx([ring * UNIT] * 5)
        for start, end, sector in zip(corners, corners[1:] + corners[:1], "*STAR", strict=True):
            side = [faces[f"{sector}{ring % 10}{k}"].centre for k in range(ring)]
            assert side == pytest.approx([start + (end - start) * k / ring for k in range(ring)])


def test_the_nine_sectors_run_clockwise_from_a():
    faces = layout("poly-y", "4x9").faces

    directions = [clockwise_from_up(faces[f"{letter}40"].centre) for letter in "ABCDEFGHI"]
    assert directions == pytest.approx([40 * sector for sector in range(9)], abs=1e-6)


def test_the_bridge_is_a_five_pointed_star_that_points_to_its_neighbours():
    drawn = layout("star-star", "4")
    tips = sorted(drawn.bridge, key=abs)[5:]

    assert sorted(map(clockwise_from_up, tips)) == pytest.approx([0, 72, 144, 216, 288], abs=1e-6)
    assert layout("nobridge-star-star", "4").bridge == ()


def test_every_rim_cell_has_its_peri_and_every_corner_a_quark():
    drawn = layout("star-star", "6")

    assert [border.cells for border in drawn.borders] == [
        (f"{sector}6{k}",) for sector in "*STAR" for k in range(6)
    ]
    assert [b.cells[0] for b in drawn.borders if b.weight == 2] == [f"{s}60" for s in "*STAR"]
    assert all(signed_area(border.outline) > 0 for border in drawn.borders)


@pytest.mark.parametrize(
    ("options", "borders", "touched_once"), [("", 33, 6), ("two-point-corners", 27, 0)]
)
def test_star_has_its_border_hexes(options, borders, touched_once):
    drawn = scene("star", "5x6", Options=options).layout

    assert len(drawn.borders) == borders
    assert sum(len(border.cells) == 1 for border in drawn.borders) == touched_once


@pytest.mark.parametrize(
    ("game", "board"),
    [("hex", "11"), ("y", "7"), ("star", "5x6"), ("havannah", "5"), ("twixt", "24")],
)
def test_row_1_is_on_top_of_every_board(game, board):
    faces = layout(game, board).faces
    rows_from_top = [
        [int(name[1:]) for name in sorted(faces, key=lambda name: faces[name].centre.imag)
         if name[0] == column]
        for column in {name[0] for name in faces}
    ]  # fmt: skip

    assert rows_from_top == [sorted(rows) for rows in rows_from_top]


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


def test_the_curved_board_is_symmetric():
    faces = layout("y", "93").faces
    third = cmath.rect(1, math.radians(120))

    assert clockwise_from_up(faces["a60"].centre) == pytest.approx(0, abs=1e-6)
    for name in (name for name in faces if name[0] != "c"):
        following = chr(ord(name[0]) + 1) + name[1:]
        assert faces[following].centre == pytest.approx(faces[name].centre * third)


def test_a_polygon_expands_and_shrinks():
    square = (0j, 10 + 0j, 10 + 10j, 10j)

    assert expanded(square, 1) == pytest.approx((-1 - 1j, 11 - 1j, 11 + 11j, -1 + 11j))
    assert expanded(expanded(square, 3), -3) == pytest.approx(square)
    assert outlines([square, tuple(corner + 10 for corner in square)]) == [
        (0j, 10 + 0j, 20 + 0j, 20 + 10j, 10 + 10j, 10j)
    ]
