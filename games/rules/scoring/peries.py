"""The score of *Star: chains that touch the rim, stars and sparks, peries and quarks.

The board has a bridge (not a cell, but it connects all cells of ring 1) or a playable centre. The
rules are in `star_star`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.rules.boards.board import Board, shared_board
from games.rules.boards.chains import chains
from games.rules.boards.lines import TextLine
from games.rules.boards.mesh import Mesh, ring_mesh
from games.rules.position import Bounds, Score


@dataclass(frozen=True, slots=True)
class StarTally:
    """The peries, quarks and stars that a seat owns."""

    peries: int
    quarks: int
    stars: int

    def as_json(self) -> dict[str, int]:
        """Return the three counts by name."""
        return {"peries": self.peries, "quarks": self.quarks, "stars": self.stars}


def standard_score(own: StarTally, other: StarTally) -> int:
    """Return peries + 1 for three or more quarks + 2 x (opponent's stars - own stars)."""
    return own.peries + (own.quarks >= 3) + 2 * (other.stars - own.stars)


def alternative_score(own: StarTally, other: StarTally) -> int:
    """Return the lead by the inventor's alternative count; a positive lead wins."""
    bonus = (own.quarks >= 3) - (other.quarks >= 3)
    return own.peries - other.peries + bonus + 4 * (other.stars - own.stars)


@dataclass(frozen=True, slots=True)
class RimChains:
    """The chains of one colour that touch the rim.

    `stars` is a number, `star_rim` the rim cells of the stars, `sparks` those of the sparks.
    """

    stars: int
    star_rim: int
    sparks: int


@dataclass(frozen=True, slots=True)
class Survey:
    """The tallies of both seats in a position, and the bounds of their scores."""

    first: StarTally
    second: StarTally
    bounds: Bounds


@dataclass(frozen=True, eq=False)
class StarBoard(Board):
    """A ring mesh of five sectors with its scoring, created once per size by `star_board`."""

    mesh: Mesh

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells by number."""
        return self.mesh.names

    @cached_property
    def lines(self) -> tuple[TextLine, ...]:
        """The board as text."""
        return self.mesh.lines

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """The neighbours of each cell; a bridge makes all cells of ring 1 neighbours."""
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
        """The cells with a quark."""
        return sum(1 << cell for cell in self.mesh.corners)

    def rim_chains(self, stones: int) -> RimChains:
        """Return the chains of `stones` that touch the rim, as stars and sparks."""
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
        """Return the rim cells whose peries belong to `own`, given the opponent's chains."""
        surrounded = self._clockwise(own.star_rim) & self._counterclockwise(own.star_rim)
        return own.star_rim | (other.sparks & surrounded)

    def tally(self, own: RimChains, other: RimChains) -> StarTally:
        """Return the tally of `own`, given the opponent's chains."""
        owned = self.owned(own, other)
        return StarTally(owned.bit_count(), (owned & self.corners).bit_count(), own.stars)

    def survey(self, first: int, second: int) -> Survey:
        """Return both tallies, and the bounds of the scores from the two extreme fills."""
        empty = self.cells & ~(first | second)
        own, other = self.rim_chains(first), self.rim_chains(second)
        least = most = self._scores(own, other)
        if empty:
            least = self._scores(own, self.rim_chains(second | empty))
            most = self._scores(self.rim_chains(first | empty), other)
        bounds = (least[0], most[0]), (most[1], least[1])
        return Survey(self.tally(own, other), self.tally(other, own), bounds)

    def star_chains(self, stones: int) -> tuple[int, ...]:
        """Return the chains of `stones` that are stars."""
        touching_rim = chains(stones, self.neighbours, touching=self.rim)
        return tuple(chain for chain in touching_rim if (chain & self.rim).bit_count() > 1)

    def _scores(self, own: RimChains, other: RimChains) -> Score:
        first, second = self.tally(own, other), self.tally(other, own)
        return standard_score(first, second), standard_score(second, first)

    def _clockwise(self, rim_cells: int) -> int:
        """Return the rim cells that follow these clockwise."""
        return ((rim_cells << 1) & self.rim) | (
            (rim_cells >> self.mesh.rim[-1] & 1) << self.mesh.rim[0]
        )

    def _counterclockwise(self, rim_cells: int) -> int:
        """Return the rim cells that precede these clockwise."""
        return ((rim_cells >> 1) & self.rim) | (
            (rim_cells >> self.mesh.rim[0] & 1) << self.mesh.rim[-1]
        )


@shared_board
def star_board(rings: int, *, bridge: bool) -> StarBoard:
    """Return the board of this size; the same object each time."""
    return StarBoard(ring_mesh(rings, playable_centre=not bridge))
