"""Solitaires: one player, a board of stones, a goal; every placement or jump is a ply.

The player has the first seat and every turn. A solitaire ends solved, or blocked when nothing can
be played; it is never won or scored, and its detail is how many stones stand on the board.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from games.rules.boards.lines import BLACK, Stones
from games.rules.boards.mesh import Mesh
from games.rules.conditions import Conditions
from games.rules.position import Outcome, Position, Termination
from games.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class Solitaire(Position):
    """Stones on the ring mesh with a playable centre."""

    conditions: Conditions
    board: Mesh = field(repr=False)
    stones: int
    plies: int = 0

    @property
    def to_move(self) -> Seat:
        """The first seat, always."""
        return Seat.FIRST

    @property
    @abstractmethod
    def is_solved(self) -> bool:
        """Whether the goal is reached."""

    @property
    def is_over(self) -> bool:
        """Whether the goal is reached, or nothing can be played."""
        return self.is_solved or next(self.legal_moves(), None) is None

    def outcome(self) -> Outcome:
        """Return the number of stones always, and how it ended once it has."""
        termination = None
        if self.is_solved:
            termination = Termination.SOLVED
        elif self.is_over:
            termination = Termination.BLOCKED
        return Outcome(termination=termination, detail={"stones": self.stones.bit_count()})

    def signs(self) -> Stones:
        """Return the stones."""
        return {BLACK: self.stones}

    def state(self) -> dict[str, str]:
        """Return the number of plies."""
        return {"ply": str(self.plies)}

    def pictured(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows."""
        return replace(self, stones=stones[BLACK], plies=int(state["ply"]))
