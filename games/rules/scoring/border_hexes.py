"""The score of Star: the border hexes around a hexagon, and the chains that touch three of them.

The border hexes lie off the board: one beyond each corner, the others next to two cells each. The
rules are in `star`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.rules.boards.board import Board, shared_board
from games.rules.boards.chains import cells_of, chains
from games.rules.boards.hexagons import HexBoard, border_hexes, hexagon, hexagon_places, name_of
from games.rules.boards.lines import TextLine
from games.rules.position import Bounds


@dataclass(frozen=True, slots=True)
class Stars:
    """The stars of one colour: how many, and how many border hexes they touch."""

    stars: int
    touches: int

    @property
    def score(self) -> int:
        """The points that they score."""
        return self.touches - 2 * self.stars

    def as_json(self) -> dict[str, int]:
        """Return both counts by name."""
        return {"stars": self.stars, "touches": self.touches}


@dataclass(frozen=True, eq=False)
class BorderBoard(Board):
    """The hexagon with capital letters, and the border hexes that each cell touches (a set)."""

    hexes: HexBoard
    touched_by: tuple[int, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells by number."""
        return tuple(name.upper() for name in self.hexes.names)

    @cached_property
    def lines(self) -> tuple[TextLine, ...]:
        """The board as text."""
        return self.hexes.lines

    def stars(self, stones: int) -> Stars:
        """Return the counts of one colour's stones."""
        stars = [touched for touched in self._touched_by_chain(stones).values() if touched >= 3]
        return Stars(len(stars), sum(stars))

    def star_chains(self, stones: int) -> tuple[int, ...]:
        """Return the chains of `stones` that are stars."""
        touched = self._touched_by_chain(stones)
        return tuple(chain for chain, number in touched.items() if number >= 3)

    def bounds(self, first: int, second: int) -> Bounds:
        """Return the least and the most that each seat can score on a full board."""
        empty = self.cells & ~(first | second)
        return (
            (self.stars(first).score, self.stars(first | empty).score),
            (self.stars(second).score, self.stars(second | empty).score),
        )

    def _touched_by_chain(self, stones: int) -> dict[int, int]:
        """Return the chains on the border with the number of border hexes that each touches."""
        numbers = {}
        for chain in chains(stones, self.hexes.neighbours, touching=self.hexes.border):
            touched = 0
            for cell in cells_of(chain & self.hexes.border):
                touched |= self.touched_by[cell]
            numbers[chain] = touched.bit_count()
        return numbers


@shared_board
def border_board(a: int, b: int, *, two_point_corners: bool) -> BorderBoard:
    """Return the board of this size; the same object each time."""
    hexes = hexagon(a, b)
    touched_by = [0] * len(hexes.names)
    for number, touching in enumerate(border_hexes(hexagon_places(a, b)).values()):
        if two_point_corners and len(touching) == 1:
            continue
        for place in touching:
            touched_by[hexes.index[name_of(place)]] |= 1 << number
    return BorderBoard(hexes, tuple(touched_by))
