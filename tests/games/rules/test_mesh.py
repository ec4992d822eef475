"""The ring mesh: counts, neighbours, rows, sides."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.boards.chains import cells_of, chains
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


@pytest.mark.parametrize("rings", [4, 6, 8, 10])
def test_there_are_five_rows_per_ring_and_three_through_cells_off_the_rays(rings):
    mesh = ring_mesh(rings)
    rows = set()
    for cell, around in enumerate(mesh.around):
        for first in filter(lambda beside: beside is not None, around):
            row = [cell, first]
            while onward := mesh.onward(*row[-2:]):
                row += onward
            if not mesh.onward(first, cell):
                rows.add(frozenset(row))
    rays = {frozenset(mesh.cell(s, ring, 0) for ring in range(1, rings + 1)) for s in range(5)}

    assert rays < rows
    assert len(rows - rays) == 5 * rings
    for cell in range(len(mesh.names)):
        on_a_ray = mesh.place(cell)[2] == 0
        assert sum(cell in row for row in rows - rays) == (2 if on_a_ray else 3)


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


@given(st.sampled_from([(4, 5), (10, 5), (6, 9)]), st.data())
def test_neighbours_and_opposites_are_mutual(size, data):
    mesh = ring_mesh(*size)
    cell = data.draw(st.integers(0, len(mesh.names) - 1))
    for beside in cells_of(mesh.neighbours[cell]):
        assert mesh.neighbours[beside] >> cell & 1
        for further in mesh.onward(beside, cell):
            assert mesh.onward(further, cell) == (beside,)


def test_chains_partition_the_stones():
    mesh = ring_mesh(4)
    stones = sum(mesh.bits[name] for name in ("S40", "S41", "S30", "A43", "R40", "T20"))

    found = {
        tuple(sorted(mesh.names[cell] for cell in cells_of(chain)))
        for chain in chains(stones, mesh.neighbours)
    }
    assert found == {("S30", "S40", "S41"), ("A43", "R40"), ("T20",)}
