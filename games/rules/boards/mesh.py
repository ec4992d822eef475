"""The ring mesh: rings of cells around a centre, divided into sectors by rays.

A cell is (sector s, ring r, offset k) with 0 <= k < r: ring r is a closed cycle of
`sectors * r` cells, the cells with k = 0 lie on the rays. Sectors and offsets run clockwise.

- Five sectors are named `* S T A R`; with the A arm up, `*` points to the lower right. Nine
  sectors are named A to I. A cell's name is the sector's letter, the last digit of the ring (0
  for 10) and the offset: `S60`, `*00`, `T07`. A playable centre is `C`.
- Neighbours of a cell with k > 0, clockwise: (r, k+1) (r+1, k+1) (r+1, k) (r, k-1) (r-1, k-1)
  (r-1, k); of a ray cell: (r, 1) (r+1, 1) (r+1, 0) (r+1, -1) (r, -1) (r-1, 0). An offset outside
  0..r-1 wraps into the next or the previous sector. The cells of ring 1 touch the centre.
- A row passes a cell through opposite neighbours, the i-th and the (i+3)-th: along a ring it
  leaves outward where it meets a ray. At the centre of five sectors a row that enters from ray s
  continues to ray s+2 or s+3, so it forks.

Cells are numbered ring by ring from the centre outward, clockwise from the first sector; a
playable centre has the last number. A set of cells is an int in which bit i stands for cell i.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from games.rules.boards.board import Board, shared_board
from games.rules.boards.lines import TextLine, lines_of_rings

STAR_SECTORS = "*STAR"
CENTRE = "C"


@dataclass(frozen=True, eq=False)
class Mesh(Board):
    """A ring mesh, created once per size by `ring_mesh` and shared."""

    rings: int
    sectors: int
    playable_centre: bool

    @cached_property
    def letters(self) -> str:
        """The letters of the sectors, clockwise."""
        return STAR_SECTORS if self.sectors == 5 else "ABCDEFGHI"[: self.sectors]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells by number."""
        names = [
            f"{self.letters[sector]}{ring % 10}{offset}"
            for ring in range(1, self.rings + 1)
            for sector in range(self.sectors)
            for offset in range(ring)
        ]
        return tuple(names + [CENTRE] * self.playable_centre)

    @cached_property
    def centre(self) -> int | None:
        """The number of the centre, None if it is not playable."""
        return len(self.names) - 1 if self.playable_centre else None

    def cell(self, sector: int, ring: int, offset: int) -> int | None:
        """Return the number of a cell, None off the board; offsets outside the ring wrap."""
        if not 1 <= ring <= self.rings:
            return None
        around = (sector * ring + offset) % (self.sectors * ring)
        return self.sectors * ring * (ring - 1) // 2 + around

    def place(self, number: int) -> tuple[int, int, int]:
        """Return the (sector, ring, offset) of a cell other than the centre."""
        ring = 1
        while number >= self.sectors * ring:
            number -= self.sectors * ring
            ring += 1
        return number // ring, ring, number % ring

    @cached_property
    def around(self) -> tuple[tuple[int | None, ...], ...]:
        """The neighbours of each cell, clockwise; i is opposite i + 3; None is off the board.

        The neighbours of the centre are the cells of ring 1 by sector, without opposites.
        """
        table: list[tuple[int | None, ...]] = []
        for number in range(len(self.names) - self.playable_centre):
            sector, ring, offset = self.place(number)
            cells = [self.cell(sector, r, k) for r, k in neighbour_places(ring, offset)]
            if ring == 1:
                cells[-1] = self.centre
            table.append(tuple(cells))
        if self.playable_centre:
            table.append(tuple(range(self.sectors)))
        return tuple(table)

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """The neighbours of each cell as a set of cells, without a bridge."""
        return tuple(
            sum(1 << cell for cell in {cell for cell in ring if cell is not None})
            for ring in self.around
        )

    @cached_property
    def first_ring(self) -> int:
        """The cells that touch the centre."""
        return (1 << self.sectors) - 1

    @cached_property
    def rim(self) -> tuple[int, ...]:
        """The cells of the outermost ring, clockwise from the first corner."""
        start = self.sectors * self.rings * (self.rings - 1) // 2
        return tuple(range(start, start + self.sectors * self.rings))

    @cached_property
    def rim_cells(self) -> int:
        """The rim as a set of cells."""
        return sum(1 << cell for cell in self.rim)

    @cached_property
    def corners(self) -> tuple[int, ...]:
        """The rim cell of each ray, by sector."""
        return self.rim[:: self.rings]

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The cells of each side, by sector, including both its corners."""
        rim = self.rim + self.rim[:1]
        return tuple(
            sum(1 << cell for cell in rim[s * self.rings : (s + 1) * self.rings + 1])
            for s in range(self.sectors)
        )

    def sides_of(self, cells: int) -> Iterator[str]:
        """Yield the names of the sides that some cells touch: the letters of both corners."""
        letters = [self.names[corner][0] for corner in self.corners]
        for sector, side in enumerate(self.sides):
            if cells & side:
                yield f"{letters[sector]}–{letters[(sector + 1) % self.sectors]}"

    @cached_property
    def lines(self) -> tuple[TextLine, ...]:
        """The board as text: the centre if it is playable, then each ring by sectors."""
        numbers = iter(range(len(self.names)))
        rings = [
            (str(ring), [[next(numbers) for _ in range(ring)] for _ in range(self.sectors)])
            for ring in range(1, self.rings + 1)
        ]
        centre = [] if self.centre is None else [(CENTRE, [[self.centre]])]
        return lines_of_rings(centre + rings)

    def onward(self, previous: int, cell: int) -> tuple[int, ...]:
        """Return the cells that follow in a row from `previous` over its neighbour `cell`.

        One cell; none at the rim; two at the centre, where the row forks.
        """
        if cell == self.centre:
            turns = self.sectors // 2, self.sectors - self.sectors // 2
            return tuple(sorted((previous + turn) % self.sectors for turn in turns))
        around = self.around[cell]
        following = around[(around.index(previous) + 3) % 6]
        return () if following is None else (following,)


def neighbour_places(ring: int, offset: int) -> tuple[tuple[int, int], ...]:
    """Return (ring, offset) of the neighbours of a cell, clockwise, the inward one last."""
    r, k = ring, offset
    if k:
        return (r, k + 1), (r + 1, k + 1), (r + 1, k), (r, k - 1), (r - 1, k - 1), (r - 1, k)
    return (r, 1), (r + 1, 1), (r + 1, 0), (r + 1, -1), (r, -1), (r - 1, 0)


@shared_board
def ring_mesh(rings: int, sectors: int = 5, *, playable_centre: bool = False) -> Mesh:
    """Return the mesh of this size; the same object each time.

    Raise ValueError unless there are 1 to 10 rings, so that names are unique, and 5 or 9 sectors.
    """
    if not 1 <= rings <= 10 or sectors not in (5, 9):
        raise ValueError(f"no ring mesh of {rings} rings and {sectors} sectors")
    return Mesh(rings, sectors, playable_centre)
