"""Games of placing: one stone a turn on an empty cell, and perhaps a swap after the first.

What the games share is here: whose stone is where, the words of cells, the swap. What a game
adds is its board, and what its stones prove.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from games.rules.boards.board import Board
from games.rules.boards.chains import cells_of
from games.rules.boards.lines import BLACK, WHITE, Stones
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.position import SWAP, Position, refuse_after_end, refuse_pass, refuse_swap
from games.rules.seat import Seat


@dataclass(frozen=True, slots=True)
class Placement(Position):
    """Stones on a board, by seat; `swapped` says that black is the second seat's."""

    conditions: Conditions
    board: Board = field(repr=False)
    first: int = 0
    second: int = 0
    plies: int = 0
    swapped: bool = False

    @property
    def empty(self) -> int:
        """The cells without a stone."""
        return self.board.cells & ~(self.first | self.second)

    def stones(self, seat: Seat) -> int:
        """Return the cells that hold a seat's stones."""
        return self.first if seat is Seat.FIRST else self.second

    @property
    def is_over(self) -> bool:
        """Whether the board is full."""
        return not self.empty

    @property
    def may_swap(self) -> bool:
        """Whether the turn may be a swap."""
        return self.conditions.swap and self.plies == 1 and not self.is_over

    def legal_moves(self) -> Iterator[str]:
        """Yield the empty cells by number, then swap where it is allowed."""
        if self.is_over:
            return
        for cell in cells_of(self.empty):
            yield self.board.names[cell]
        if self.may_swap:
            yield SWAP

    def play(self, move: str) -> Self:
        """Return the position after a stone on a cell, or after a swap."""
        refuse_after_end(self)
        if move == SWAP:
            refuse_swap(allowed=self.conditions.swap, plies=self.plies)
            return self.swap()
        refuse_pass(move)
        cell = self.empty_cell(move)
        return self.place(1 << cell)

    def swap(self) -> Self:
        """Return the position with the stones in the other seats' hands."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            plies=self.plies + 1,
            swapped=not self.swapped,
        )

    def place(self, stones: int) -> Self:
        """Return the position after the side to move put stones on these empty cells."""
        if self.to_move is Seat.FIRST:
            return replace(self, first=self.first | stones, plies=self.plies + 1)
        return replace(self, second=self.second | stones, plies=self.plies + 1)

    def place_all(self, turns: Sequence[str]) -> Self | None:
        """Return the position after many turns from the start, None unless all are legal.

        It knows of no end but the full board.
        """
        swapped = len(turns) > 1 and turns[1] == SWAP
        if self.plies or (swapped and not self.conditions.swap):
            return None
        names = [turns[0], *turns[2:]] if swapped else turns
        try:
            cells = [self.board.bits[name] for name in names]
        except KeyError:
            return None
        if len(set(names)) < len(names):
            return None
        # The cells are different, so their sum is their union.
        black, white = sum(cells[0::2]), sum(cells[1::2])
        if (black | white) & (self.first | self.second):
            return None
        first, second = self.first | black, self.second | white
        if swapped:
            first, second = second, first
        return replace(self, first=first, second=second, plies=len(turns), swapped=swapped)

    def empty_cell(self, name: str) -> int:
        """Return the number of a cell without a stone; raises `occupied` when it holds one."""
        number = self.cell(name)
        if not self.empty >> number & 1:
            raise IllegalMove(f"{name} holds a stone already", Code.OCCUPIED, cell=name)
        return number

    def signs(self) -> Stones:
        """Return the stones by colour."""
        black, white = (self.second, self.first) if self.swapped else (self.first, self.second)
        return {BLACK: black, WHITE: white}

    def state(self) -> dict[str, str]:
        """Return the number of plies, and the sign of the first seat."""
        return {"ply": str(self.plies), "first": WHITE if self.swapped else BLACK}

    def pictured(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows."""
        swapped = {BLACK: False, WHITE: True}[state["first"]]
        first, second = (stones[sign] for sign in ((WHITE, BLACK) if swapped else (BLACK, WHITE)))
        plies = int(state["ply"])
        return replace(self, first=first, second=second, plies=plies, swapped=swapped)
