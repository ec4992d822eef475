"""Games of moving: each turn one own stone runs along a row, past no stone, to an empty cell.

What Penta-Line and Penta-Hex share: whose stone is where, the words of moves, what may not be
moved. There is no swap and no pass; a side without a legal move ends the game as a draw.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from games.rules.boards.chains import cells_of
from games.rules.boards.lines import BLACK, WHITE, Stones
from games.rules.boards.mesh import Mesh
from games.rules.boards.rows import reachable, ways
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.position import Outcome, Position, Termination
from games.rules.seat import Seat

MOVE = re.compile(r"([^-(),>]+)-([^-(),>]+)")


@dataclass(frozen=True, slots=True)
class Movement(Position):
    """Stones on the ring mesh with a playable centre, and the seat that has won."""

    conditions: Conditions
    board: Mesh = field(repr=False)
    first: int
    second: int
    plies: int = 0
    winner: Seat | None = None

    @property
    def empty(self) -> int:
        """The cells without a stone."""
        return self.board.cells & ~(self.first | self.second)

    def stones(self, seat: Seat) -> int:
        """Return the cells that hold a seat's stones."""
        return self.first if seat is Seat.FIRST else self.second

    def with_stones(self, seat: Seat, own: int, other: int) -> Self:
        """Return this position with these stones of a seat and of the other."""
        first, second = (own, other) if seat is Seat.FIRST else (other, own)
        return replace(self, first=first, second=second)

    @property
    def is_over(self) -> bool:
        """Whether a seat has won, or the side to move has no legal move."""
        return self.winner is not None or not self.can_move()

    def can_move(self) -> bool:
        """Return whether the side to move has a legal move."""
        return next(self.all_moves(), None) is not None

    def legal_moves(self) -> Iterator[str]:
        """Yield every legal move, stone by stone."""
        if self.winner is None:
            yield from self.all_moves()

    @abstractmethod
    def all_moves(self) -> Iterator[str]:
        """Yield every move that is legal while nobody has won."""

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield where each stone of the side to move can run: from, to."""
        filled = self.first | self.second
        for start in cells_of(self.stones(self.to_move)):
            for target in reachable(self.board, start, filled):
                yield start, target

    def outcome(self) -> Outcome:
        """Return the win, or the draw when the side to move has no legal move."""
        if self.winner is not None:
            return Outcome(termination=Termination.GOAL, winner=self.winner)
        if self.is_over:
            return Outcome(termination=Termination.BLOCKED, draw=True)
        return Outcome()

    def signs(self) -> Stones:
        """Return the stones by seat."""
        return {BLACK: self.first, WHITE: self.second}

    def state(self) -> dict[str, str]:
        """Return the number of plies."""
        return {"ply": str(self.plies)}

    @abstractmethod
    def seen_winner(self) -> Seat | None:
        """Return who has won by the stones alone, the seat that moved last before the other."""

    def pictured(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows; who has won is seen from the stones."""
        first, second = stones[BLACK], stones[WHITE]
        position = replace(self, first=first, second=second, plies=int(state["ply"]))
        return replace(position, winner=position.seen_winner())

    def read_run(self, move: str) -> tuple[int, int]:
        """Return from where to where a move written `S91-S93` runs, once it is sure to be legal.

        Raises IllegalMove: `unknown_cell`, `occupied`, `no_own_stone`, `not_in_a_row` or
        `path_blocked`, in this order.
        """
        names = MOVE.fullmatch(move)
        if names is None:
            raise IllegalMove(f"{move} is no move: one is like S91-S93", Code.UNKNOWN_CELL)
        start, target = self.cell(names[1]), self.cell(names[2])
        if not self.empty >> target & 1:
            raise IllegalMove(f"{names[2]} holds a stone", Code.OCCUPIED, cell=names[2])
        if not self.stones(self.to_move) >> start & 1:
            raise IllegalMove(
                f"{names[1]} holds no stone of the {self.to_move} seat",
                Code.NO_OWN_STONE,
                cell=names[1],
            )
        between = ways(self.board, start).get(target)
        if between is None:
            raise IllegalMove(f"{names[1]} and {names[2]} lie in no row", Code.NOT_IN_A_ROW)
        in_the_way = between & (self.first | self.second)
        if in_the_way:
            name = self.board.names[next(cells_of(in_the_way))]
            raise IllegalMove(f"a stone on {name} is in the way", Code.PATH_BLOCKED, cell=name)
        return start, target
