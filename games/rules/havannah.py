"""Havannah: make a bridge, a fork or a ring on a hexagon.

One stone a turn. A bridge joins two corners; a fork joins three sides, corners belonging to no
side; a ring encloses at least one cell, be it empty, the enemy's or one's own (so seven stones in
a hexagon are a ring). The first of these wins; a full board without any is a draw. Boards have 3
to 10 cells a side. Standard public rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.rules.boards.chains import cells_of, chain_at
from games.rules.boards.hexagons import HexBoard, hexagon
from games.rules.conditions import Conditions
from games.rules.game import GameRules
from games.rules.goals import GoalPlacement
from games.rules.position import SWAP
from games.rules.seat import Seat

BOARDS = tuple(str(side) for side in range(3, 11))


def is_bridge(chain: int, board: HexBoard) -> bool:
    """Return whether a chain joins two corners."""
    return sum(bool(chain & corner) for corner in board.corners) >= 2


def is_fork(chain: int, board: HexBoard) -> bool:
    """Return whether a chain joins three sides; corners belong to none."""
    return sum(bool(chain & side) for side in board.open_sides) >= 3


def is_ring(chain: int, board: HexBoard) -> bool:
    """Return whether a chain encloses a cell.

    Either a cell outside the chain cannot be reached from the border, or a cell of the chain has
    all its six neighbours in the chain: nothing else can be enclosed.
    """
    rest = board.cells ^ chain
    while outside := rest & board.border:
        rest ^= chain_at(outside & -outside, rest, board.neighbours)
    return rest != 0 or any(
        board.neighbours[cell] & ~chain == 0 for cell in cells_of(chain & ~board.border)
    )


@dataclass(frozen=True, slots=True)
class Havannah(GoalPlacement):
    """A position of Havannah."""

    board: HexBoard

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return whether the chain of the stone is a bridge, a fork or a ring."""
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        board = self.board
        return is_bridge(chain, board) or is_fork(chain, board) or is_ring(chain, board)


def _start(conditions: Conditions) -> Havannah:
    side = int(conditions.board)
    return Havannah(conditions, hexagon(side, side))


def _read_board(board: str) -> str | None:
    return board if board in BOARDS else None


@lru_cache(maxsize=8)
def _words(board: str) -> frozenset[str]:
    return frozenset((*hexagon(int(board), int(board)).names, SWAP))


HAVANNAH = GameRules(
    code="havannah",
    name="Havannah",
    boards=BOARDS,
    board_form="cells a side from 3 to 10",
    notation="column letter and row number: d4",
    summary=(
        "Place one stone a turn; a chain that joins two corners, or three sides, or that "
        "encloses a cell wins."
    ),
    source="standard public rules",
    read_board=_read_board,
    start=_start,
    words=_words,
    canonical=str.lower,
    draws=True,
)
