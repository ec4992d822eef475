"""The interface of all games: whose turn it is, which turns are legal, what is proved.

A position is an immutable value: `play` returns the next one. Turns are words as the record writes
them, in canonical spelling; `swap` and `pass` are turns too. Resignations, lost time and agreements
are not turns; they belong to the record.

The seats `first` and `second` never change. The colours, black and white, can change seats: black
is the colour that moves first, and a swap gives it to the second seat.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Self

from games.rules.boards.board import Board
from games.rules.boards.chains import Connections
from games.rules.boards.lines import BLACK, WHITE, Stones
from games.rules.boards.pentahexes import Shape
from games.rules.boards.symmetries import Symmetry, identity
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.highlights import Highlights
from games.rules.messages import EDGE_CELLS, SIDES, Noun, Say, say_in_english
from games.rules.outcome import Outcome
from games.rules.seat import Seat
from games.rules.text import Text

SWAP = "swap"
PASS = "pass"

_TURN_WORD = re.compile(r"[A-Za-z0-9*]+")


@dataclass(frozen=True, slots=True)
class Position(ABC):
    """A position of a game: its conditions, its board, the stones of each seat (sets of cells)."""

    conditions: Conditions
    board: Board = field(repr=False)
    first: int = 0
    second: int = 0
    plies: int = 0

    @property
    def to_move(self) -> Seat:
        """The seat whose turn it is, or would be if the game went on."""
        return Seat.SECOND if self.plies % 2 else Seat.FIRST

    def stones(self, seat: Seat) -> int:
        """Return the cells that hold a seat's stones."""
        return self.first if seat is Seat.FIRST else self.second

    @property
    def filled(self) -> int:
        """The cells with a stone."""
        return self.first | self.second

    @property
    def empty(self) -> int:
        """The cells without a stone."""
        return self.board.cells & ~(self.first | self.second)

    def is_black(self, seat: Seat) -> bool:
        """Return True if a seat has the colour that moves first."""
        return seat is Seat.FIRST

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """True if no turn may follow.

        A decided score does not end play while cells are empty.
        """

    @abstractmethod
    def legal_moves(self) -> Iterator[str]:
        """Yield every legal turn once, in canonical spelling."""

    @abstractmethod
    def play(self, move: str) -> Self:
        """Return the position after a turn.

        Raise IllegalMove with the code, the cell and what would be correct.
        """

    def is_legal(self, move: str) -> bool:
        """Return True if the turn, in canonical spelling, can be played."""
        try:
            self.play(move)
        except IllegalMove:
            return False
        return True

    def random_move(self, source: Random) -> str:
        """Return a legal turn drawn by `source`; raise `after_end` if no turn may follow.

        Every legal turn can be drawn, each with the same chance unless the game states otherwise.
        """
        self.check_not_over()
        return source.choice(list(self.legal_moves()))

    def play_all(self, turns: Sequence[str]) -> Self | None:
        """Return the position after many turns if the game can compute it without playing each.

        Return None if it cannot, or if any turn is illegal.
        """
        return None

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return what this position proves."""

    def cell(self, name: str) -> int:
        """Return the number of a cell; raise `unknown_cell` if the board has no such cell."""
        number = self.board.index.get(name)
        if number is None:
            raise self.unknown_cell(name)
        return number

    def unknown_cell(self, word: str) -> IllegalMove:
        """Return the error for a word that is not one cell; name the cell that it contains."""
        parts = _TURN_WORD.findall(word)
        cell = next((part for part in parts if part in self.board.index), None)
        wrong = next((part for part in parts if part not in self.board.index), None)
        if cell is None or wrong is not None:
            wrong = word if cell is None else wrong
            return IllegalMove(
                Text("%(cell)s is not a cell of this board", cell=wrong),
                Code.UNKNOWN_CELL,
                cell=wrong or None,
            )
        return IllegalMove(
            Text("%(word)s is not one cell: write %(cell)s without the rest", word=word, cell=cell),
            Code.UNKNOWN_CELL,
            cell=cell,
        )

    def check_not_over(self) -> None:
        """Raise `after_end` if no turn may follow."""
        if self.is_over:
            raise IllegalMove(Text("the game ended before this turn"), Code.AFTER_END)

    def check_swap(self) -> None:
        """Raise `swap_not_allowed` unless a swap can answer the first turn now."""
        if not self.conditions.swap:
            raise IllegalMove(Text("this game is played without swap"), Code.SWAP_NOT_ALLOWED)
        if self.plies != 1:
            raise IllegalMove(Text("swap can only answer the first turn"), Code.SWAP_NOT_ALLOWED)

    def check_not_pass(self, move: str) -> None:
        """Raise `pass_not_allowed` for a pass."""
        if move == PASS:
            raise IllegalMove(Text("this game has no passes"), Code.PASS_NOT_ALLOWED)

    def check_moves_stone(self, move: str) -> None:
        """Raise an error for a turn after the end, a swap or a pass."""
        self.check_not_over()
        if move == SWAP:
            raise IllegalMove(Text("this game is played without swap"), Code.SWAP_NOT_ALLOWED)
        self.check_not_pass(move)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the maps of the board that the rules do not distinguish, the identity first."""
        return (identity(len(self.board.names)),)

    def connections(self) -> Connections | None:
        """Return how stones are connected, None in a game without chains."""
        return None

    def touched(self, chain: int, seat: Seat) -> Iterator[tuple[int, Noun]]:
        """Yield what a chain touches, in numbers: sides, or cells of the edge if none count."""
        connected = self.connections()
        if connected and connected.sides:
            yield sum(bool(chain & side) for side in connected.sides), SIDES
        elif connected:
            yield (chain & connected.edge).bit_count(), EDGE_CELLS

    def sides_of(self, chain: int) -> Iterator[str]:
        """Yield the names of the sides that a chain touches, where it matters which they are."""
        yield from ()

    def shape(self, chain: int, say: Say = say_in_english) -> str:
        """Return what a chain counts as, such as a star; "" if nothing."""
        return ""

    def highlights(self, last: int) -> Highlights:
        """Return what a diagram highlights after a turn that filled the cells `last`."""
        return Highlights()

    def holdings(self, seat: Seat) -> Mapping[str, int]:
        """Return what a seat has that the outcome does not count."""
        return {}

    def shape_owners(self) -> Mapping[Shape, Seat] | None:
        """Return whose shapes are on the board, None in a game without shapes to collect."""
        return None

    def extend_turn(self, begun: str, cell: str) -> str:
        """Return a turn that is entered cell by cell, with one more cell.

        Whether the turn is legal is not checked, except that a move begins on an own stone.
        """
        return cell

    def signs(self) -> Stones:
        """Return the stones by their sign in a text picture."""
        black, white = self.first, self.second
        if not self.is_black(Seat.FIRST):
            black, white = white, black
        return {BLACK: black, WHITE: white}

    def state(self) -> dict[str, str]:
        """Return what a text picture states beside the stones: the number of plies."""
        return {"ply": str(self.plies)}

    def with_picture(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position of this game, under these conditions, that a picture shows.

        Raise ValueError or KeyError if the picture cannot be of this game.
        """
        return replace(self, first=stones[BLACK], second=stones[WHITE], plies=int(state["ply"]))

    def __str__(self) -> str:
        tags = [f'[{name} "{value}"]' for name, value in self.conditions.as_tags().items()]
        state = [f"{name} {value}" for name, value in self.state().items()]
        stones = self.signs()
        board = [line.draw(stones) for line in self.board.lines]
        return "\n".join([*tags, "", *state, *board]) + "\n"
