"""Moving and looking along the rows of the ring mesh with a playable centre, as a queen does.

A row runs through opposite neighbours from rim to rim. Along a ring it leaves outward where it
meets a ray; over the centre it comes in from ray s and goes on to ray s+2 or s+3, so from any
cell of a ray two rows lead on beyond it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from games.rules.boards.chains import cells_of
from games.rules.boards.mesh import Mesh, ring_mesh

RINGS = 10


def board() -> Mesh:
    """Return the board of the games that move along rows: ten rings and the centre."""
    return ring_mesh(RINGS, playable_centre=True)


@lru_cache(maxsize=512)
def ways(mesh: Mesh, start: int) -> dict[int, int]:
    """Return every cell in a row with `start`, and the cells between; no two rows join two cells.

    The forks of a row over the centre are ways of their own.
    """
    found: dict[int, int] = {}

    def go(previous: int, cell: int, between: int) -> None:
        found[cell] = between
        for following in mesh.onward(previous, cell):
            go(cell, following, between | 1 << cell)

    for first in cells_of(mesh.neighbours[start]):
        go(start, first, 0)
    return found


@lru_cache(maxsize=512)
def in_a_row(mesh: Mesh, start: int) -> int:
    """Return the set of the cells in a row with `start`."""
    return sum(1 << cell for cell in ways(mesh, start))


def reachable(mesh: Mesh, start: int, filled: int) -> Iterator[int]:
    """Yield the empty cells that a stone on `start` can move to past no stone."""
    for cell, between in ways(mesh, start).items():
        if not filled & (between | 1 << cell):
            yield cell


def run(mesh: Mesh, previous: int, cell: int, stones: int) -> int:
    """Return how many stones stand in unbroken row from `cell` on, coming from `previous`.

    At the centre the longer of the two rows counts.
    """
    if not stones >> cell & 1:
        return 0
    onward = mesh.onward(previous, cell)
    return 1 + max((run(mesh, cell, following, stones) for following in onward), default=0)


def longest_row(mesh: Mesh, cell: int, stones: int) -> int:
    """Return the length of the longest unbroken row of stones through the stone on `cell`."""
    runs = [
        0 if beside is None else run(mesh, cell, beside, stones) for beside in mesh.around[cell]
    ]
    if cell == mesh.centre:
        across = ((one, one + 2) for one in range(mesh.sectors))
        return 1 + max(runs[one] + runs[other % mesh.sectors] for one, other in across)
    return 1 + max(runs[way] + runs[way + 3] for way in range(3))
