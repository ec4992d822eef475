"""The one interface of all games: whose turn it is, what may be played, what is proved.

A position is a value: `play` returns the next one and never changes this one. Turns are words as
the record writes them, in their canonical spelling; `swap` and `pass` are turns too. Whatever is
not a turn (resigning, a flag, an agreement) belongs to the record, not to the position.

Two seats play: `first` moves first, `second` answers; they never change. The colours, black and
white, do: black is the colour that moves first, and a swap hands it to the other seat.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Self, TypeAlias

from games.rules.boards.board import Board
from games.rules.boards.lines import Line, Stones
from games.rules.errors import Code, IllegalMove
from games.rules.seat import Seat

if TYPE_CHECKING:
    from games.rules.conditions import Conditions

SWAP = "swap"
PASS = "pass"

Score: TypeAlias = tuple[int, int]
"""Points by seat, the first seat's first."""

Bounds: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""The least and the most that each seat can still score, by seat."""

Detail: TypeAlias = Mapping[str, int | Mapping[str, int]]
"""What a score is made of; by seat where two play."""


class Termination(StrEnum):
    """How a game ended."""

    FULL = "full"
    DECIDED = "decided"
    AGREED = "agreed"
    RESIGNED = "resigned"
    TIME = "time"
    PASSES = "passes"
    GOAL = "goal"
    BLOCKED = "blocked"
    SOLVED = "solved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a position proves by itself.

    `termination` is None while the result is open. `score` holds handicap points and is None
    while open, `bounds` and `detail` are as the stones count on the board. `winner_decided` is
    a seat that is certain to win an open game.
    """

    termination: Termination | None = None
    winner: Seat | None = None
    draw: bool = False
    score: Score | None = None
    bounds: Bounds | None = None
    detail: Detail | None = None
    winner_decided: Seat | None = None


class Position(ABC):
    """A position of one game; each game has its own kind."""

    __slots__ = ()

    conditions: Conditions
    """The conditions of the game."""

    board: Board
    """The board that its stones stand on."""

    plies: int
    """How many turns have been played."""

    @property
    def to_move(self) -> Seat:
        """The seat whose turn it is, or would be if play went on."""
        return Seat.SECOND if self.plies % 2 else Seat.FIRST

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether no turn may follow.

        A score that is decided while cells are empty does not end play.
        """

    @abstractmethod
    def legal_moves(self) -> Iterator[str]:
        """Yield every turn that may be played now, in canonical spelling, each once."""

    @abstractmethod
    def play(self, move: str) -> Self:
        """Return the position after a turn.

        Raises IllegalMove with the code, the cell and what would be right.
        """

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return what this position proves."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The board as lines of text."""
        return self.board.lines

    def cell(self, name: str) -> int:
        """Return the number of a cell; raises `unknown_cell` when the board has none such."""
        number = self.board.index.get(name)
        if number is None:
            raise IllegalMove(f"{name} names no cell of this board", Code.UNKNOWN_CELL, cell=name)
        return number

    @abstractmethod
    def signs(self) -> Stones:
        """Return the stones by their sign in a picture."""

    @abstractmethod
    def state(self) -> dict[str, str]:
        """Return what a picture says beside the stones, in words."""

    @abstractmethod
    def pictured(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position of this game, under these conditions, that a picture shows.

        Raises ValueError when the picture cannot be of this game.
        """

    def __str__(self) -> str:
        tags = [f'[{name} "{value}"]' for name, value in self.conditions.as_tags().items()]
        state = [f"{name} {value}" for name, value in self.state().items()]
        stones = self.signs()
        board = [line.draw(stones) for line in self.lines]
        return "\n".join([*tags, "", *state, *board]) + "\n"


def refuse_after_end(position: Position) -> None:
    """Raise `after_end` when no turn may follow."""
    if position.is_over:
        raise IllegalMove("the game was over before this turn", Code.AFTER_END)


def refuse_swap(*, allowed: bool, plies: int) -> None:
    """Raise `swap_not_allowed` unless this is the answer to the first turn of a swap game."""
    if not allowed:
        raise IllegalMove("this game is played without swap", Code.SWAP_NOT_ALLOWED)
    if plies != 1:
        raise IllegalMove("swap is the answer to the first turn only", Code.SWAP_NOT_ALLOWED)


def refuse_pass(move: str) -> None:
    """Raise `pass_not_allowed` for a pass."""
    if move == PASS:
        raise IllegalMove("this game knows no passing", Code.PASS_NOT_ALLOWED)


def refuse_other_turns(position: Position, move: str) -> None:
    """Raise for any turn after the end, for a swap and for a pass."""
    refuse_after_end(position)
    if move == SWAP:
        refuse_swap(allowed=False, plies=position.plies)
    refuse_pass(move)


def winner_by(score: Score) -> Seat | None:
    """Return the seat with more points, None when they are level."""
    first, second = score
    if first == second:
        return None
    return Seat.FIRST if first > second else Seat.SECOND
