"""A board on which chains score by what they touch of the border."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from games.rules.boards.board import Board
from games.rules.outcome import Bounds


class BorderChains(NamedTuple):
    """The chains of one colour that touch the border.

    `stars` is a number, `star_border` what the stars touch of the border, `other_border` what the
    other chains touch. `least` is the score if the other colour had all other cells. `surrounded`
    is what stars own beside what they touch, unless a star of the other colour touches it.
    """

    stars: int
    star_border: int
    other_border: int
    least: int
    surrounded: int = 0


class ScoreBoard(Board, ABC):
    """A board with its scoring. An additional stone never lowers the score of its owner."""

    if TYPE_CHECKING:  # fields of some subclasses, computed by the others

        @property
        def beside(self) -> Sequence[int]:
            """The neighbours of each cell."""

        @property
        def border_places(self) -> Sequence[int]:
            """What a stone on each cell touches of the border."""

        @property
        def total(self) -> int:
            """The sum of both scores on every full board."""

    @abstractmethod
    def border_chains(self, touched: Collection[int]) -> BorderChains:
        """Return the chains of one colour, given what each of them touches of the border."""

    @abstractmethod
    def detail(self, own: BorderChains, other: BorderChains) -> Mapping[str, int]:
        """Return the counts of a seat, given the opponent's chains."""

    def chains_of(self, stones: int) -> BorderChains:
        """Return the chains of `stones` that touch the border."""
        beside, places = self.beside, self.border_places
        touched, rest = [], stones
        while seeds := rest & self._border:
            frontier, here = seeds & -seeds, 0
            rest ^= frontier
            while frontier:
                stone = frontier & -frontier
                cell = stone.bit_length() - 1
                reached = beside[cell] & rest
                rest ^= reached
                frontier ^= stone | reached
                here |= places[cell]
            touched.append(here)
        return self.border_chains(touched)

    @cached_property
    def _border(self) -> int:
        """The cells on which a stone touches the border."""
        return sum(1 << cell for cell, places in enumerate(self.border_places) if places)

    def bounds(self, first: BorderChains, second: BorderChains) -> Bounds:
        """Return the least and the most that each seat can score on a full board."""
        least, second_least = first.least, second.least
        return (least, self.total - second_least), (second_least, self.total - least)
