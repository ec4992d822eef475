"""A board on which chains score by what they touch of the border."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from games.rules.boards.board import Board
from games.rules.boards.forest import empty_forest, plant_stones
from games.rules.outcome import Bounds


class BorderChains(NamedTuple):
    """The chains of one colour that touch the border.

    `stars` is a number, `star_border` what the stars touch of the border, `other_border` what the
    other chains touch. `least` is the score if the other colour had all other cells.
    """

    stars: int
    star_border: int
    other_border: int
    least: int


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

    def is_open(self, first: int, second: int) -> bool:
        """Return True if few border cells show that the score is open with these stones."""
        return False

    def chains_of(self, stones: int) -> BorderChains:
        """Return the chains of `stones` that touch the border."""
        parents = empty_forest(len(self.names))
        touched = plant_stones(parents, stones, self.beside, self.border_places)
        return self.border_chains(touched.values())

    def bounds(self, first: BorderChains, second: BorderChains) -> Bounds:
        """Return the least and the most that each seat can score on a full board."""
        least, second_least = first.least, second.least
        return (least, self.total - second_least), (second_least, self.total - least)
