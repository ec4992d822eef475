"""A turn that is entered cell by cell, on a board or by name.

A turn of several cells is begun with the first: `S91-` needs a target, `S61,` a second cell,
`S91-S93(T60>` a rim cell for a stone that the move encloses.
"""

from __future__ import annotations

from games.rules.boards.chains import cells_of
from games.rules.double_star_star import DoubleStarStar
from games.rules.errors import Code, IllegalMove
from games.rules.families.movement import Movement
from games.rules.jumping_solitaires import JumpingSolitaire
from games.rules.penta_hex import PentaHex
from games.rules.position import Position
from games.rules.text import Text

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
    match position:
        case DoubleStarStar(stones_this_turn=2):
            return ",".join(sorted((begun[:-1], cell))) if begun else f"{cell},"
        case Movement() | JumpingSolitaire() if not begun:
            number = position.cell(cell)
            if not position.stones(position.to_move) >> number & 1:
                detail = Text(
                    "%(cell)s holds no stone of the %(seat)s seat", cell=cell, seat=position.to_move
                )
                raise IllegalMove(detail, Code.NO_OWN_STONE, cell=cell)
            return f"{cell}-"
        case PentaHex():
            return _with_relocations(position, begun + cell)
        case Movement() | JumpingSolitaire():
            return begun + cell
    return cell


def _with_relocations(position: PentaHex, turn: str) -> str:
    """Return a turn of Penta-Hex, begun if an enclosed stone has no rim cell yet."""
    move, _, relocated = turn.partition("(")
    start, target = position.parse_run(move)
    enclosed = [position.board.names[cell] for cell in cells_of(position.enclosed(start, target))]
    done = relocated.split(",") if relocated else []
    if len(done) < len(enclosed):
        return f"{move}({','.join([*done, enclosed[len(done)]])}>"
    return f"{move}({','.join(sorted(done))})" if done else move
