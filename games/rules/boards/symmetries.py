"""The symmetries of the boards, from their coordinates.

A symmetry is a tuple of cells: cell i is mapped to the i-th. Those of a board form a group, with
the identity first. They preserve which cells are neighbours, and which lie on a common row.

- Ring mesh: rotations by whole sectors, and their reflections; 10 on five sectors, 18 on nine. A
  cell is (ring, place on the ring), the places counted clockwise from the first ray.
- Rhombus: rotation by 180 degrees. (A reflection at a diagonal exchanges the sides of the colours.)
- Triangle: the permutations of the distances to its three sides.
- Hexagon: the permutations of the three coordinates along its axes; if all sides are equal, also
  with all coordinates reversed: 6 or 12.
- Curved triangle: rotations by whole sectors, and their reflections, as on the ring mesh.
- Pegs: reflections of the columns, of the rows, and both. (A reflection at a diagonal exchanges the
  borders of the colours.)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations
from typing import TypeAlias

from games.rules.boards.hexagons import Place, hexagon_places
from games.rules.boards.mesh import Mesh
from games.rules.boards.pegs import PegBoard

Symmetry: TypeAlias = tuple[int, ...]
"""The cell that each cell is mapped to, by number."""


def identity(size: int) -> Symmetry:
    """Return the symmetry that maps each of `size` cells to itself."""
    return tuple(range(size))


def inverse(symmetry: Symmetry) -> Symmetry:
    """Return the symmetry that undoes another."""
    cells = [0] * len(symmetry)
    for cell, image in enumerate(symmetry):
        cells[image] = cell
    return tuple(cells)


def map_cells(cells: int, symmetry: Symmetry) -> int:
    """Return the image of a set of cells."""
    image = 0
    while cells:
        cell = cells & -cells
        image |= 1 << symmetry[cell.bit_length() - 1]
        cells ^= cell
    return image


def fixing(symmetries: Iterable[Symmetry], *sets: int) -> tuple[Symmetry, ...]:
    """Return the symmetries that map each of these sets of cells to itself."""
    return tuple(
        symmetry
        for symmetry in symmetries
        if all(map_cells(cells, symmetry) == cells for cells in sets)
    )


@lru_cache(maxsize=32)
def mesh_symmetries(mesh: Mesh) -> tuple[Symmetry, ...]:
    """Return the rotations of a ring mesh, then its reflections; the centre stays."""
    rings = [mesh.sectors * ring for ring in range(1, mesh.rings + 1)]
    centre = () if mesh.centre is None else (mesh.centre,)
    return tuple(
        _turned_rings(rings, mesh.sectors, sector, reflected=reflected) + centre
        for reflected in (False, True)
        for sector in range(mesh.sectors)
    )


def _turned_rings(rings: Iterable[int], sectors: int, sector: int, *, reflected: bool) -> Symmetry:
    """Return the rotation of rings of these lengths by some sectors, after a reflection if any."""
    cells: list[int] = []
    for length in rings:
        start = len(cells)
        shift = length // sectors * sector
        for place in range(length):
            turned = shift - place if reflected else shift + place
            cells.append(start + turned % length)
    return tuple(cells)


@lru_cache(maxsize=32)
def rhombus_symmetries(size: int) -> tuple[Symmetry, ...]:
    """Return the identity and the rotation of a rhombus of `size` cells."""
    return identity(size), tuple(reversed(range(size)))


@lru_cache(maxsize=32)
def triangle_symmetries(side: int) -> tuple[Symmetry, ...]:
    """Return the symmetries of a triangle of this side."""
    last = side - 1
    distances = [
        (c, r - 1, last - c - (r - 1)) for c in range(side) for r in range(1, side - c + 1)
    ]
    return _permuted(distances)


@lru_cache(maxsize=32)
def hexagon_symmetries(a: int, b: int) -> tuple[Symmetry, ...]:
    """Return the symmetries of the hexagon whose sides are alternately a and b cells long."""
    last = a + b - 2
    along = [_along_axes(place, b, last) for place in hexagon_places(a, b)]
    turned = _permuted(along)
    if a != b:
        return turned
    opposite = [(last - x, last - y, last - z) for x, y, z in along]
    numbers = {place: number for number, place in enumerate(along)}
    half_turn = tuple(numbers[place] for place in opposite)
    return turned + tuple(tuple(half_turn[cell] for cell in symmetry) for symmetry in turned)


def _along_axes(place: Place, b: int, last: int) -> tuple[int, int, int]:
    """Return three coordinates of a cell, each from 0 to `last`; their sum is fixed."""
    column, row = place
    return column, last - (row - 1), row - column + b - 2


def _permuted(places: list[tuple[int, int, int]]) -> tuple[Symmetry, ...]:
    """Return the symmetries that permute the three coordinates of the cells."""
    numbers = {place: number for number, place in enumerate(places)}
    return tuple(
        tuple(numbers[place[i], place[j], place[k]] for place in places)
        for i, j, k in permutations(range(3))
    )


@lru_cache(maxsize=1)
def curved_triangle_symmetries() -> tuple[Symmetry, ...]:
    """Return the rotations of the curved triangle, then its reflections."""
    rings = [3, *(3 * (ring + 2) for ring in range(2, 7))]
    return tuple(
        _turned_rings(rings, 3, sector, reflected=reflected)
        for reflected in (False, True)
        for sector in range(3)
    )


@lru_cache(maxsize=32)
def peg_symmetries(board: PegBoard) -> tuple[Symmetry, ...]:
    """Return the identity, the reflections of the rows and of the columns, and both."""
    numbers = {place: number for number, place in enumerate(board.places)}
    last = board.size - 1
    return tuple(
        tuple(
            numbers[last - column if columns else column, board.size + 1 - row if rows else row]
            for column, row in board.places
        )
        for columns in (False, True)
        for rows in (False, True)
    )
