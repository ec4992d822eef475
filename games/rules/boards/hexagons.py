"""Boards of plain hexagons: the a x b hexagon, the rhombus, the triangle, the curved triangle.

Cells are (column, row), columns lettered from `a`, rows numbered from 1; the names are in lower
case here, and a game that writes capitals says so. Cells are numbered column by column. A side is
the set of its border cells; corners belong to both sides that meet there.

- Rhombus and triangle: neighbours (c, r+-1) (c+-1, r) (c+1, r-1) (c-1, r+1).
- Hexagon with sides a and b in turn: columns 0..a+b-2, rows 1..a+b-1, with
  2 - b <= row - column <= a; neighbours (c, r+-1) (c+-1, r) (c+1, r+1) (c-1, r-1). It has
  (a^2 + b^2 + 4ab - 3(a+b) + 2) / 2 cells, 3(a+b) - 6 of them on the perimeter.
- The curved triangle of 93 cells: a triangle of 15 cells, of which 12 are its perimeter, and four
  rings of 15, 18, 21 and 24 cells round it in three sectors, as in the ring mesh. The corners of
  the inner triangle have five neighbours. Cells are named by sector, ring and offset, the rings
  counted from the inmost three cells: `a10`, `a20`..`a23`, up to `c67` (our own names).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import ascii_lowercase

from games.rules.boards.board import Board
from games.rules.boards.lines import Line, rings_of, rows_of

Place = tuple[int, int]

LEANING_BACK = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
LEANING_ON = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))


@dataclass(frozen=True, eq=False)
class HexBoard(Board):
    """A board of hexagons; made once a size by the functions below and shared.

    `neighbours[i]` is the set of the cells beside cell i; `sides` are sets of cells, in the order
    of going round the board; `lines` are the board as text.
    """

    names: tuple[str, ...]
    neighbours: tuple[int, ...]
    sides: tuple[int, ...]
    lines: tuple[Line, ...]

    @cached_property
    def corners(self) -> tuple[int, ...]:
        """The corner cells: where each side meets the one before it."""
        return tuple(side & self.sides[i - 1] for i, side in enumerate(self.sides))

    @cached_property
    def open_sides(self) -> tuple[int, ...]:
        """The sides without their corners."""
        corners = sum(self.corners)
        return tuple(side & ~corners for side in self.sides)

    @cached_property
    def border(self) -> int:
        """The cells on any side."""
        border = 0
        for side in self.sides:
            border |= side
        return border


def name_of(place: Place) -> str:
    """Return the name of a cell."""
    column, row = place
    return f"{ascii_lowercase[column]}{row}"


def _board(
    places: Iterable[Place],
    steps: tuple[Place, ...],
    sides: Iterable[Iterable[Place]],
) -> HexBoard:
    """Return a board of these cells; neighbouring sides share their corners."""
    numbers = {place: number for number, place in enumerate(places)}

    def cells(of: Iterable[Place]) -> int:
        return sum(1 << numbers[place] for place in of)

    return HexBoard(
        names=tuple(name_of(place) for place in numbers),
        neighbours=tuple(
            cells(place for dc, dr in steps if (place := (c + dc, r + dr)) in numbers)
            for c, r in numbers
        ),
        sides=tuple(cells(side) for side in sides),
        lines=rows_of(numbers, lean=1 if steps is LEANING_BACK else -1),
    )


@lru_cache(maxsize=32)
def rhombus(columns: int, rows: int) -> HexBoard:
    """Return the Hex board; its sides are row 1, the last column, the last row, column a."""
    across, upward = range(columns), range(1, rows + 1)
    return _board(
        [(c, r) for c in across for r in upward],
        LEANING_BACK,
        sides=(
            [(c, 1) for c in across],
            [(columns - 1, r) for r in upward],
            [(c, rows) for c in across],
            [(0, r) for r in upward],
        ),
    )


@lru_cache(maxsize=32)
def triangle(side: int) -> HexBoard:
    """Return the triangle; its sides are row 1, the slanting one, column a."""
    return _board(
        [(c, r) for c in range(side) for r in range(1, side - c + 1)],
        LEANING_BACK,
        sides=(
            [(c, 1) for c in range(side)],
            [(c, side - c) for c in range(side)],
            [(0, r) for r in range(1, side + 1)],
        ),
    )


@lru_cache(maxsize=32)
def hexagon(a: int, b: int) -> HexBoard:
    """Return the hexagon whose sides are a and b cells in turn."""
    wide = a + b - 1
    places = hexagon_places(a, b)
    return _board(
        places,
        LEANING_ON,
        sides=(
            [place for place in places if place[0] == 0],
            [place for place in places if place[1] - place[0] == a],
            [place for place in places if place[1] == wide],
            [place for place in places if place[0] == wide - 1],
            [place for place in places if place[1] - place[0] == 2 - b],
            [place for place in places if place[1] == 1],
        ),
    )


def hexagon_places(a: int, b: int) -> list[Place]:
    """Return the cells of the hexagon in their order."""
    return [(c, r) for c in range(a + b - 1) for r in range(1, a + b) if 2 - b <= r - c <= a]


def beyond(a: int, b: int) -> dict[Place, list[Place]]:
    """Return the border hexes round the hexagon, off the board, with the cells that touch them."""
    places = set(hexagon_places(a, b))
    touching: dict[Place, list[Place]] = {}
    for c, r in sorted(places):
        for dc, dr in LEANING_ON:
            if (c + dc, r + dr) not in places:
                touching.setdefault((c + dc, r + dr), []).append((c, r))
    return touching


@lru_cache(maxsize=1)
def curved_triangle() -> HexBoard:
    """Return the curved board of 93 cells; its sides meet in the cells a60, b60 and c60."""
    sectors, inmost, outmost = "abc", 2, 6
    names = [f"{sector}10" for sector in sectors]
    for ring in range(inmost, outmost + 1):
        names += [f"{sector}{ring}{k}" for sector in sectors for k in range(ring + 2)]
    index = {name: number for number, name in enumerate(names)}
    neighbours = [0] * len(names)

    def cell(sector: int, ring: int, offset: int) -> int:
        around = (sector * (ring + 2) + offset) % (3 * (ring + 2))
        return index[f"{sectors[around // (ring + 2)]}{ring}{around % (ring + 2)}"]

    def join(one: int, other: int) -> None:
        neighbours[one] |= 1 << other
        neighbours[other] |= 1 << one

    for s in range(3):
        join(s, (s + 1) % 3)
        # The inmost cell of a sector lies behind the corner of ring 2. Between them the two cells
        # beside the corner touch, and it touches these two and the next two.
        join(cell(s, inmost, -1), cell(s, inmost, 1))
        for offset in (-2, -1, 1, 2):
            join(s, cell(s, inmost, offset))
        for ring in range(inmost, outmost + 1):
            for k in range(ring + 2):
                join(cell(s, ring, k), cell(s, ring, k + 1))
                if ring < outmost:
                    outward = (k, k + 1) if k else (-1, 0, 1)
                    for offset in outward:
                        join(cell(s, ring, k), cell(s, ring + 1, offset))
    rim = [cell(0, outmost, offset) for offset in range(25)]
    sides = tuple(sum(1 << number for number in rim[8 * s : 8 * s + 9]) for s in range(3))
    rings = [("1", [[0], [1], [2]])]
    for ring in range(inmost, outmost + 1):
        by_sector = [[cell(s, ring, k) for k in range(ring + 2)] for s in range(3)]
        rings.append((str(ring), by_sector))
    return HexBoard(tuple(names), tuple(neighbours), sides, rings_of(rings))
