"""The score of *Star: chains that touch the rim, stars and sparks, peries and quarks.

The board has a bridge (not a cell, but it connects all cells of ring 1) or a playable centre. The
rules are in `star_star`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.rules.boards.board import Board, shared_board
from games.rules.boards.chains import cells_of, chains
from games.rules.boards.lines import TextLine
from games.rules.boards.mesh import Mesh, ring_mesh
from games.rules.outcome import Bounds


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
class Groups:
    """The chains of one colour, without those that a bridge makes, and what they are on the rim.

    `own` are its chains on the rim, `around` those of the other colour if it had all other cells.
    """

    stones: int
    chains: tuple[int, ...]
    own: RimChains
    around: RimChains


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

    def owned(self, own: RimChains, other: RimChains) -> int:
        """Return the rim cells whose peries belong to `own`, given the opponent's chains."""
        if not other.sparks:
            return own.star_rim
        surrounded = self._clockwise(own.star_rim) & self._counterclockwise(own.star_rim)
        return own.star_rim | (other.sparks & surrounded)

    def tally(self, own: RimChains, other: RimChains) -> StarTally:
        """Return the tally of `own`, given the opponent's chains."""
        owned = self.owned(own, other)
        return StarTally(owned.bit_count(), (owned & self.corners).bit_count(), own.stars)

    def groups(self, stones: int, known: Groups | None = None) -> Groups:
        """Return the chains of one colour, extended from `known` if these are earlier stones."""
        if known is None or known.stones & ~stones:
            grown = tuple(chains(stones, self.mesh.neighbours))
        elif known.stones == stones:
            return known
        else:
            grown = known.chains
            for cell in cells_of(stones & ~known.stones):
                grown = self._with_stone(grown, cell)
        return Groups(stones, grown, self._own_chains(grown), self._chains_around(grown))

    def rim_chains(self, stones: int) -> RimChains:
        """Return the chains of `stones` that touch the rim, as stars and sparks."""
        return self.groups(stones).own

    def survey(self, first: int, second: int) -> Survey:
        """Return both tallies, and the bounds of the scores from the two extreme fills."""
        return self.survey_of(self.groups(first), self.groups(second))

    def survey_of(self, first: Groups, second: Groups) -> Survey:
        """Return the survey of the stones whose groups are known."""
        own, other = first.own, second.own
        least, most = self._score(own, first.around), self._score(second.around, other)
        # A full board has one total: all peries, the bonus for the majority of the five quarks.
        total = len(self.mesh.rim) + 1
        bounds = (least, most), (total - most, total - least)
        return Survey(self.tally(own, other), self.tally(other, own), bounds)

    def _score(self, own: RimChains, other: RimChains) -> int:
        """Return the standard score of `own`."""
        owned = self.owned(own, other)
        bonus = (owned & self.corners).bit_count() >= 3
        return owned.bit_count() + bonus + 2 * (other.stars - own.stars)

    def _with_stone(self, grown: tuple[int, ...], cell: int) -> tuple[int, ...]:
        """Return the chains after a stone, which joins the chains beside it."""
        beside = self.mesh.neighbours[cell]
        apart = [chain for chain in grown if not chain & beside]
        joined = 1 << cell
        for chain in grown:
            if chain & beside:
                joined |= chain
        return (*apart, joined)

    def _own_chains(self, grown: tuple[int, ...]) -> RimChains:
        """Return the chains that touch the rim; a bridge joins those that touch it."""
        rim, bridge = self.rim, 0 if self.mesh.playable_centre else self.mesh.first_ring
        stars = star_rim = sparks = bridged = 0
        for chain in grown:
            if chain & bridge:
                bridged |= chain
                continue
            touched = chain & rim
            if touched & (touched - 1):
                stars += 1
                star_rim |= touched
            else:
                sparks |= touched
        touched = bridged & rim
        if touched & (touched - 1):
            return RimChains(stars + 1, star_rim | touched, sparks)
        return RimChains(stars, star_rim, sparks | touched)

    def _chains_around(self, grown: tuple[int, ...]) -> RimChains:
        """Return the chains on the rim if all other cells, and the bridge, are of one colour.

        On a triangulated disc two sets of cells that complement each other separate each other:
        if the rim changes between them k times each way, then b chains of the one and k + 1 - b of
        the other touch the rim. A single rim cell is a chain of its own exactly if both its
        neighbours on the rim are in one chain of the other set.
        """
        rim = self.rim
        filled = count = enclosed = 0
        for chain in grown:
            touched = chain & rim
            if touched:
                count += 1
                filled |= touched
                if touched & (touched - 1):
                    enclosed |= self._clockwise(touched) & self._counterclockwise(touched)
        free = rim & ~filled
        if not filled or not free:
            return RimChains(int(not filled), free, 0)
        changes = (free & self._clockwise(filled)).bit_count()
        sparks = free & enclosed
        return RimChains(changes + 1 - count - sparks.bit_count(), free ^ sparks, sparks)

    def star_chains(self, stones: int) -> tuple[int, ...]:
        """Return the chains of `stones` that are stars."""
        touching_rim = chains(stones, self.neighbours, touching=self.rim)
        return tuple(chain for chain in touching_rim if (chain & self.rim).bit_count() > 1)

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
