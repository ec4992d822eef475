"""Games of placing that a winning shape ends: the first to make one wins at once.

A shape is only ever made by the stone just placed, so a position remembers who has won and looks
no further than at that stone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from games.rules.boards.chains import cells_of
from games.rules.boards.lines import Stones
from games.rules.placement import Placement
from games.rules.position import Outcome, Termination
from games.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class GoalPlacement(Placement):
    """Stones on a board, and the seat that has made the winning shape."""

    winner: Seat | None = None

    @abstractmethod
    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return whether the stone just placed on `cell` makes a winning shape for its seat."""

    @property
    def is_over(self) -> bool:
        """Whether a shape is made, or the board is full."""
        return self.winner is not None or not self.empty

    def place(self, stones: int) -> Self:
        """Return the position after a stone (a set of one cell), won if it makes a shape."""
        seat = self.to_move
        after = Placement.place(self, stones)
        won = after.has_won(seat, stones.bit_length() - 1)
        return replace(after, winner=seat) if won else after

    def outcome(self) -> Outcome:
        """Return the win, or the draw of a full board without one."""
        if self.winner is not None:
            return Outcome(termination=Termination.GOAL, winner=self.winner)
        if not self.empty:
            return Outcome(termination=Termination.FULL, draw=True)
        return Outcome()

    def pictured(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows; who has won is seen from the stones."""
        position = Placement.pictured(self, stones, state)
        winners = (
            seat
            for seat in Seat
            if any(position.has_won(seat, cell) for cell in cells_of(position.stones(seat)))
        )
        return replace(position, winner=next(winners, None))
