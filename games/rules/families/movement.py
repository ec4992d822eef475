"""Movement games: each turn moves one own stone along a row, over empty cells, to an empty cell.

Penta-Line and Penta-Hex share the stones, the notation of moves and the checks of a move. There is
no swap and no pass; a side without a legal move ends the game as a draw.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from games.rules.boards.chains import cells_of
from games.rules.boards.lines import Stones
from games.rules.boards.mesh import Mesh
from games.rules.boards.rows import paths, reachable
from games.rules.boards.symmetries import Symmetry, mesh_symmetries
from games.rules.errors import Code, IllegalMove
from games.rules.messages import Say
from games.rules.outcome import Outcome, Termination
from games.rules.position import Position
from games.rules.seat import Seat
from games.rules.text import Text

MOVE = re.compile(r"([^-(),>]+)-([^-(),>]+)")


def begin_move(position: Position, cell: str) -> str:
    """Return the start of a move by a stone of the side to move; raise `no_own_stone`."""
    number = position.cell(cell)
    if not position.stones(position.to_move) >> number & 1:
        detail = Text(
            "%(cell)s holds no stone of the %(seat)s seat", cell=cell, seat=position.to_move
        )
        raise IllegalMove(detail, Code.NO_OWN_STONE, cell=cell)
    return f"{cell}-"


@dataclass(frozen=True, slots=True)
class Movement(Position):
    """A position of a movement game on the ring mesh with a playable centre."""

    board: Mesh = field(repr=False)
    winner: Seat | None = None

    def with_stones(self, seat: Seat, own: int, other: int) -> Self:
        """Return this position with these stones of a seat and of the other."""
        first, second = (own, other) if seat is Seat.FIRST else (other, own)
        return replace(self, first=first, second=second)

    @property
    def is_over(self) -> bool:
        """True if a seat has won, or the side to move has no legal move."""
        return self.winner is not None or not self.can_move()

    def can_move(self) -> bool:
        """Return True if the side to move has a legal move."""
        return next(self.all_moves(), None) is not None

    def legal_moves(self) -> Iterator[str]:
        """Yield every legal move, stone by stone."""
        if self.winner is None:
            yield from self.all_moves()

    @abstractmethod
    def all_moves(self) -> Iterator[str]:
        """Yield every move that is legal if no seat has won."""

    @abstractmethod
    def find_winner(self) -> Seat | None:
        """Return the seat that has won by its stones, the seat that moved last if both have."""

    @abstractmethod
    def describe_stone(self, cell: int, seat: Seat, say: Say) -> Iterator[str]:
        """Yield what a stone that was moved to a cell is part of."""

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the mesh."""
        return mesh_symmetries(self.board)

    def extend_turn(self, begun: str, cell: str) -> str:
        """Return the start of a move, then its target."""
        return begun + cell if begun else begin_move(self, cell)

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield the start and the target of every run of a stone of the side to move."""
        for start in cells_of(self.stones(self.to_move)):
            for target in reachable(self.board, start, self.filled):
                yield start, target

    def outcome(self) -> Outcome:
        """Return the win, or the draw if the side to move has no legal move."""
        if self.winner is not None:
            return Outcome(termination=Termination.GOAL, winner=self.winner)
        if self.is_over:
            return Outcome(termination=Termination.BLOCKED, draw=True)
        return Outcome()

    def with_picture(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows; the winner follows from the stones."""
        position = Position.with_picture(self, stones, state)
        return replace(position, winner=position.find_winner())

    def parse_run(self, move: str) -> tuple[int, int]:
        """Return the start and the target of a legal run, written `S91-S93`.

        Raise IllegalMove: `unknown_cell`, `occupied`, `no_own_stone`, `not_in_a_row` or
        `path_blocked`, in this order.
        """
        names = MOVE.fullmatch(move)
        if names is None:
            raise IllegalMove(
                Text("%(word)s is not a move; write S91-S93", word=move), Code.UNKNOWN_CELL
            )
        start, target = self.cell(names[1]), self.cell(names[2])
        if not self.empty >> target & 1:
            raise IllegalMove(
                Text("%(cell)s is occupied", cell=names[2]), Code.OCCUPIED, cell=names[2]
            )
        if not self.stones(self.to_move) >> start & 1:
            raise IllegalMove(
                Text(
                    "%(cell)s holds no stone of the %(seat)s seat", cell=names[1], seat=self.to_move
                ),
                Code.NO_OWN_STONE,
                cell=names[1],
            )
        between = paths(self.board, start).get(target)
        if between is None:
            raise IllegalMove(
                Text("%(first)s and %(second)s are not in a row", first=names[1], second=names[2]),
                Code.NOT_IN_A_ROW,
            )
        blocking = between & self.filled
        if blocking:
            name = self.board.names[next(cells_of(blocking))]
            raise IllegalMove(
                Text("a stone on %(cell)s is in the way", cell=name), Code.PATH_BLOCKED, cell=name
            )
        return start, target
