"""The base class of all boards: cells by name and by number, and a board as lines of text.

Cells are numbered from 0 without gaps; a set of cells is an int in which bit i stands for cell i.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from games.rules.boards.lines import TextLine


class Board:
    """A board of named cells, created once per size and shared, so cached values are reused."""

    if TYPE_CHECKING:  # fields of some subclasses, computed by the others

        @property
        def names(self) -> tuple[str, ...]:
            """The names of the cells by number."""

        @property
        def lines(self) -> tuple[TextLine, ...]:
            """The board as lines of text."""

    @cached_property
    def index(self) -> dict[str, int]:
        """The numbers of the cells by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def bits(self) -> dict[str, int]:
        """The cells by name, each as a set of one cell."""
        return {name: 1 << number for number, name in enumerate(self.names)}

    @cached_property
    def cells(self) -> int:
        """All cells."""
        return (1 << len(self.names)) - 1
