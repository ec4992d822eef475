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
from games.rules.outcome import Bounds


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


@dataclass(frozen=True, slots=True)
class StarGroups:
    """The chains of one colour, each with the border hexes that it touches, and their stars.

    `own` are its stars, `around` those of the other colour if it had all other cells.
    """

    stones: int
    chains: tuple[tuple[int, int], ...]
    own: Stars
    around: Stars


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
        return self.groups(stones).own

    def groups(self, stones: int, known: StarGroups | None = None) -> StarGroups:
        """Return the chains of one colour, extended from `known` if these are earlier stones."""
        if known is not None and known.stones == stones:
            return known
        grown: tuple[tuple[int, int], ...] = ()
        added = stones
        if known is not None and not known.stones & ~stones:
            grown, added = known.chains, stones & ~known.stones
        for cell in cells_of(added):
            grown = self._with_stone(grown, cell)
        counts = [touched.bit_count() for _, touched in grown]
        stars = [count for count in counts if count >= 3]
        return StarGroups(stones, grown, Stars(len(stars), sum(stars)), self._around(grown))

    def star_chains(self, stones: int) -> tuple[int, ...]:
        """Return the chains of `stones` that are stars."""
        touched = self._touched_by_chain(stones)
        return tuple(chain for chain, number in touched.items() if number >= 3)

    def bounds(self, first: StarGroups, second: StarGroups) -> Bounds:
        """Return the least and the most that each seat can score on a full board."""
        return (
            (first.own.score, second.around.score),
            (second.own.score, first.around.score),
        )

    @cached_property
    def _open_edges(self) -> tuple[tuple[int, int], ...]:
        """The border cells that touch two hexes, each with its two neighbours on the border."""
        border = list(cells_of(self.hexes.border))
        return tuple(
            (1 << cell, sum(1 << n for n in border if n != cell and self.touched_by[n] & touched))
            for cell in border
            if (touched := self.touched_by[cell]).bit_count() == 2
        )

    def _with_stone(
        self, grown: tuple[tuple[int, int], ...], cell: int
    ) -> tuple[tuple[int, int], ...]:
        """Return the chains after a stone, which joins the chains beside it."""
        beside = self.hexes.neighbours[cell]
        joined, touched = 1 << cell, self.touched_by[cell]
        apart = []
        for chain in grown:
            if chain[0] & beside:
                joined |= chain[0]
                touched |= chain[1]
            else:
                apart.append(chain)
        return (*apart, (joined, touched))

    def _around(self, grown: tuple[tuple[int, int], ...]) -> Stars:
        """Return the stars of the other colour if it had all other cells.

        Of a border that changes colour k times each way, b chains of the one colour and k + 1 - b
        of the other are on it: on a triangulated disc they separate each other. Only a chain with
        a single border cell can touch fewer than three border hexes; it is between two cells of
        one chain of the other colour.
        """
        border = self.hexes.border
        filled = hexes = count = 0
        for chain, touched in grown:
            if touched:
                filled |= chain
                hexes |= touched
                count += 1
        filled &= border
        free = border & ~filled
        if not filled or not free:
            return Stars(1, self._hexes.bit_count()) if free else Stars(0, 0)
        threes = self._threes
        changes = hexes.bit_count() - filled.bit_count() - (filled & threes).bit_count()
        touches = changes + free.bit_count() + (free & threes).bit_count()
        single = 0
        for cell, beside in self._open_edges:
            if free & cell and filled & beside == beside:
                single += any(chain & beside == beside for chain, _ in grown)
        return Stars(changes + 1 - count - single, touches - 2 * single)

    @cached_property
    def _hexes(self) -> int:
        """All border hexes."""
        found = 0
        for touched in self.touched_by:
            found |= touched
        return found

    @cached_property
    def _threes(self) -> int:
        """The border cells that touch three border hexes."""
        return sum(1 << n for n, touched in enumerate(self.touched_by) if touched.bit_count() == 3)

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
