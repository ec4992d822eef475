"""Placement games with a goal: the first seat that makes a winning shape wins at once.

Only the stone just placed can make a shape, so a position stores the winner and examines no other
stone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from games.rules.boards.chains import cells_of, chain_at
from games.rules.boards.lines import Stones
from games.rules.families.placement import Placement
from games.rules.highlights import Highlights
from games.rules.outcome import Outcome, Termination
from games.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class GoalPlacement(Placement):
    """A position of such a game; `winner` is the seat that has made a winning shape."""

    winner: Seat | None = None

    @abstractmethod
    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return True if the stone just placed on `cell` makes a winning shape for its seat."""

    @property
    def is_over(self) -> bool:
        """True if a shape is made, or there is no open cell."""
        return self.winner is not None or not self.open_cells

    def place(self, stones: int) -> Self:
        """Return the position after a stone (a set of one cell), with the winner if it wins."""
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

    def with_picture(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows; the winner follows from the stones."""
        return Placement.with_picture(self, stones, state).with_winner()

    def with_winner(self) -> Self:
        """Return the position with the seat whose stones have won."""
        winners = (
            seat
            for seat in Seat
            if any(self.has_won(seat, cell) for cell in cells_of(self.stones(seat)))
        )
        return replace(self, winner=next(winners, None))


def winning_chain(position: GoalPlacement, last: int) -> Highlights:
    """Return the chain that has won by the stone on `last`, if a seat has won."""
    connected = position.connections()
    if position.winner is None or connected is None:
        return Highlights()
    stones = position.stones(position.winner)
    return Highlights(winning=(chain_at(last, stones, connected.neighbours),))
