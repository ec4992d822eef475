"""The score of Star: the border hexes around a hexagon, and the chains that touch three of them.

The border hexes lie off the board: one beyond each corner, the others next to two cells each. The
rules are in `star`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from games.rules.boards.board import shared_board
from games.rules.boards.chains import cells_of, chains
from games.rules.boards.hexagons import HexBoard, border_hexes, hexagon, hexagon_places, name_of
from games.rules.boards.lines import TextLine
from games.rules.scoring.score_board import BorderChains, ScoreBoard


@dataclass(frozen=True, eq=False)
class BorderBoard(ScoreBoard):
    """The hexagon with capital letters, and the border hexes that each cell touches (a set)."""

    hexes: HexBoard
    border_places: tuple[int, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells by number."""
        return tuple(name.upper() for name in self.hexes.names)

    @cached_property
    def lines(self) -> tuple[TextLine, ...]:
        """The board as text."""
        return self.hexes.lines

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """The neighbours of each cell."""
        return self.hexes.neighbours

    @cached_property
    def total(self) -> int:
        """The sum of both scores: that of one star around the board."""
        return len(set().union(*map(cells_of, self.border_places))) - 2

    def border_chains(self, touched: Collection[int]) -> BorderChains:
        """Return the stars of one colour, given the border hexes that each chain touches.

        Two chains of one colour never touch the same border hex. The other colour scores the rest
        of the total if it has all other cells, so `least` are the points that the stars score.
        """
        stars = star_hexes = other_hexes = 0
        for hexes in touched:
            if hexes.bit_count() >= 3:
                stars += 1
                star_hexes |= hexes
            else:
                other_hexes |= hexes
        return BorderChains(stars, star_hexes, other_hexes, star_hexes.bit_count() - 2 * stars)

    def detail(self, own: BorderChains, other: BorderChains) -> dict[str, int]:
        """Return the stars of a seat and how many border hexes they touch."""
        return {"stars": own.stars, "touches": own.star_border.bit_count()}

    def star_chains(self, stones: int) -> tuple[int, ...]:
        """Return the chains of `stones` that are stars."""
        on_border = chains(stones, self.beside, touching=self.hexes.border)
        return tuple(chain for chain in on_border if self.chains_of(chain).stars)


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
