"""Boards of hexagons: the a x b hexagon, the rhombus, the triangle, the curved triangle.

Cells are (column, row), columns lettered from `a`, rows numbered from 1; names are in lower case
here, and a game with capital letters converts them. Cells are numbered column by column. A side is
a set of border cells; a corner belongs to both sides that meet there.

- Rhombus and triangle: neighbours (c, r+-1) (c+-1, r) (c+1, r-1) (c-1, r+1).
- Hexagon with alternating sides a and b: columns 0..a+b-2, rows 1..a+b-1, with
  2 - b <= row - column <= a; neighbours (c, r+-1) (c+-1, r) (c+1, r+1) (c-1, r-1). It has
  (a^2 + b^2 + 4ab - 3(a+b) + 2) / 2 cells, 3(a+b) - 6 of them on the perimeter.
- The curved triangle of 93 cells: a triangle of 15 cells, of which 12 are its perimeter, and four
  rings of 15, 18, 21 and 24 cells around it in three sectors, as in the ring mesh. The corners of
  the inner triangle have five neighbours. Cells are named by sector, ring and offset; rings are
  counted from the innermost three cells: `a10`, `a20`..`a23`, up to `c67` (our own names).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from games.rules.boards.board import Board, shared_board
from games.rules.boards.lines import TextLine, lines_of_rings, lines_of_rows

Place = tuple[int, int]

RHOMBUS_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
HEXAGON_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))


@dataclass(frozen=True, eq=False)
class HexBoard(Board):
    """A board of hexagons, created once per size by the functions below and shared.

    `neighbours[i]` is the set of the cells next to cell i; `sides` are sets of cells, in order
    around the board; `lines` are the board as text.
    """

    names: tuple[str, ...]
    neighbours: tuple[int, ...]
    sides: tuple[int, ...]
    lines: tuple[TextLine, ...]

    @cached_property
    def corners(self) -> tuple[int, ...]:
        """The corner cells, where each side meets the previous one."""
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
    places: Iterable[Place], steps: tuple[Place, ...], sides: Iterable[Iterable[Place]]
) -> HexBoard:
    """Return a board of these cells; adjacent sides share their corners."""
    numbers = {place: number for number, place in enumerate(places)}

    def cells(places: Iterable[Place]) -> int:
        return sum(1 << numbers[place] for place in places)

    return HexBoard(
        names=tuple(name_of(place) for place in numbers),
        neighbours=tuple(
            cells(place for dc, dr in steps if (place := (c + dc, r + dr)) in numbers)
            for c, r in numbers
        ),
        sides=tuple(cells(side) for side in sides),
        lines=lines_of_rows(numbers, lean=1 if steps is RHOMBUS_STEPS else -1),
    )


@shared_board
def rhombus(columns: int, rows: int) -> HexBoard:
    """Return the Hex board; its sides are row 1, the last column, the last row, column a."""
    column_range, row_range = range(columns), range(1, rows + 1)
    return _board(
        [(c, r) for c in column_range for r in row_range],
        RHOMBUS_STEPS,
        sides=(
            [(c, 1) for c in column_range],
            [(columns - 1, r) for r in row_range],
            [(c, rows) for c in column_range],
            [(0, r) for r in row_range],
        ),
    )


@shared_board
def triangle(side: int) -> HexBoard:
    """Return the triangle; its sides are row 1, the diagonal, column a."""
    return _board(
        [(c, r) for c in range(side) for r in range(1, side - c + 1)],
        RHOMBUS_STEPS,
        sides=(
            [(c, 1) for c in range(side)],
            [(c, side - c) for c in range(side)],
            [(0, r) for r in range(1, side + 1)],
        ),
    )


@shared_board
def hexagon(a: int, b: int) -> HexBoard:
    """Return the hexagon whose sides are alternately a and b cells long."""
    size = a + b - 1
    places = hexagon_places(a, b)
    return _board(
        places,
        HEXAGON_STEPS,
        sides=(
            [place for place in places if place[0] == 0],
            [place for place in places if place[1] - place[0] == a],
            [place for place in places if place[1] == size],
            [place for place in places if place[0] == size - 1],
            [place for place in places if place[1] - place[0] == 2 - b],
            [place for place in places if place[1] == 1],
        ),
    )


def hexagon_places(a: int, b: int) -> list[Place]:
    """Return the cells of the hexagon in the order of their numbers."""
    return [(c, r) for c in range(a + b - 1) for r in range(1, a + b) if 2 - b <= r - c <= a]


def hexagon_neighbours(place: Place) -> set[Place]:
    """Return the six places next to a place of a hexagon, on the board or off it."""
    column, row = place
    return {(column + dc, row + dr) for dc, dr in HEXAGON_STEPS}


def border_hexes(places: Iterable[Place]) -> dict[Place, list[Place]]:
    """Return the hexes just outside a hexagon, each with the cells that touch it."""
    inside = set(places)
    touching: dict[Place, list[Place]] = {}
    for place in sorted(inside):
        for outer in sorted(hexagon_neighbours(place) - inside):
            touching.setdefault(outer, []).append(place)
    return touching


@shared_board
def curved_triangle() -> HexBoard:
    """Return the curved board of 93 cells; its sides meet in the cells a60, b60 and c60."""
    sectors, innermost, outermost = "abc", 2, 6
    names = [f"{sector}10" for sector in sectors]
    for ring in range(innermost, outermost + 1):
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
        # The innermost cell of a sector lies behind the corner of ring 2. Between them the two
        # cells next to the corner touch, and it touches these two and the next two.
        join(cell(s, innermost, -1), cell(s, innermost, 1))
        for offset in (-2, -1, 1, 2):
            join(s, cell(s, innermost, offset))
        for ring in range(innermost, outermost + 1):
            for k in range(ring + 2):
                join(cell(s, ring, k), cell(s, ring, k + 1))
                if ring < outermost:
                    outward = (k, k + 1) if k else (-1, 0, 1)
                    for offset in outward:
                        join(cell(s, ring, k), cell(s, ring + 1, offset))
    rim = [cell(0, outermost, offset) for offset in range(25)]
    sides = tuple(sum(1 << number for number in rim[8 * s : 8 * s + 9]) for s in range(3))
    rings = [("1", [[0], [1], [2]])]
    for ring in range(innermost, outermost + 1):
        by_sector = [[cell(s, ring, k) for k in range(ring + 2)] for s in range(3)]
        rings.append((str(ring), by_sector))
    return HexBoard(tuple(names), tuple(neighbours), sides, lines_of_rings(rings))
