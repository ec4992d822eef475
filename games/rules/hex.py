"""Hex: join your two sides of a rhombus.

One stone a turn. The colour that moves first joins the sides of row 1 and of the last row, the
other those of column a and of the last column; after a swap the colours keep their sides and the
seats change theirs. A full board has exactly one colour that joins its sides, so there are no
draws. Boards have 2 to 26 columns and rows, `11` or `11x14` (columns, then rows). Standard public
rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from games.rules.boards.chains import chain_at
from games.rules.boards.hexagons import HexBoard, rhombus
from games.rules.conditions import Conditions
from games.rules.game import GameRules
from games.rules.goals import GoalPlacement
from games.rules.position import SWAP
from games.rules.seat import Seat

_BOARD = re.compile(r"([1-9][0-9]?)(?:x([1-9][0-9]?))?")


@dataclass(frozen=True, slots=True)
class Hex(GoalPlacement):
    """A position of Hex."""

    board: HexBoard

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return whether the chain of the stone joins its colour's two sides."""
        black = (seat is Seat.FIRST) is not self.swapped
        one, other = self.board.sides[not black :: 2]
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        return bool(chain & one and chain & other)


def board_of(board: str) -> HexBoard:
    """Return the board of a canonical name."""
    columns, _, rows = board.partition("x")
    return rhombus(int(columns), int(rows or columns))


def _start(conditions: Conditions) -> Hex:
    return Hex(conditions, board_of(conditions.board))


def _read_board(board: str) -> str | None:
    size = _BOARD.fullmatch(board)
    if size is None:
        return None
    columns, rows = int(size[1]), int(size[2] or size[1])
    if not (2 <= columns <= 26 and 2 <= rows <= 26):
        return None
    return str(columns) if columns == rows else board


@lru_cache(maxsize=8)
def _words(board: str) -> frozenset[str]:
    return frozenset((*board_of(board).names, SWAP))


HEX = GameRules(
    code="hex",
    name="Hex",
    boards=("11", "13", "14", "19", "5x9", "11x14"),
    board_form="columns, or columns x rows, each from 2 to 26: 11, 11x14",
    notation="column letter and row number: d4",
    summary=(
        "Place one stone a turn. Whoever moves first joins row 1 to the last row, the other "
        "column a to the last column; a joining chain wins."
    ),
    source="standard public rules",
    read_board=_read_board,
    start=_start,
    words=_words,
    canonical=str.lower,
)
