"""Y: join the three sides of a triangle.

One stone a turn; a chain that touches all three sides wins, and a corner cell touches both its
sides. A full board has exactly one such colour, so there are no draws. Boards: the triangle of 5
to 25 cells a side, or the curved board of 93 cells, on which no corner is strong. Standard public
rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.rules.boards.chains import chain_at
from games.rules.boards.hexagons import HexBoard, curved_triangle, triangle
from games.rules.conditions import Conditions
from games.rules.game import GameRules
from games.rules.goals import GoalPlacement
from games.rules.position import SWAP
from games.rules.seat import Seat

CURVED = "93"
TRIANGLES = tuple(str(side) for side in range(5, 26))


@dataclass(frozen=True, slots=True)
class Y(GoalPlacement):
    """A position of Y."""

    board: HexBoard

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return whether the chain of the stone touches all sides."""
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        return all(chain & side for side in self.board.sides)


def board_of(board: str) -> HexBoard:
    """Return the board of a canonical name."""
    return curved_triangle() if board == CURVED else triangle(int(board))


def _start(conditions: Conditions) -> Y:
    return Y(conditions, board_of(conditions.board))


def _read_board(board: str) -> str | None:
    return board if board in TRIANGLES or board == CURVED else None


@lru_cache(maxsize=8)
def _words(board: str) -> frozenset[str]:
    return frozenset((*board_of(board).names, SWAP))


Y_GAME = GameRules(
    code="y",
    name="Y",
    boards=(*TRIANGLES, CURVED),
    board_form="cells a side from 5 to 25, or 93 for the curved board",
    notation=(
        "column letter and row number: d4; on the curved board sector a to c, ring 1 to 6, "
        "offset: a60"
    ),
    summary="Place one stone a turn; a chain that touches all three sides wins.",
    source="standard public rules",
    read_board=_read_board,
    start=_start,
    words=_words,
    canonical=str.lower,
)
