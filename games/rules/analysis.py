"""Any stones on a board, reached by play or not, to be looked at and counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from games.rules.boards.chains import cells_of
from games.rules.boards.lines import BLACK, WHITE
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.families.goal_placement import GoalPlacement
from games.rules.families.placement import Placement
from games.rules.position import SWAP, Position
from games.rules.records.record import Record
from games.rules.records.streams import judge
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.text import Text


@dataclass(frozen=True, slots=True)
class Stones:
    """The cells with stones of each seat, in the order in which they were placed.

    `swapped` is True if the second seat has the colour that moves first.
    """

    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    swapped: bool = False

    def with_click(self, cell: str, seat: Seat | None) -> Stones:
        """Return the stones without the one on a cell, or with a new one of a seat.

        Without a seat it belongs to the seat to move.
        """
        if cell in self.first or cell in self.second:
            first, second = (
                tuple(name for name in cells if name != cell) for cells in (self.first, self.second)
            )
            return replace(self, first=first, second=second)
        if (seat or self.to_move) is Seat.FIRST:
            return replace(self, first=(*self.first, cell))
        return replace(self, second=(*self.second, cell))

    @property
    def named(self) -> dict[str, str]:
        """The cells by seat, with spaces between them."""
        return {"first": " ".join(self.first), "second": " ".join(self.second)}

    @property
    def to_move(self) -> Seat:
        """The seat with fewer stones; if both have as many, that of the colour that moves first."""
        black, white = (self.second, self.first) if self.swapped else (self.first, self.second)
        is_white = len(black) > len(white)
        return Seat.SECOND if is_white is not self.swapped else Seat.FIRST

    @property
    def in_turn(self) -> list[str]:
        """The cells as if the seats had taken turns."""
        pairs = zip_longest(*((self.first, self.second)[:: -1 if self.swapped else 1]))
        return [cell for cell in chain.from_iterable(pairs) if cell is not None]


def stones_of(position: Position) -> Stones:
    """Return the stones of a position, in the order of their cells."""
    names = position.board.names
    first, second = (
        tuple(names[cell] for cell in cells_of(position.stones(seat))) for seat in Seat
    )
    return Stones(first, second, not position.is_black(Seat.FIRST))


def place_stones(conditions: Conditions, stones: Stones) -> Position:
    """Return the position with these stones; raise IllegalMove for a cell that cannot have one."""
    start = find_game(conditions.game).start(conditions)
    cells = [start.cell(name) for name in (*stones.first, *stones.second)]
    if len({*cells}) < len(cells):
        raise IllegalMove(Text("no cell can hold two stones"), Code.OCCUPIED)
    plies = 2 * len(cells) + (stones.to_move is Seat.SECOND)
    if not isinstance(start, Placement):
        first, second = (
            sum(start.board.bits[name] for name in names) for names in (stones.first, stones.second)
        )
        return start.with_picture({BLACK: first, WHITE: second}, {"ply": str(plies)})
    position = replace(start, first=0, second=0, swapped=stones.swapped)
    for name in stones.in_turn:
        position = replace(position, plies=int(name in stones.second))
        position = position.place(1 << position.open_cell(name))
    return replace(position, plies=plies)


def clickable_cells(position: Position, stones: Stones, seat: Seat | None) -> list[str]:
    """Return the cells with stones, and those that a stone of a seat, or the next, may fill."""
    if not isinstance(position, Placement):
        return [*position.board.names]
    ply = int((seat or stones.to_move) is Seat.SECOND)
    cells = replace(position, plies=ply).open_cells | position.filled
    return [position.board.names[cell] for cell in cells_of(cells)]


def last_of(position: Position) -> int:
    """Return a stone of the winning shape, as if it were the last one; 0 if nobody has won."""
    winner: Seat | None = getattr(position, "winner", None)
    if winner is None:
        return 0
    cells = [1 << cell for cell in cells_of(position.stones(winner))]
    if isinstance(position, GoalPlacement):
        won = (cell for cell in cells if position.has_won(winner, cell.bit_length() - 1))
    else:
        won = (cell for cell in cells if position.highlights(cell).winning)
    return next(won, cells[0])


def record_of(conditions: Conditions, stones: Stones) -> Record | None:
    """Return a record that leads to these stones; None if turns one after the other do not."""
    start = find_game(conditions.game).start(conditions)
    moves = stones.in_turn
    black = len(stones.second if stones.swapped else stones.first)
    if not isinstance(start, Placement) or not 0 <= 2 * black - len(moves) <= 1:
        return None
    if stones.swapped:
        moves.insert(1, SWAP)
    record = Record(conditions=conditions, moves=tuple(moves))
    return record if judge(record).is_valid else None
