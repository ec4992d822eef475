"""Hex: connect your two sides of a rhombus.

One stone a turn. The colour that moves first connects the sides of row 1 and of the last row, the
other colour those of column a and of the last column; after a swap the colours keep their sides
and the seats change theirs. On a full board exactly one colour connects its sides, so there are no
draws. Boards have 2 to 26 columns and rows, `11` or `11x14` (columns, then rows). Standard public
rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.rules.boards.chains import Connections, chain_at
from games.rules.boards.hexagons import HexBoard, rhombus
from games.rules.boards.symmetries import Symmetry, rhombus_symmetries
from games.rules.conditions import Conditions
from games.rules.families.goal_placement import GoalPlacement, winning_chain
from games.rules.game import Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.hexagons import rhombus_layout
from games.rules.messages import gettext_noop
from games.rules.seat import Seat

_HEX_BOARD = re.compile(r"([1-9][0-9]?)(?:x([1-9][0-9]?))?")


@dataclass(frozen=True, slots=True)
class Hex(GoalPlacement):
    """A position of Hex."""

    board: HexBoard

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return True if the chain of the stone connects its colour's two sides."""
        one, other = self.board.sides[not self.is_black(seat) :: 2]
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        return bool(chain & one and chain & other)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the rhombus."""
        return rhombus_symmetries(len(self.board.names))

    def connections(self) -> Connections:
        """Return the chains; the sides count."""
        return Connections(self.board.neighbours, self.board.border, self.board.sides)

    def highlights(self, last: int) -> Highlights:
        """Return the chain that has won."""
        return winning_chain(self, last)


def _start(conditions: Conditions) -> Hex:
    columns, _, rows = conditions.board.partition("x")
    return Hex(conditions, rhombus(int(columns), int(rows or columns)))


def _parse_board(board: str) -> str | None:
    size = _HEX_BOARD.fullmatch(board)
    if size is None:
        return None
    columns, rows = int(size[1]), int(size[2] or size[1])
    if not (2 <= columns <= 26 and 2 <= rows <= 26):
        return None
    return str(columns) if columns == rows else board


HEX = GameRules(
    code="hex",
    name="Hex",
    family=Family.CONNECTION,
    layout=lambda names, _: rhombus_layout(names),
    boards=("11", "13", "14", "19", "5x9", "11x14"),
    board_form=gettext_noop("columns, or columns x rows, each from 2 to 26: 11, 11x14"),
    notation=gettext_noop("column letter and row number: d4"),
    summary=gettext_noop(
        "Place one stone a turn. The seat that moves first joins row 1 to the last row, the other "
        "column a to the last column; a joining chain wins."
    ),
    play=(
        gettext_noop(
            "The board is a rhombus of hexagons. The players take turns to place a stone on an "
            "empty cell."
        ),
    ),
    goal=gettext_noop(
        "The player who moves first connects the sides of row 1 and of the last row, the other "
        "player those of column a and of the last column. The first chain between the two sides of"
        " its player wins."
    ),
    remarks=(
        gettext_noop(
            "After a swap the second player has the first stone and the two sides that it joins, "
            "and the board shows them in their colour; the first player joins the other two. There "
            "are no draws."
        ),
    ),
    source=gettext_noop("standard public rules"),
    initial_position=_start,
    canonical=str.lower,
    parse_board=_parse_board,
)
