"""How Many Queens: place stones so that no two are in a row of each other.

Ten rings with the centre `C`. A stone guards every cell in a row with it, on both forks beyond the
centre. A turn places a stone on an empty, unguarded cell; the solitaire is solved when every empty
cell is guarded. Players try to place many stones or, with the option `fewest`, few; the option does
not change the verdict. The most is 17 and the fewest 9. Source: the *Star booklet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from games.rules.boards.chains import cells_of
from games.rules.boards.rows import HEXAGON_RINGS, cells_in_a_row, row_board
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.families.solitaire import Solitaire
from games.rules.game import Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.rings import ring_layout
from games.rules.messages import Noun, Say, count, gettext_noop
from games.rules.position import Position
from games.rules.text import Text

_FREE_CELLS: Noun = gettext_noop("{number} free cell"), gettext_noop("{number} free cells")


@dataclass(frozen=True, slots=True)
class Queens(Solitaire):
    """A position of How Many Queens."""

    @property
    def guarded(self) -> int:
        """The cells in a row with any stone."""
        guarded = 0
        for stone in cells_of(self.filled):
            guarded |= cells_in_a_row(self.board, stone)
        return guarded

    @property
    def is_solved(self) -> bool:
        """True if every empty cell is guarded."""
        return not self.empty & ~self.guarded

    def legal_moves(self) -> Iterator[str]:
        """Yield the empty, unguarded cells by number."""
        for cell in cells_of(self.empty & ~self.guarded):
            yield self.board.names[cell]

    def play(self, move: str) -> Self:
        """Return the position with a new stone; raise IllegalMove (`occupied`, `guarded`)."""
        self.check_moves_stone(move)
        cell = self.cell(move)
        if self.filled >> cell & 1:
            raise IllegalMove(Text("%(cell)s is occupied", cell=move), Code.OCCUPIED, cell=move)
        guards = self.filled & cells_in_a_row(self.board, cell)
        if guards:
            guard = self.board.names[next(cells_of(guards))]
            raise IllegalMove(
                Text("%(cell)s is in a row with %(other)s", cell=move, other=guard),
                Code.GUARDED,
                cell=move,
            )
        return replace(self, first=self.first | 1 << cell, plies=self.plies + 1)

    def describe_turn(self, before: Position, say: Say) -> Iterator[str]:
        """Yield the number of the stone, and how many cells are left."""
        free = count((self.empty & ~self.guarded).bit_count(), _FREE_CELLS, say)
        number = self.filled.bit_count()
        yield say(gettext_noop("stone {number}, {cells} left"), number=number, cells=free)

    def highlights(self, last: int) -> Highlights:
        """Return the cells where no stone may be placed."""
        return Highlights(guarded=self.guarded & ~self.filled)


def _start(conditions: Conditions) -> Queens:
    return Queens(conditions, row_board())


QUEENS = GameRules(
    code="queens",
    name="How Many Queens",
    family=Family.SOLITAIRE,
    layout=lambda names, _: ring_layout(names),
    has_chains=False,
    boards=(str(HEXAGON_RINGS),),
    board_form=gettext_noop("10 rings"),
    notation=gettext_noop("as in *Star; the centre is C"),
    summary=gettext_noop(
        "A solitaire: place stones, no two in a row of each other, until no cell is free."
    ),
    play=(
        gettext_noop(
            "A puzzle for one player on the board of ten rings with the centre C. Place stones so "
            "that no two are in one row; rows through the centre continue on both rays opposite."
        ),
    ),
    goal=gettext_noop(
        "The puzzle is solved when no free cell is left. Try to place as many stones as you can: "
        "the most is 17. Or try to need few, with the option fewest: the fewest is 9."
    ),
    source=gettext_noop("the *Star booklet"),
    initial_position=_start,
    canonical=str.upper,
    options=("fewest",),
    players=1,
    swaps=False,
)
