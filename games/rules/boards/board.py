"""What every board knows of itself: its cells by name and by number, and its picture in lines.

Cells are numbered from 0 without a gap; a set of cells is an int, bit i standing for cell i.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.rules.boards.lines import Line


class Board:
    """A board of named cells; made once a size and shared, so what is computed of it is kept."""

    if TYPE_CHECKING:  # fields of some boards, computed by the others

        @property
        def names(self) -> tuple[str, ...]:
            """The names of the cells by number."""

        @property
        def lines(self) -> tuple[Line, ...]:
            """The board as text."""

    @cached_property
    def index(self) -> dict[str, int]:
        """The numbers of the cells by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def bits(self) -> dict[str, int]:
        """The cells by name, each as a set of one."""
        return {name: 1 << number for number, name in enumerate(self.names)}

    @cached_property
    def cells(self) -> int:
        """All cells."""
        return (1 << len(self.names)) - 1
