"""The score of *Star: chains that touch the rim, stars and sparks, peries and quarks.

The board has a bridge (not a cell, but it connects all cells of ring 1) or a playable centre. Rim
cells are sets of places, counted clockwise from the first corner. The rules are in `star_star`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from games.rules.boards.board import shared_board
from games.rules.boards.chains import chains
from games.rules.boards.lines import TextLine
from games.rules.boards.mesh import Mesh, ring_mesh
from games.rules.scoring.score_board import BorderChains, ScoreBoard


@dataclass(frozen=True, slots=True)
class StarTally:
    """The peries, quarks and stars that a seat owns."""

    peries: int
    quarks: int
    stars: int

    @property
    def with_quark_peri(self) -> int:
        """The peries, with one more for three or more quarks."""
        return self.peries + (self.quarks >= 3)

    def as_json(self) -> dict[str, int]:
        """Return the three counts by name."""
        return {"peries": self.peries, "quarks": self.quarks, "stars": self.stars}


def standard_terms(own: StarTally, other: StarTally) -> dict[str, int]:
    """Return what a score consists of: the peries, one for three quarks, two for each star fewer.

    The side with more stars loses as many as the other is rewarded.
    """
    return {
        "peries": own.peries,
        "quark_peri": own.with_quark_peri - own.peries,
        "reward": 2 * (other.stars - own.stars),
    }


def standard_score(own: StarTally, other: StarTally) -> int:
    """Return the sum of the terms."""
    return sum(standard_terms(own, other).values())


def alternative_reward(own: StarTally, other: StarTally) -> int:
    """Return the inventor's REWARD, four for each star that the opponent has more."""
    return 4 * (other.stars - own.stars)


def alternative_score(own: StarTally, other: StarTally) -> int:
    """Return the lead by the inventor's alternative count; a positive lead wins."""
    return own.with_quark_peri - other.with_quark_peri + alternative_reward(own, other)


@dataclass(frozen=True, eq=False)
class StarBoard(ScoreBoard):
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
    def beside(self) -> tuple[int, ...]:
        """The neighbours of each cell; a bridge makes none."""
        return self.mesh.neighbours

    @cached_property
    def border_places(self) -> tuple[int, ...]:
        """The place of each rim cell; one more place is the bridge, which ring 1 touches."""
        bridged = 0 if self.mesh.playable_centre else self.mesh.first_ring
        start = self.mesh.rim[0]
        return tuple(
            (self.mesh.rim_cells & 1 << cell) >> start | (bridged >> cell & 1) << len(self.mesh.rim)
            for cell in range(len(self.names))
        )

    @cached_property
    def total(self) -> int:
        """The sum of both scores: all peries, and one for most of the five quarks."""
        return len(self.mesh.rim) + 1

    @cached_property
    def _last(self) -> int:
        """The number of the last place of a rim cell."""
        return len(self.mesh.rim) - 1

    @cached_property
    def rim(self) -> int:
        """The places of all rim cells."""
        return self.mesh.rim_cells >> self.mesh.rim[0]

    @cached_property
    def corners(self) -> int:
        """The places with a quark."""
        return sum(1 << place for place in range(0, len(self.mesh.rim), self.mesh.rings))

    def cells_at(self, places: int) -> int:
        """Return the rim cells at some places."""
        return places << self.mesh.rim[0]

    def border_chains(self, touched: Collection[int]) -> BorderChains:
        """Return the stars and sparks of one colour, given the places that each chain touches.

        If all other cells, and the bridge, are of the other colour, then it is on the rim:

        - On a triangulated disc two sets of cells that complement each other separate each other.
          If the rim changes between them k times each way, then b chains of the one, which is
          without the bridge, and k + 1 - b of the other touch the rim.
        - A single rim cell is a spark of the other colour exactly if both its neighbours on the rim
          are in one chain of the first, which then owns its peri.

        A star surrounds the one or two rim cells of a part of the board that it cuts off from all
        others: there the other colour can gain nothing, since a star of two peries pays them back.
        The bridge connects two such parts, of one cell each, if it is all that connects the star.
        """
        rim, last = self.rim, self._last
        chains = stars = star_rim = sparks = single = pairs = 0
        bridged = bridged_stars = bridged_rim = 0
        for places in touched:
            cells = places & rim
            is_star = cells & (cells - 1) != 0
            if is_star:
                stars += 1
                star_rim |= cells
                after, before = cells << 1 | cells >> last, cells >> 1 | cells << last
                single |= after & before
                pairs |= after & (before >> 1 | before << last)
            elif cells:
                sparks |= cells
            else:
                continue
            chains += 1
            if places != cells:
                bridged += 1
                bridged_stars += is_star
                bridged_rim |= cells
        single &= rim
        pairs &= rim
        surrounded = single | pairs | self._clockwise(pairs)
        free = rim ^ (star_rim | sparks)
        changes = (free & self._clockwise(rim ^ free)).bit_count()
        other_stars = changes + 1 - chains - (free & single).bit_count()
        if bridged > 1:
            stars += 1 - bridged_stars
            star_rim |= bridged_rim
            sparks &= ~bridged_rim
            gaps = self._between(bridged_rim) & ~(bridged_rim | single)
            if bridged == gaps.bit_count() == 2:
                surrounded |= gaps
        least = self._peries(star_rim | single) + 2 * (other_stars - stars)
        return BorderChains(stars, star_rim, sparks, least, surrounded & ~star_rim)

    def owned(self, own: BorderChains, other: BorderChains) -> int:
        """Return the places whose peries belong to `own`, given the opponent's chains."""
        star_rim, sparks = own.star_border, other.other_border
        owned = star_rim | own.surrounded & ~other.star_border
        return owned | sparks & self._between(star_rim) if sparks else owned

    def detail(self, own: BorderChains, other: BorderChains) -> dict[str, int]:
        """Return the peries, quarks and stars of a seat, given the opponent's chains."""
        owned = self.owned(own, other)
        quarks = (owned & self.corners).bit_count()
        return StarTally(owned.bit_count(), quarks, own.stars).as_json()

    def star_chains(self, stones: int) -> tuple[int, ...]:
        """Return the chains of `stones` that are stars."""
        rim = self.mesh.rim_cells
        touching_rim = chains(stones, self.neighbours, touching=rim)
        return tuple(chain for chain in touching_rim if (chain & rim).bit_count() > 1)

    def _peries(self, owned: int) -> int:
        """Return what the rim cells that a seat owns count, with the bonus for three quarks."""
        return owned.bit_count() + ((owned & self.corners).bit_count() >= 3)

    def _clockwise(self, places: int) -> int:
        """Return the places that follow these clockwise."""
        return (places << 1 | places >> self._last) & self.rim

    def _between(self, places: int) -> int:
        """Return the places that have one of these on both sides."""
        last = self._last
        return (places << 1 | places >> last) & (places >> 1 | places << last) & self.rim


@shared_board
def star_board(rings: int, *, bridge: bool) -> StarBoard:
    """Return the board of this size; the same object each time."""
    return StarBoard(ring_mesh(rings, playable_centre=not bridge))
