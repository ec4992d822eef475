"""The symmetries of a game: the maps of its board under which no rule can tell games apart.

They are those of the board that leave the start as it is: the sides of each colour, and the stones
of a handicap or a set-up. If all cells of a legal game are mapped by one, the result is a legal
game with the same outcome. Each game states its own.
"""

from __future__ import annotations

import re
from functools import lru_cache

from games.rules.boards.symmetries import Symmetry, fixing
from games.rules.conditions import Conditions
from games.rules.game import GameRules
from games.rules.position import Position
from games.rules.registry import find_game

_CELL = re.compile(r"[A-Za-z0-9*]+")


@lru_cache(maxsize=64)
def find_symmetries(conditions: Conditions) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game under its conditions, the identity first."""
    start = find_game(conditions.game).start(conditions)
    return fixing(start.symmetries(), start.first, start.second)


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
