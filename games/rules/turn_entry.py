"""A turn that is entered cell by cell, on a board or by name.

A turn of several cells is begun with the first: `S91-` needs a target, `S61,` a second cell,
`S91-S93(T60>` a rim cell for a stone that the move encloses.
"""

from __future__ import annotations

from games.rules.position import Position

OPEN_ENDS = ("-", ",", ">")
"""What a turn ends with that needs another cell."""


def is_begun(turn: str) -> bool:
    """Return True if a turn needs another cell."""
    return turn.endswith(OPEN_ENDS)


def extend_turn(position: Position, begun: str, cell: str) -> str:
    """Return the turn with one more cell, "" if the cell takes the last one back.

    Whether the turn is legal is not checked here, except that a move begins on an own stone.
    """
    if begun[:-1] == cell:
        return ""
    return position.extend_turn(begun, cell)
