"""Rows of the ring mesh with a playable centre: moves and lines of sight, like a chess queen's.

A row passes through opposite neighbours from rim to rim. Along a ring it leaves outward where it
meets a ray. Through the centre it continues from ray s to ray s+2 or s+3, so it forks: from any
cell of a ray two rows continue beyond the centre.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from games.rules.boards.chains import cells_of
from games.rules.boards.mesh import Mesh, ring_mesh

HEXAGON_RINGS = 10


def row_board() -> Mesh:
    """Return the board of the games that move along rows: ten rings and the centre."""
    return ring_mesh(HEXAGON_RINGS, playable_centre=True)


@lru_cache(maxsize=512)
def paths(mesh: Mesh, start: int) -> dict[int, int]:
    """Return every cell in a row with `start`, mapped to the cells between.

    Two cells lie in at most one common row; the two forks at the centre are separate rows.
    """
    found: dict[int, int] = {}

    def follow(previous: int, cell: int, between: int) -> None:
        found[cell] = between
        for following in mesh.onward(previous, cell):
            follow(cell, following, between | 1 << cell)

    for first in cells_of(mesh.neighbours[start]):
        follow(start, first, 0)
    return found


@lru_cache(maxsize=512)
def cells_in_a_row(mesh: Mesh, start: int) -> int:
    """Return the set of the cells in a row with `start`."""
    return sum(1 << cell for cell in paths(mesh, start))


def reachable(mesh: Mesh, start: int, filled: int) -> Iterator[int]:
    """Yield the empty cells that a stone on `start` can move to without passing a stone."""
    for cell, between in paths(mesh, start).items():
        if not filled & (between | 1 << cell):
            yield cell


def run(mesh: Mesh, previous: int, cell: int, stones: int) -> int:
    """Return the unbroken row of stones that starts on `cell` and leads away from `previous`.

    At the centre, where the row forks, return the longer one.
    """
    if not stones >> cell & 1:
        return 0
    forks = (run(mesh, cell, following, stones) for following in mesh.onward(previous, cell))
    return 1 << cell | max(forks, key=int.bit_count, default=0)


def rows_through(mesh: Mesh, cell: int, stones: int) -> Iterator[int]:
    """Yield the unbroken rows of stones through the stone on `cell`, both forks at the centre."""
    runs = [
        0 if beside is None else run(mesh, cell, beside, stones) for beside in mesh.around[cell]
    ]
    for direction, one in enumerate(runs):
        for turn in (2, 3) if cell == mesh.centre else (3,):
            yield 1 << cell | one | runs[(direction + turn) % len(runs)]


def longest_row(mesh: Mesh, cell: int, stones: int) -> int:
    """Return the length of the longest unbroken row of stones through the stone on `cell`."""
    return max(row.bit_count() for row in rows_through(mesh, cell, stones))
