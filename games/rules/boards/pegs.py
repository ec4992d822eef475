"""The board of TwixT: points, borders, and links that cross one another.

Points are numbered column by column, without the corners. A link joins two points a knight's move
apart. The rules are in `twixt`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import ascii_lowercase

from games.rules.boards.board import Board, shared_board
from games.rules.boards.lines import TextLine, lines_of_rows

Place = tuple[int, int]
Segment = tuple[Place, Place]

KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2))
"""Half of the knight's moves; the other half are their opposites."""


def cross(one: Segment, other: Segment) -> bool:
    """Return True if two links without a common peg cross.

    Links pass through no third point, so they cross exactly if each has the ends of the other on
    different sides.
    """

    def side(segment: Segment, place: Place) -> int:
        (x, y), (to_x, to_y) = segment
        return (to_x - x) * (place[1] - y) - (to_y - y) * (place[0] - x)

    return (
        side(one, other[0]) * side(one, other[1]) < 0
        and side(other, one[0]) * side(other, one[1]) < 0
    )


@dataclass(frozen=True, eq=False)
class PegBoard(Board):
    """A square of points without corners, numbered column by column."""

    size: int

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The points as (column from 0, row from 1)."""
        last = self.size - 1
        return tuple(
            (column, row)
            for column in range(self.size)
            for row in range(1, self.size + 1)
            if not (column in (0, last) and row in (1, self.size))
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the points by number."""
        return tuple(f"{ascii_lowercase[column]}{row}" for column, row in self.places)

    @cached_property
    def lines(self) -> tuple[TextLine, ...]:
        """The board as text."""
        return lines_of_rows(self.places, lean=0)

    @cached_property
    def borders(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two border lines of black (rows), then those of white (columns)."""

        def line(axis: int, value: int) -> int:
            return sum(1 << n for n, place in enumerate(self.places) if place[axis] == value)

        return (line(1, 1), line(1, self.size)), (line(0, 0), line(0, self.size - 1))

    @cached_property
    def links(self) -> tuple[dict[int, tuple[tuple[int, int], ...]], ...]:
        """The points a knight's move from each point, each with the links that cross that link."""
        numbers = {place: number for number, place in enumerate(self.places)}
        table: list[dict[int, tuple[tuple[int, int], ...]]] = []
        for column, row in self.places:
            crossing: dict[int, tuple[tuple[int, int], ...]] = {}
            for sign in (1, -1):
                for step in KNIGHT_STEPS:
                    dx, dy = step[0] * sign, step[1] * sign
                    other = numbers.get((column + dx, row + dy))
                    if other is not None:
                        crossing[other] = tuple(
                            (numbers[start], numbers[end])
                            for (x, y), (to_x, to_y) in crossing_links(dx, dy)
                            if (start := (column + x, row + y)) in numbers
                            and (end := (column + to_x, row + to_y)) in numbers
                        )
            table.append(crossing)
        return tuple(table)


@lru_cache(maxsize=8)
def crossing_links(dx: int, dy: int) -> tuple[Segment, ...]:
    """Return the links that cross the link from (0, 0) to (dx, dy)."""
    link = (0, 0), (dx, dy)
    found = []
    for x in range(-3, 4):
        for y in range(-3, 4):
            for step_x, step_y in KNIGHT_STEPS:
                other = (x, y), (x + step_x, y + step_y)
                if not set(link) & set(other) and cross(link, other):
                    found.append(other)
    return tuple(found)


@shared_board
def peg_board(size: int) -> PegBoard:
    """Return the board of this size; the same object each time."""
    return PegBoard(size)
