"""How Many Queens: place stones so that no two stand in a row of each other.

Ten rings with the centre `C`. A stone guards every cell in a row with it, over the centre on both
forks. A turn places a stone on an empty, unguarded cell; solved when every empty cell is guarded.
Players try for many stones or, with the option `fewest`, for few; it changes nothing here. The
most is 17 and the fewest 9. Source: the *Star booklet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.rules.boards.chains import cells_of
from games.rules.boards.rows import RINGS, board, in_a_row
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.game import GameRules
from games.rules.penta_line import cell_names, read_board
from games.rules.position import refuse_other_turns
from games.rules.solitaire import Solitaire


@dataclass(frozen=True, slots=True)
class Queens(Solitaire):
    """A position of How Many Queens."""

    @property
    def guarded(self) -> int:
        """The cells in a row with any stone."""
        guarded = 0
        for stone in cells_of(self.stones):
            guarded |= in_a_row(self.board, stone)
        return guarded

    @property
    def is_solved(self) -> bool:
        """Whether every empty cell is guarded."""
        return not self.board.cells & ~(self.stones | self.guarded)

    def legal_moves(self) -> Iterator[str]:
        """Yield the cells that are neither filled nor guarded, by number."""
        for cell in cells_of(self.board.cells & ~(self.stones | self.guarded)):
            yield self.board.names[cell]

    def play(self, move: str) -> Queens:
        """Return the position with a stone more; raises IllegalMove (`occupied`, `guarded`)."""
        refuse_other_turns(self, move)
        cell = self.cell(move)
        if self.stones >> cell & 1:
            raise IllegalMove(f"{move} holds a stone already", Code.OCCUPIED, cell=move)
        guards = self.stones & in_a_row(self.board, cell)
        if guards:
            guard = self.board.names[next(cells_of(guards))]
            raise IllegalMove(f"{move} lies in a row with {guard}", Code.GUARDED, cell=move)
        return replace(self, stones=self.stones | 1 << cell, plies=self.plies + 1)


def _start(conditions: Conditions) -> Queens:
    return Queens(conditions, board(), 0)


QUEENS = GameRules(
    code="queens",
    name="How Many Queens",
    boards=(str(RINGS),),
    board_form="10 rings",
    notation="as in *Star; the centre is C",
    summary="A solitaire: place stones, no two in a row of each other, until no cell is free.",
    source="the *Star booklet",
    read_board=read_board,
    start=_start,
    words=cell_names,
    canonical=str.upper,
    options=("fewest",),
    players=1,
    swaps=False,
)
