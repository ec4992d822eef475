"""Solitaires: one player, a board of stones, a goal; every placement or jump is a ply.

The player has the first seat, its stones and every turn. A solitaire ends when it is solved, or
blocked because nothing can be played; it is not won or scored, and its detail is the number of
stones on the board.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

from games.rules.boards.mesh import Mesh
from games.rules.boards.symmetries import Symmetry, mesh_symmetries
from games.rules.messages import Say
from games.rules.outcome import Outcome, Termination
from games.rules.position import Position
from games.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class Solitaire(Position):
    """A position of a solitaire on the ring mesh with a playable centre."""

    board: Mesh = field(repr=False)

    @property
    def to_move(self) -> Seat:
        """The first seat, always."""
        return Seat.FIRST

    @property
    @abstractmethod
    def is_solved(self) -> bool:
        """True if the goal is reached."""

    @property
    def is_over(self) -> bool:
        """True if the goal is reached, or nothing can be played."""
        return self.is_solved or next(self.legal_moves(), None) is None

    @abstractmethod
    def describe_turn(self, before: Position, say: Say) -> Iterator[str]:
        """Yield what the turn that led here did."""

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the mesh."""
        return mesh_symmetries(self.board)

    def outcome(self) -> Outcome:
        """Return the number of stones, and the termination once the solitaire has ended."""
        termination = None
        if self.is_solved:
            termination = Termination.SOLVED
        elif self.is_over:
            termination = Termination.BLOCKED
        return Outcome(termination=termination, detail={"stones": self.first.bit_count()})
