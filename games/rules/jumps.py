"""The jumping solitaires: Supply Line, Ring and Mini.

Ten rings with the centre `C`. A stone jumps over a neighbouring stone to the next cell of the
row, which must be empty, and the stone it passed is removed; over `C` either fork will do. A turn
is written `S20-S40`.

- Supply Line: rings 1 to 5 and `C` are filled; end with one stone, on the rim. (The booklet's
  "order-5 pentagon". It can be done; from rings 1 to 4 it cannot: weigh a stone with
  0.618^distance to the target, then no jump raises the sum, and it starts below 1.)
- Ring: ring 6 is filled; end with one stone on `C`. Our searches found no solution.
- Mini: rings 1 and 2 and `C` are filled; end with one stone anywhere. It can end on `C` and at the
  middle of a side, not at a corner nor next to the star: let cells with (ring + offset) divisible
  by 3, and `C`, weigh 0 and all others 1; a jump keeps the parity of the weight.

Source: the *Star booklet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.rules.boards.chains import cells_of
from games.rules.boards.mesh import Mesh
from games.rules.boards.rows import RINGS, board
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.game import GameRules
from games.rules.movement import MOVE
from games.rules.penta_line import cell_names, read_board
from games.rules.position import refuse_other_turns
from games.rules.solitaire import Solitaire


@dataclass(frozen=True, slots=True)
class Jumps(Solitaire):
    """A position of a jumping solitaire; `goal` are the cells where the last stone may stand."""

    goal: int = 0

    @property
    def is_solved(self) -> bool:
        """Whether one stone is left, on a cell of the goal."""
        return self.stones.bit_count() == 1 and bool(self.stones & self.goal)

    def legal_moves(self) -> Iterator[str]:
        """Yield the jumps, stone by stone."""
        names = self.board.names
        for start in cells_of(self.stones):
            for over in cells_of(self.board.neighbours[start] & self.stones):
                for target in self.board.onward(start, over):
                    if not self.stones >> target & 1:
                        yield f"{names[start]}-{names[target]}"

    def play(self, move: str) -> Jumps:
        """Return the position after a jump.

        Raises IllegalMove: `unknown_cell`, `occupied`, `no_own_stone` or `no_such_jump`.
        """
        refuse_other_turns(self, move)
        names = MOVE.fullmatch(move)
        if names is None:
            raise IllegalMove(f"{move} is no jump: one is like S20-S40", Code.UNKNOWN_CELL)
        start, target = self.cell(names[1]), self.cell(names[2])
        if self.stones >> target & 1:
            raise IllegalMove(f"{names[2]} holds a stone", Code.OCCUPIED, cell=names[2])
        if not self.stones >> start & 1:
            raise IllegalMove(f"{names[1]} holds no stone", Code.NO_OWN_STONE, cell=names[1])
        for over in cells_of(self.board.neighbours[start] & self.stones):
            if target in self.board.onward(start, over):
                stones = self.stones ^ (1 << start | 1 << over | 1 << target)
                return replace(self, stones=stones, plies=self.plies + 1)
        raise IllegalMove(
            f"no stone lies between {names[1]} and {names[2]} in a row of three",
            Code.NO_SUCH_JUMP,
        )


def _rings(mesh: Mesh, first: int, last: int) -> int:
    """Return the cells of some rings."""
    start, end = (mesh.sectors * ring * (ring + 1) // 2 for ring in (first - 1, last))
    return (1 << end) - (1 << start)


def _start(conditions: Conditions) -> Jumps:
    mesh = board()
    centre = mesh.bits["C"]
    stones, goal = {
        "supply-line": (_rings(mesh, 1, 5) | centre, mesh.rim_cells),
        "ring": (_rings(mesh, 6, 6), centre),
        "mini": (_rings(mesh, 1, 2) | centre, mesh.cells),
    }[conditions.game]
    return Jumps(conditions, mesh, stones, goal=goal)


SUPPLY_LINE = GameRules(
    code="supply-line",
    name="Supply Line",
    boards=(str(RINGS),),
    board_form="10 rings",
    notation="from-to: S20-S40; cells as in *Star, the centre C",
    summary="A solitaire: from five full rings jump until one stone is left, on the rim.",
    source="the *Star booklet",
    read_board=read_board,
    start=_start,
    words=cell_names,
    canonical=str.upper,
    players=1,
    swaps=False,
)

RING = replace(
    SUPPLY_LINE,
    code="ring",
    name="Ring",
    summary="A solitaire: from the full ring 6 jump until one stone is left, on the centre.",
)

MINI = replace(
    SUPPLY_LINE,
    code="mini",
    name="Mini",
    summary="A solitaire: from two full rings jump until one stone is left, anywhere.",
)
