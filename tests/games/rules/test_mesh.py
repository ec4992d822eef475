"""The ring mesh: counts, neighbours, rows, sides."""

from itertools import pairwise

import pytest

from games.rules.boards.chains import cells_of
from games.rules.boards.mesh import ring_mesh


def edges(mesh):
    return sum(beside.bit_count() for beside in mesh.neighbours) // 2


@pytest.mark.parametrize(
    ("rings", "sectors", "cells", "rim", "edge_count"),
    [
        (4, 5, 50, 20, 125),
        (6, 5, 105, 30, 280),
        (8, 5, 180, 40, 495),
        (10, 5, 275, 50, 770),
        (4, 9, 90, 36, 225),
        (10, 9, 495, 90, 1386),
    ],
)
def test_counts(rings, sectors, cells, rim, edge_count):
    mesh = ring_mesh(rings, sectors)
    with_centre = ring_mesh(rings, sectors, playable_centre=True)

    assert (len(mesh.names), len(mesh.rim), edges(mesh)) == (cells, rim, edge_count)
    assert len(set(mesh.names)) == cells
    assert (len(with_centre.names), edges(with_centre)) == (cells + 1, edge_count + sectors)


@pytest.mark.parametrize("rings", [0, 11, -4, 1_000_000])
def test_sizes_without_unique_names_are_rejected(rings):
    with pytest.raises(ValueError, match="no ring mesh"):
        ring_mesh(rings)


@pytest.mark.parametrize(
    ("cell", "clockwise"),
    [
        ("S32", ["T30", "S43", "S42", "S31", "S21", "T20"]),
        ("S42", ["S43", "S53", "S52", "S41", "S31", "S32"]),
        ("T30", ["T31", "T41", "T40", "S43", "S32", "T20"]),
        ("S10", ["T10", "S21", "S20", "*21", "*10", None]),
        ("R93", ["R94", "R04", "R03", "R92", "R82", "R83"]),
        ("*00", ["*01", None, None, None, "R09", "*90"]),
    ],
)
def test_neighbours_clockwise(cell, clockwise):
    mesh = ring_mesh(10)
    beside = mesh.around[mesh.index[cell]]

    assert [None if number is None else mesh.names[number] for number in beside] == clockwise


@pytest.mark.parametrize(
    ("start", "row"),
    [
        (("R02", "R01"), "R02 R01 R00"),
        (("T31", "T30"), "T31 T30 S43 S53 S63 S73 S83 S93 S03"),
        (("S98", "S97"), "S98 S97 S96 S95 S94 S93 S92 S91 S90 *09"),
        (("A00", "A90"), "A00 A90 A80 A70 A60 A50 A40 A30 A20 A10 C"),
        (("T03", "T93"), "T03 T93 T83 T73 T63 T53 T43 A30 A31 A32 R30 R41 R52 R63 R74 R85 R96 R07"),
    ],
)
def test_a_row_leaves_outward_at_a_ray(start, row):
    mesh = ring_mesh(10, playable_centre=True)
    names = list(start)
    while len(onward := mesh.onward(*(mesh.index[name] for name in names[-2:]))) == 1:
        names.append(mesh.names[onward[0]])

    assert names == row.split()


@pytest.mark.parametrize(("ray", "onward"), [("*", "TA"), ("S", "AR"), ("R", "ST")])
def test_rows_fork_at_the_centre(ray, onward):
    mesh = ring_mesh(10, playable_centre=True)
    cells = mesh.onward(mesh.index[f"{ray}10"], mesh.index["C"])

    assert {mesh.names[cell] for cell in cells} == {f"{letter}10" for letter in onward}


def test_sides_share_their_corners():
    mesh = ring_mesh(10)
    side = [mesh.names[cell] for cell in cells_of(mesh.sides[1])]

    assert side == [*(f"S0{offset}" for offset in range(10)), "T00"]
    assert all((one & other).bit_count() == 1 for one, other in pairwise(mesh.sides))
