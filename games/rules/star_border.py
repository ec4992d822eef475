"""How Star counts: the border hexes round a hexagon, and the chains that touch three of them.

The rules are told in `star`. The border hexes lie off the board, one beyond each corner and the
others each beside two cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from games.rules.boards.board import Board
from games.rules.boards.chains import cells_of, chains
from games.rules.boards.hexagons import HexBoard, beyond, hexagon, name_of
from games.rules.boards.lines import Line
from games.rules.position import Bounds


@dataclass(frozen=True, slots=True)
class Stars:
    """The stars of one colour: how many, and how many border hexes they touch."""

    stars: int
    touches: int

    @property
    def score(self) -> int:
        """What they score."""
        return self.touches - 2 * self.stars

    def as_dict(self) -> dict[str, int]:
        """Return both counts by name."""
        return {"stars": self.stars, "touches": self.touches}


@dataclass(frozen=True, eq=False)
class BorderBoard(Board):
    """The hexagon with capital letters, and the border hexes that each cell touches."""

    hexes: HexBoard
    touched_by: tuple[int, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells by number."""
        return tuple(name.upper() for name in self.hexes.names)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The board as text."""
        return self.hexes.lines

    @cached_property
    def combined_score(self) -> int:
        """What both scores of a full board add up to."""
        border = 0
        for touched in self.touched_by:
            border |= touched
        return border.bit_count() - 2

    def stars(self, stones: int) -> Stars:
        """Count the stars of one colour's stones."""
        stars = touches = 0
        for chain in chains(stones, self.hexes.neighbours, touching=self.hexes.border):
            touched = 0
            for cell in cells_of(chain & self.hexes.border):
                touched |= self.touched_by[cell]
            if touched.bit_count() >= 3:
                stars += 1
                touches += touched.bit_count()
        return Stars(stars, touches)

    def bounds(self, first: int, second: int) -> Bounds:
        """Return the least and the most each seat can score on a full board."""
        empty = self.cells & ~(first | second)
        return (
            (self.stars(first).score, self.stars(first | empty).score),
            (self.stars(second).score, self.stars(second | empty).score),
        )


@lru_cache(maxsize=32)
def border_board(a: int, b: int, *, two_point_corners: bool) -> BorderBoard:
    """Return the board of that size; the same object each time."""
    hexes = hexagon(a, b)
    touched_by = [0] * len(hexes.names)
    for number, touching in enumerate(beyond(a, b).values()):
        if two_point_corners and len(touching) == 1:
            continue
        for place in touching:
            touched_by[hexes.index[name_of(place)]] |= 1 << number
    return BorderBoard(hexes, tuple(touched_by))
