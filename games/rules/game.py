"""A game as records, the referee and organisers see it: names, boards, notation, conditions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from games.rules.conditions import Conditions, HandicapKind, Setup
from games.rules.errors import UnknownBoard
from games.rules.position import Position
from games.rules.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """The description of a game.

    - `boards` are boards as the tag `Board` writes them: all, or the usual ones if `parse_board`
      accepts more; `board_form`, `notation`, `summary` and `source` are for people.
    - `parse_board` returns the canonical name of a board, None if there is no such board.
    - `initial_position` returns the position before the first turn; the conditions are valid.
    - `canonical` returns the canonical spelling of a turn and leaves unreadable words alone.
    - `draws` is True if the players may agree on a draw.
    - `has_handicap_cells` returns True if a board (a canonical name) has cells for handicap
      stones.
    - `parse_setup` checks a starting position and returns it sorted, or the usual one for None.
    """

    code: str
    name: str
    boards: tuple[str, ...]
    board_form: str
    notation: str
    summary: str
    source: str
    initial_position: Callable[[Conditions], Position]
    canonical: Callable[[str], str]
    parse_board: Callable[[str], str | None] | None = None
    options: tuple[str, ...] = ()
    players: int = 2
    swaps: bool = True
    draws: bool = False
    handicaps: frozenset[HandicapKind] = frozenset()
    has_handicap_cells: Callable[[str], bool] = lambda _board: True
    parse_setup: Callable[[Setup | None], Setup] | None = None

    def find_board(self, name: str) -> str | None:
        """Return the canonical name of a board, None if there is no such board."""
        if self.parse_board is None:
            return name if name in self.boards else None
        return self.parse_board(name)

    def canonical_board(self, name: str) -> str:
        """Return the canonical name of a board; raise UnknownBoard, which states the valid ones."""
        board = self.find_board(name)
        if board is None:
            raise UnknownBoard(
                Text(
                    "%(game)s has no board %(board)s; it takes %(form)s",
                    game=self.code,
                    board=f"{name!r:.60}",
                    form=self.board_form,
                )
            )
        return board

    def start(self, conditions: Conditions) -> Position:
        """Return the position before the first turn; raise UnknownBoard."""
        board = self.canonical_board(conditions.board)
        if board != conditions.board:
            conditions = replace(conditions, board=board)
        return self.initial_position(conditions)
