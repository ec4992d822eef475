"""Penta-Line: run along rows and line up five.

Ten stones each on ten rings with the centre `C`. A turn moves one own stone along a row, as a
chess queen does, over empty cells only. Five or more own stones on consecutive cells of one row
win, a filled `C` and either fork beyond it included; cells along a ring on both sides of a ray
are no row. No swap and no pass; a side that cannot move has a draw. Source: the *Star booklet.

Assumed, for the picture is lost: on each side of the rim the first player starts on the offsets 1
and 2, the second on 8 and 9; `Setup` may state another start of ten cells each, none twice and no
five in a row. Decided: the centre is a cell like others and blocks when filled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from games.rules.boards.chains import cells_of
from games.rules.boards.mesh import STAR_SECTORS
from games.rules.boards.rows import RINGS, board, longest_row
from games.rules.conditions import Conditions, Setup
from games.rules.errors import BadConditions, Code
from games.rules.game import GameRules
from games.rules.movement import Movement
from games.rules.position import refuse_other_turns
from games.rules.seat import Seat

STONES = 10
WINNING_ROW = 5

DEFAULT_SETUP: Setup = (
    tuple(f"{sector}0{offset}" for sector in STAR_SECTORS for offset in (1, 2)),
    tuple(f"{sector}0{offset}" for sector in STAR_SECTORS for offset in (8, 9)),
)


@dataclass(frozen=True, slots=True)
class PentaLine(Movement):
    """A position of Penta-Line."""

    def all_moves(self) -> Iterator[str]:
        """Yield every move that is legal while nobody has won."""
        for start, target in self.runs():
            yield f"{self.board.names[start]}-{self.board.names[target]}"

    def play(self, move: str) -> PentaLine:
        """Return the position after a move, won if it makes a row of five."""
        refuse_other_turns(self, move)
        start, target = self.read_run(move)
        seat = self.to_move
        own = self.stones(seat) ^ (1 << start) | 1 << target
        wins = longest_row(self.board, target, own) >= WINNING_ROW
        after = self.with_stones(seat, own, self.stones(seat.other))
        return replace(after, plies=self.plies + 1, winner=seat if wins else None)

    def seen_winner(self) -> Seat | None:
        """Return the seat with five in a row."""
        for seat in (self.to_move.other, self.to_move):
            own = self.stones(seat)
            if any(longest_row(self.board, cell, own) >= WINNING_ROW for cell in cells_of(own)):
                return seat
        return None


def read_setup(setup: Setup | None) -> Setup:
    """Return the start that a record states, or the usual one.

    Raises BadConditions for anything but ten cells each, none twice, no five in a row.
    """
    stated = DEFAULT_SETUP if setup is None else setup
    mesh = board()
    for seat, cells in zip(Seat, stated, strict=True):
        unknown = [cell for cell in cells if cell not in mesh.index]
        if unknown:
            raise _bad_setup(f"{unknown[0]:.20} names no cell of this board")
        if len(cells) != STONES:
            raise _bad_setup(f"the {seat} seat starts with {STONES} stones, not {len(cells)}")
    if len({*stated[0], *stated[1]}) != 2 * STONES:
        raise _bad_setup("no cell can hold two stones")
    for seat, cells in zip(Seat, stated, strict=True):
        stones = sum(mesh.bits[cell] for cell in cells)
        if any(longest_row(mesh, cell, stones) >= WINNING_ROW for cell in cells_of(stones)):
            raise _bad_setup(f"the {seat} seat would start with five in a row")
    return tuple(sorted(stated[0])), tuple(sorted(stated[1]))


def _bad_setup(detail: str) -> BadConditions:
    return BadConditions(detail, Code.BAD_TAG, tag="Setup")


def _start(conditions: Conditions) -> PentaLine:
    mesh = board()
    first, second = (
        sum(mesh.bits[cell] for cell in cells) for cells in read_setup(conditions.setup)
    )
    return PentaLine(conditions, mesh, first, second)


def read_board(name: str) -> str | None:
    """Return the board's name when it is the only one there is, None when not."""
    return name if name == str(RINGS) else None


@lru_cache(maxsize=1)
def cell_names(_board: str) -> frozenset[str]:
    """Return the names of the cells; as turns they have no other spelling."""
    return frozenset(board().names)


PENTA_LINE = GameRules(
    code="penta-line",
    name="Penta-Line",
    boards=(str(RINGS),),
    board_form="10 rings",
    notation="from-to: S91-S93; cells as in *Star, the centre C",
    summary=("Move one stone a turn along a row like a chess queen; five own stones in a row win."),
    source="the *Star booklet; the start is assumed",
    read_board=read_board,
    start=_start,
    words=cell_names,
    canonical=str.upper,
    swaps=False,
    draws=True,
    read_setup=read_setup,
)
