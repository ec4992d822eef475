"""A game as records, the referee and organisers see it: names, boards, notation, conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from games.rules.conditions import Conditions, HandicapKind, Setup
from games.rules.errors import UnknownBoard
from games.rules.labels import LabelledEnum
from games.rules.layouts.layout import Layout
from games.rules.messages import gettext_noop
from games.rules.position import Position
from games.rules.text import Text


class Family(LabelledEnum):
    """Games that have something in common, in the order of the list."""

    STAR = "star", gettext_noop("Stars: own the edge with few chains")
    CONNECTION = "connection", gettext_noop("Connection games")
    MOVEMENT = "movement", gettext_noop("Games of movement")
    SOLITAIRE = "solitaire", gettext_noop("Solitaires")


RING_BOARDS: Mapping[str, str] = {
    "4": gettext_noop("beginner board"),
    "6": gettext_noop("junior board"),
    "10": gettext_noop("tournament board"),
}
"""The names that the *Star booklet gives boards of rings; that of 8 rings has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """The description of a game.

    - `boards` are boards as the tag `Board` writes them: all, or the usual ones if `parse_board`
      accepts more; `board_form`, `notation`, `summary` and `source` are for people.
    - `play`, `goal` and `remarks` are the short rules on the page of the game, in paragraphs.
    - `parse_board` returns the canonical name of a board, None if there is no such board.
    - `initial_position` returns the position before the first turn; the conditions are valid.
    - `canonical` returns the canonical spelling of a turn and leaves unreadable words alone.
    - `draws` is True if the players may agree on a draw.
    - `has_handicap_cells` returns True if a board (a canonical name) has usual cells for handicap
      stones; on others, the cells are named.
    - `parse_setup` checks a starting position and returns it sorted, or the usual one for None.
    - `layout` returns where the cells of a board lie in a diagram, by their names and the options.
    - `has_chains` is False if neighbouring stones have no meaning, so diagrams do not join them.
    - `has_long_turns` is True if a turn can name several cells, so its line on paper is wide.
    - `usual_board` is the board on which a new game begins, by default the first: that of
      tournaments. `board_names` are what boards are called besides their size.
    """

    code: str
    name: str
    family: Family
    boards: tuple[str, ...]
    board_form: str
    notation: str
    summary: str
    play: tuple[str, ...]
    goal: str
    remarks: tuple[str, ...] = ()
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
    layout: Callable[[tuple[str, ...], tuple[str, ...]], Layout]
    has_chains: bool = True
    has_long_turns: bool = False
    usual_board: str = ""
    board_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def first_board(self) -> str:
        """The board on which a new game begins."""
        return self.usual_board or self.boards[0]

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
                    form=Text(self.board_form),
                ),
                self.boards,
            )
        return board

    def start(self, conditions: Conditions) -> Position:
        """Return the position before the first turn; raise UnknownBoard."""
        board = self.canonical_board(conditions.board)
        if board != conditions.board:
            conditions = replace(conditions, board=board)
        return self.initial_position(conditions)
