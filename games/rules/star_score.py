"""How *Star counts: chains that touch the rim, stars and sparks, peries and quarks.

The same counting serves the board with a bridge (no cell, but all cells of ring 1 hang together
through it) and the board with a playable centre. The rules are told in `star_star`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from games.rules.boards.board import Board
from games.rules.boards.chains import chains
from games.rules.boards.lines import Line
from games.rules.boards.mesh import Mesh, ring_mesh
from games.rules.position import Bounds, Score


@dataclass(frozen=True, slots=True)
class Tally:
    """What one seat owns."""

    peries: int
    quarks: int
    stars: int

    def as_dict(self) -> dict[str, int]:
        """Return the three counts by name."""
        return {"peries": self.peries, "quarks": self.quarks, "stars": self.stars}


def standard_score(own: Tally, other: Tally) -> int:
    """Return peries + 1 for three or more quarks + 2 x (the other's stars - own stars)."""
    return own.peries + (own.quarks >= 3) + 2 * (other.stars - own.stars)


def alternative_score(own: Tally, other: Tally) -> int:
    """Return the lead that the inventor's other way of counting shows; above zero wins."""
    bonus = (own.quarks >= 3) - (other.quarks >= 3)
    return own.peries - other.peries + bonus + 4 * (other.stars - own.stars)


@dataclass(frozen=True, slots=True)
class RimChains:
    """The chains of one colour that touch the rim, as far as counting needs them."""

    stars: int
    star_rim: int
    sparks: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What a position holds: both tallies as the stones stand, and the bounds of the scores."""

    first: Tally
    second: Tally
    bounds: Bounds


@dataclass(frozen=True, eq=False)
class StarBoard(Board):
    """A ring mesh of five sectors to score on; made once a size by `star_board`."""

    mesh: Mesh

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells by number."""
        return self.mesh.names

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The board as text."""
        return self.mesh.lines

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """The neighbours of each cell; the bridge makes those of ring 1 neighbours."""
        beside = list(self.mesh.neighbours)
        if not self.mesh.playable_centre:
            for cell in range(self.mesh.sectors):
                beside[cell] |= self.mesh.first_ring ^ (1 << cell)
        return tuple(beside)

    @cached_property
    def rim(self) -> int:
        """The rim cells."""
        return self.mesh.rim_cells

    @cached_property
    def corners(self) -> int:
        """The cells that carry a quark."""
        return sum(1 << cell for cell in self.mesh.corners)

    @cached_property
    def combined_score(self) -> int:
        """What both scores add up to."""
        return len(self.mesh.rim) + 1

    def rim_chains(self, stones: int) -> RimChains:
        """Sort the chains of `stones` that touch the rim into stars and sparks."""
        rim = self.rim
        stars = star_rim = sparks = 0
        for chain in chains(stones, self.neighbours, touching=rim):
            touched = chain & rim
            if touched & (touched - 1):
                stars += 1
                star_rim |= touched
            else:
                sparks |= touched
        return RimChains(stars, star_rim, sparks)

    def owned(self, own: RimChains, other: RimChains) -> int:
        """Return the rim cells whose peries `own` holds beside `other`."""
        surrounded = self._clockwise(own.star_rim) & self._counterclockwise(own.star_rim)
        return own.star_rim | (other.sparks & surrounded)

    def tally(self, own: RimChains, other: RimChains) -> Tally:
        """Count what `own` holds beside `other`."""
        owned = self.owned(own, other)
        return Tally(owned.bit_count(), (owned & self.corners).bit_count(), own.stars)

    def survey(self, first: int, second: int) -> Survey:
        """Count what both colours own, and bound every ending by the two extreme fills."""
        empty = self.cells & ~(first | second)
        one, two = self.rim_chains(first), self.rim_chains(second)
        least = most = self._score(one, two)
        if empty:
            least = self._score(one, self.rim_chains(second | empty))
            most = self._score(self.rim_chains(first | empty), two)
        bounds = (least[0], most[0]), (most[1], least[1])
        return Survey(self.tally(one, two), self.tally(two, one), bounds)

    def _score(self, one: RimChains, two: RimChains) -> Score:
        first, second = self.tally(one, two), self.tally(two, one)
        return standard_score(first, second), standard_score(second, first)

    @cached_property
    def _first_rim_cell(self) -> int:
        return self.mesh.rim[0]

    def _clockwise(self, rim_cells: int) -> int:
        """Move every rim cell to the next one round the board."""
        return ((rim_cells << 1) & self.rim) | (
            (rim_cells >> self.mesh.rim[-1] & 1) << self._first_rim_cell
        )

    def _counterclockwise(self, rim_cells: int) -> int:
        return ((rim_cells >> 1) & self.rim) | (
            (rim_cells >> self._first_rim_cell & 1) << self.mesh.rim[-1]
        )


@lru_cache(maxsize=16)
def star_board(rings: int, *, bridge: bool) -> StarBoard:
    """Return the scoring board of that size; the same object each time."""
    return StarBoard(ring_mesh(rings, playable_centre=not bridge))
