"""Placement games: one stone a turn on an empty cell, with a possible swap after the first.

The games share the stones, the turns, the swap and the handicap stones. Each adds its board and
what its stones prove.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Self

from games.rules.boards.chains import cells_of, nth_cell
from games.rules.boards.lines import BLACK, WHITE, Stones
from games.rules.boards.mesh import Mesh
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.position import SWAP, Position
from games.rules.seat import Seat
from games.rules.text import Text

HANDICAP_RAYS = "SA*TR"
MOST_USUAL_STONES = 10


@dataclass(frozen=True, slots=True)
class Placement(Position):
    """A position of a placement game; `swapped` is True if black is the second seat."""

    swapped: bool = False

    def is_black(self, seat: Seat) -> bool:
        """Return True if a seat has the colour that moves first."""
        return (seat is Seat.FIRST) is not self.swapped

    @property
    def open_cells(self) -> int:
        """The empty cells that the side to move may fill."""
        return self.empty

    @property
    def is_over(self) -> bool:
        """True if there is no open cell."""
        return not self.open_cells

    @property
    def may_swap(self) -> bool:
        """True if the turn may be a swap."""
        return self.conditions.swap and self.plies == 1 and not self.is_over

    def legal_moves(self) -> Iterator[str]:
        """Yield the open cells by number, then swap if it is allowed."""
        if self.is_over:
            return
        for cell in cells_of(self.open_cells):
            yield self.board.names[cell]
        if self.may_swap:
            yield SWAP

    def random_move(self, source: Random) -> str:
        """Return an open cell or swap, each with the same chance."""
        self.check_not_over()
        cells = self.open_cells
        count = cells.bit_count()
        number = source.randrange(count + self.may_swap)
        return SWAP if number == count else self.board.names[nth_cell(cells, number)]

    def play(self, move: str) -> Self:
        """Return the position after a stone on a cell, or after a swap."""
        self.check_not_over()
        if move == SWAP:
            self.check_swap()
            return replace(
                self,
                first=self.second,
                second=self.first,
                plies=self.plies + 1,
                swapped=not self.swapped,
            )
        self.check_not_pass(move)
        return self.place(1 << self.open_cell(move))

    def place(self, stones: int) -> Self:
        """Return the position after the side to move puts stones on these empty cells."""
        if self.to_move is Seat.FIRST:
            return replace(self, first=self.first | stones, plies=self.plies + 1)
        return replace(self, second=self.second | stones, plies=self.plies + 1)

    def place_all(self, turns: Sequence[str]) -> Self | None:
        """Return the position after many turns from the start, None if any is illegal.

        Only a full board ends such a game.
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

    def open_cell(self, name: str) -> int:
        """Return the number of a cell that may be filled; raise `occupied` if it is not empty."""
        number = self.cell(name)
        if not self.empty >> number & 1:
            raise IllegalMove(Text("%(cell)s is occupied", cell=name), Code.OCCUPIED, cell=name)
        return number

    def state(self) -> dict[str, str]:
        """Return the number of plies, and the sign of the first seat."""
        return {**Position.state(self), "first": WHITE if self.swapped else BLACK}

    def with_picture(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows."""
        swapped = {BLACK: False, WHITE: True}[state["first"]]
        if swapped:
            stones = {BLACK: stones[WHITE], WHITE: stones[BLACK]}
        return replace(Position.with_picture(self, stones, state), swapped=swapped)


def handicap_cells(rings: int, stones: int) -> tuple[str, ...]:
    """Return the names of the usual cells of the first handicap stones (at most ten)."""
    outer, inner = -(-6 * rings // 10), -(-3 * rings // 10)
    order = [f"{ray}{ring % 10}0" for ring in (outer, inner) for ray in HANDICAP_RAYS]
    return tuple(order[:stones])


def handicap_stones(mesh: Mesh, conditions: Conditions) -> int:
    """Return the cells of the handicap stones on a ring mesh."""
    stones = conditions.handicap.stones if conditions.handicap else 0
    names = stones if isinstance(stones, tuple) else handicap_cells(mesh.rings, stones)
    return sum(mesh.bits[name] for name in names)
