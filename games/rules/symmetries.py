"""The symmetries of a game: the maps of its board under which no rule can tell games apart.

They are those of the board that leave the start as it is: the sides of each colour, and the stones
of a handicap or a set-up. If all cells of a legal game are mapped by one, the result is a legal
game with the same outcome. A game that is not listed here has the identity only.
"""

from __future__ import annotations

import re
from functools import lru_cache

from games.rules.boards.symmetries import (
    Symmetry,
    curved_triangle_symmetries,
    fixing,
    hexagon_symmetries,
    identity,
    mesh_symmetries,
    peg_symmetries,
    rhombus_symmetries,
    triangle_symmetries,
)
from games.rules.conditions import Conditions
from games.rules.families.movement import Movement
from games.rules.families.solitaire import Solitaire
from games.rules.game import GameRules
from games.rules.havannah import Havannah
from games.rules.hex import Hex
from games.rules.poly_y import PolyY
from games.rules.position import Position
from games.rules.registry import find_game
from games.rules.star import Star
from games.rules.star_star import StarStar
from games.rules.star_y import StarY
from games.rules.twixt import Twixt
from games.rules.y import CURVED, Y

_CELL = re.compile(r"[A-Za-z0-9*]+")


@lru_cache(maxsize=64)
def find_symmetries(conditions: Conditions) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game under its conditions, the identity first."""
    start = find_game(conditions.game).start(conditions)
    return fixing(_symmetries_of_board(start), start.first, start.second)


def _symmetries_of_board(start: Position) -> tuple[Symmetry, ...]:
    match start:
        case StarStar(board=star_board):
            return mesh_symmetries(star_board.mesh)
        case StarY(board=mesh) | PolyY(board=mesh) | Movement(board=mesh) | Solitaire(board=mesh):
            return mesh_symmetries(mesh)
        case Star(conditions=conditions):
            a, b = map(int, conditions.board.split("x"))
            return hexagon_symmetries(a, b)
        case Havannah(conditions=conditions):
            side = int(conditions.board)
            return hexagon_symmetries(side, side)
        case Hex(board=board):
            return rhombus_symmetries(len(board.names))
        case Y(conditions=conditions):
            is_curved = conditions.board == CURVED
            return (
                curved_triangle_symmetries()
                if is_curved
                else triangle_symmetries(int(conditions.board))
            )
        case Twixt(board=pegs):
            return peg_symmetries(pegs)
    return (identity(len(start.board.names)),)


def map_turn(turn: str, rules: GameRules, start: Position, symmetry: Symmetry) -> str:
    """Return a turn with its cells mapped, in canonical spelling; other words stay as they are."""
    names, index = start.board.names, start.board.index
    number = index.get(turn)
    if number is not None:
        return names[symmetry[number]]
    mapped = _CELL.sub(
        lambda word: names[symmetry[index[word[0]]]] if word[0] in index else word[0], turn
    )
    return mapped if mapped == turn else rules.canonical(mapped)
