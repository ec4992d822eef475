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
from functools import cached_property, lru_cache
from string import ascii_lowercase
from typing import Self

from games.rules.chains import cells_of, chain_at
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.game import GameRules
from games.rules.goals import GoalPlacement
from games.rules.lines import Line, Stones, rows_of
from games.rules.position import SWAP, Outcome, Seat, Termination

Place = tuple[int, int]
Segment = tuple[Place, Place]

STEPS = ((1, 2), (2, 1), (2, -1), (1, -2))
"""Half of the knight's moves; the other half are these backwards."""

BOARDS = ("24", *(str(size) for size in range(5, 27) if size != 24))


def cross(one: Segment, other: Segment) -> bool:
    """Return whether two links without a common peg cross.

    Links never run through a third point, so they cross exactly when each has the ends of the
    other on different sides.
    """

    def side(segment: Segment, place: Place) -> int:
        (x, y), (to_x, to_y) = segment
        return (to_x - x) * (place[1] - y) - (to_y - y) * (place[0] - x)

    return (
        side(one, other[0]) * side(one, other[1]) < 0
        and side(other, one[0]) * side(other, one[1]) < 0
    )


@dataclass(frozen=True, eq=False)
class PegBoard:
    """A square of points without corners, numbered column by column."""

    size: int

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The points as (column from 0, row from 1)."""
        last = self.size - 1
        return tuple(
            (column, row)
            for column in range(self.size)
            for row in range(1, self.size + 1)
            if not (column in (0, last) and row in (1, self.size))
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the points by number."""
        return tuple(f"{ascii_lowercase[column]}{row}" for column, row in self.places)

    @cached_property
    def index(self) -> dict[str, int]:
        """The numbers of the points by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def bits(self) -> dict[str, int]:
        """The points by name, each as a set of one."""
        return {name: 1 << number for number, name in enumerate(self.names)}

    @cached_property
    def cells(self) -> int:
        """All points."""
        return (1 << len(self.names)) - 1

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The board as text."""
        return rows_of(self.places, lean=0)

    @cached_property
    def borders(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two border lines of black (rows), then those of white (columns)."""

        def line(axis: int, at: int) -> int:
            return sum(1 << n for n, place in enumerate(self.places) if place[axis] == at)

        return (line(1, 1), line(1, self.size)), (line(0, 0), line(0, self.size - 1))

    @cached_property
    def links(self) -> tuple[dict[int, tuple[tuple[int, int], ...]], ...]:
        """For each point the points a knight's move away, with the links that cross the way."""
        numbers = {place: number for number, place in enumerate(self.places)}
        table: list[dict[int, tuple[tuple[int, int], ...]]] = []
        for column, row in self.places:
            away: dict[int, tuple[tuple[int, int], ...]] = {}
            for sign in (1, -1):
                for step in STEPS:
                    dx, dy = step[0] * sign, step[1] * sign
                    other = numbers.get((column + dx, row + dy))
                    if other is not None:
                        away[other] = tuple(
                            (numbers[start], numbers[end])
                            for (x, y), (to_x, to_y) in crossing_links(dx, dy)
                            if (start := (column + x, row + y)) in numbers
                            and (end := (column + to_x, row + to_y)) in numbers
                        )
            table.append(away)
        return tuple(table)


@lru_cache(maxsize=8)
def crossing_links(dx: int, dy: int) -> tuple[Segment, ...]:
    """Return the links that cross the link from (0, 0) to (dx, dy)."""
    link = (0, 0), (dx, dy)
    found = []
    for x in range(-3, 4):
        for y in range(-3, 4):
            for step_x, step_y in STEPS:
                other = (x, y), (x + step_x, y + step_y)
                if not set(link) & set(other) and cross(link, other):
                    found.append(other)
    return tuple(found)


@lru_cache(maxsize=32)
def peg_board(size: int) -> PegBoard:
    """Return the board of that size; the same object each time."""
    return PegBoard(size)


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
