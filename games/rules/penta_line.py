"""Penta-Line: move along rows and get five in a row.

Ten stones each on ten rings with the centre `C`. A turn moves one own stone along a row, like a
chess queen, over empty cells only. Five or more own stones on consecutive cells of one row win,
including a filled `C` and either fork beyond it; cells along a ring on both sides of a ray are not
in a row. There is no swap and no pass; a side that cannot move has a draw. Source: the *Star
booklet.

Assumed, because the picture is lost: on each side of the rim the first player starts on the offsets
1 and 2, the second on 8 and 9; `Setup` may state another start of ten cells each, none twice and
no five in a row. Decided: the centre is an ordinary cell and blocks when filled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from games.rules.boards.chains import cells_of
from games.rules.boards.mesh import STAR_SECTORS
from games.rules.boards.rows import HEXAGON_RINGS, longest_row, row_board, rows_through
from games.rules.conditions import Conditions, Setup
from games.rules.errors import BadConditions, Code
from games.rules.families.movement import Movement
from games.rules.game import Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.rings import ring_layout
from games.rules.messages import Say, gettext_noop
from games.rules.seat import Seat
from games.rules.text import Text

STONES_OF_PLAYER = 10
WINNING_ROW = 5

DEFAULT_SETUP: Setup = (
    tuple(f"{sector}0{offset}" for sector in STAR_SECTORS for offset in (1, 2)),
    tuple(f"{sector}0{offset}" for sector in STAR_SECTORS for offset in (8, 9)),
)


@dataclass(frozen=True, slots=True)
class PentaLine(Movement):
    """A position of Penta-Line."""

    def all_moves(self) -> Iterator[str]:
        """Yield every move that is legal if no seat has won."""
        for start, target in self.runs():
            yield f"{self.board.names[start]}-{self.board.names[target]}"

    def play(self, move: str) -> Self:
        """Return the position after a move, with the winner if it makes a row of five."""
        self.check_moves_stone(move)
        start, target = self.parse_run(move)
        seat = self.to_move
        own = self.stones(seat) ^ (1 << start) | 1 << target
        wins = longest_row(self.board, target, own) >= WINNING_ROW
        after = self.with_stones(seat, own, self.stones(seat.other))
        return replace(after, plies=self.plies + 1, winner=seat if wins else None)

    def find_winner(self) -> Seat | None:
        """Return the seat with five in a row."""
        for seat in (self.to_move.other, self.to_move):
            own = self.stones(seat)
            if any(longest_row(self.board, cell, own) >= WINNING_ROW for cell in cells_of(own)):
                return seat
        return None

    def describe_stone(self, cell: int, seat: Seat, say: Say) -> Iterator[str]:
        """Yield the length of the longest row of a stone."""
        length = longest_row(self.board, cell, self.stones(seat))
        if length > 1:
            yield say(gettext_noop("{number} stones in a row"), number=length)

    def highlights(self, last: int) -> Highlights:
        """Return the rows that have won."""
        if self.winner is None:
            return Highlights()
        rows = rows_through(self.board, last.bit_length() - 1, self.stones(self.winner))
        winning = dict.fromkeys(row for row in rows if row.bit_count() >= WINNING_ROW)
        return Highlights(winning=tuple(winning))


def parse_setup(setup: Setup | None) -> Setup:
    """Return the start that a record states, or the usual one.

    Raise BadConditions for anything but ten cells each, none twice, no five in a row.
    """
    stated = DEFAULT_SETUP if setup is None else setup
    mesh = row_board()
    for seat, cells in zip(Seat, stated, strict=True):
        unknown = [cell for cell in cells if cell not in mesh.index]
        if unknown:
            raise _bad_setup(Text("%(cell)s is not a cell of this board", cell=f"{unknown[0]:.20}"))
        if len(cells) != STONES_OF_PLAYER:
            raise _bad_setup(
                Text(
                    "the %(seat)s seat starts with %(most)s stones, not %(count)s",
                    seat=seat,
                    most=STONES_OF_PLAYER,
                    count=len(cells),
                )
            )
    if len({*stated[0], *stated[1]}) != 2 * STONES_OF_PLAYER:
        raise _bad_setup(Text("no cell can hold two stones"))
    for seat, cells in zip(Seat, stated, strict=True):
        stones = sum(mesh.bits[cell] for cell in cells)
        if any(longest_row(mesh, cell, stones) >= WINNING_ROW for cell in cells_of(stones)):
            raise _bad_setup(Text("the %(seat)s seat would start with five in a row", seat=seat))
    return tuple(sorted(stated[0])), tuple(sorted(stated[1]))


def _bad_setup(detail: str) -> BadConditions:
    return BadConditions(detail, Code.BAD_TAG, tag="Setup")


def _start(conditions: Conditions) -> PentaLine:
    mesh = row_board()
    first, second = (
        sum(mesh.bits[cell] for cell in cells) for cells in parse_setup(conditions.setup)
    )
    return PentaLine(conditions, mesh, first, second)


PENTA_LINE = GameRules(
    code="penta-line",
    name="Penta-Line",
    family=Family.MOVEMENT,
    layout=lambda names, _: ring_layout(names),
    has_chains=False,
    boards=(str(HEXAGON_RINGS),),
    board_form=gettext_noop("10 rings"),
    notation=gettext_noop("from-to: S91-S93; cells as in *Star, the centre C"),
    summary=gettext_noop(
        "Move one stone a turn along a row like a chess queen; five own stones in a row win."
    ),
    play=(
        gettext_noop(
            "Each player has ten stones on the edge of the board of ten rings, whose centre C is "
            "an ordinary cell. A turn moves one stone along a row over empty cells, as far as the "
            "player likes, as a queen moves in chess; a stone never jumps."
        ),
    ),
    goal=gettext_noop("Five or more stones of a player on successive cells of one row win."),
    remarks=(
        gettext_noop(
            "A row that runs along a ring leaves it where it meets a ray. At the centre a row "
            "continues on either of the two rays opposite. There is no pie rule and no pass; a "
            "player without a legal move has a draw."
        ),
    ),
    source=gettext_noop("the *Star booklet; the start is assumed"),
    initial_position=_start,
    canonical=str.upper,
    swaps=False,
    draws=True,
    parse_setup=parse_setup,
)
