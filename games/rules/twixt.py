"""TwixT, the paper-and-pencil rules: pegs a knight's move apart are linked at once.

- One peg a turn on an empty point of a square board without its corners. The colour that moves
  first joins row 1 and the last row and may not peg columns a and the last; the other colour
  joins those columns and may not peg these rows. After a swap the borders follow the colour.
- Every link between own pegs a knight's move apart that crosses no link of the other colour is
  made at once; own links may cross, and none is ever removed (decided: then nothing needs
  choosing).
- A chain of links from one own border to the other wins at once. A side without a legal peg ends
  the game as a draw (decided), tested for the side to move after each turn.

Boards have 5 to 26 points a side, 24 as a rule. Points are named by column letter, from a without
gaps, and row number; corners are no points. Standard public rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from games.rules.boards.chains import cells_of, chain_at
from games.rules.boards.lines import Stones
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.game import GameRules
from games.rules.goals import GoalPlacement
from games.rules.pegs import PegBoard, peg_board
from games.rules.position import SWAP, Outcome, Termination
from games.rules.seat import Seat

BOARDS = ("24", *(str(size) for size in range(5, 27) if size != 24))


@dataclass(frozen=True, slots=True)
class Twixt(GoalPlacement):
    """A position of TwixT; `linked[i]` is the set of the pegs that peg i is linked to."""

    board: PegBoard
    linked: tuple[int, ...] = ()

    def is_black(self, seat: Seat) -> bool:
        """Return whether a seat has the colour that moves first."""
        return (seat is Seat.FIRST) is not self.swapped

    @property
    def open_to_mover(self) -> int:
        """The empty points that the side to move may peg."""
        one, other = self.board.borders[self.is_black(self.to_move)]
        return self.empty & ~(one | other)

    @property
    def is_over(self) -> bool:
        """Whether a chain is made, or the side to move has no legal peg."""
        return self.winner is not None or not self.open_to_mover

    def legal_moves(self) -> Iterator[str]:
        """Yield the points by number, then swap where it is allowed."""
        if self.is_over:
            return
        for cell in cells_of(self.open_to_mover):
            yield self.board.names[cell]
        if self.may_swap:
            yield SWAP

    def empty_cell(self, name: str) -> int:
        """Return the number of an empty point; raises `border` for those of the other colour."""
        number = GoalPlacement.empty_cell(self, name)
        if not self.open_to_mover >> number & 1:
            raise IllegalMove(
                f"{name} lies on a border of the other colour", Code.BORDER, cell=name
            )
        return number

    def place(self, stones: int) -> Self:
        """Return the position after a peg, with all its links."""
        cell = stones.bit_length() - 1
        own, enemy = self.stones(self.to_move), self.stones(self.to_move.other)
        linked = list(self.linked)
        for other, crossing in self.board.links[cell].items():
            if own >> other & 1 and not any(
                linked[start] >> end & 1 and enemy >> start & 1 for start, end in crossing
            ):
                linked[cell] |= 1 << other
                linked[other] |= 1 << cell
        return GoalPlacement.place(replace(self, linked=tuple(linked)), stones)

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return whether links join the peg to both borders of its colour."""
        one, other = self.board.borders[not self.is_black(seat)]
        chain = chain_at(1 << cell, self.stones(seat), self.linked)
        return bool(chain & one and chain & other)

    def outcome(self) -> Outcome:
        """Return the win, or the draw when the side to move has no legal peg."""
        if self.winner is None and self.is_over:
            return Outcome(termination=Termination.BLOCKED, draw=True)
        return GoalPlacement.outcome(self)

    def state(self) -> dict[str, str]:
        """Return the number of plies, the sign of the first seat, and the links."""
        names = self.board.names
        links = (
            f"{names[cell]}-{names[other]}"
            for cell, others in enumerate(self.linked)
            for other in cells_of(others >> cell << cell)
        )
        return {**GoalPlacement.state(self), "links": " ".join(links)}

    def pictured(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows, its links among it."""
        linked = [0] * len(self.board.names)
        for link in state["links"].split():
            cell, other = (self.board.index[name] for name in link.split("-"))
            linked[cell] |= 1 << other
            linked[other] |= 1 << cell
        return GoalPlacement.pictured(replace(self, linked=tuple(linked)), stones, state)


def _start(conditions: Conditions) -> Twixt:
    board = peg_board(int(conditions.board))
    return Twixt(conditions, board, linked=(0,) * len(board.names))


def _read_board(board: str) -> str | None:
    return board if board in BOARDS else None


@lru_cache(maxsize=8)
def _words(board: str) -> frozenset[str]:
    return frozenset((*peg_board(int(board)).names, SWAP))


TWIXT = GameRules(
    code="twixt",
    name="TwixT",
    boards=BOARDS,
    board_form="points a side: 24 as a rule, from 5 to 26",
    notation="column letter and row number: d4",
    summary=(
        "Place one peg a turn; own pegs a knight's move apart are linked at once unless a link "
        "of the other colour is in the way. A chain of links from border to border wins."
    ),
    source="standard public rules, as played with paper and pencil",
    read_board=_read_board,
    start=_start,
    words=_words,
    canonical=str.lower,
    draws=True,
)
