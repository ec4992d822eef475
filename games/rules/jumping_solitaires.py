"""The jumping solitaires: Supply Line, Ring and Mini.

Ten rings with the centre `C`. A stone jumps over a neighbouring stone to the next cell of the row,
which must be empty, and the stone it passed is removed; over `C` either fork will do. A turn is
written `S20-S40`.

- Supply Line: rings 1 to 5 and `C` are filled; end with one stone, on the rim. (The booklet's
  "order-5 pentagon". It can be done; from rings 1 to 4 it cannot: weigh a stone with
  0.618^distance to the target, then no jump raises the sum, and it starts below 1.)
- Ring: ring 6 is filled; end with one stone on `C`. Our searches found no solution.
- Mini: rings 1 and 2 and `C` are filled; end with one stone anywhere. It can end on `C` and at the
  middle of a side, but not at a corner or next to the star: let cells with (ring + offset)
  divisible by 3, and `C`, weigh 0 and all others 1; a jump keeps the parity of the weight.

Source: the *Star booklet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Self

from games.rules.boards.chains import cells_of
from games.rules.boards.mesh import CENTRE, Mesh
from games.rules.boards.rows import HEXAGON_RINGS, row_board
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.families.movement import MOVE, begin_move
from games.rules.families.solitaire import Solitaire
from games.rules.game import Family, GameRules
from games.rules.layouts.rings import ring_layout
from games.rules.messages import STONES, Say, count, gettext_noop
from games.rules.position import Position
from games.rules.text import Text


@dataclass(frozen=True, slots=True)
class JumpingSolitaire(Solitaire):
    """A position of a jumping solitaire; the last stone must end on a cell of `goal`."""

    goal: int = 0

    @property
    def is_solved(self) -> bool:
        """True if one stone is left, on a cell of the goal."""
        return self.filled.bit_count() == 1 and bool(self.filled & self.goal)

    def legal_moves(self) -> Iterator[str]:
        """Yield the jumps, stone by stone."""
        names = self.board.names
        for start in cells_of(self.filled):
            for over in cells_of(self.board.neighbours[start] & self.filled):
                for target in self.board.onward(start, over):
                    if self.empty >> target & 1:
                        yield f"{names[start]}-{names[target]}"

    def play(self, move: str) -> Self:
        """Return the position after a jump.

        Raise IllegalMove: `unknown_cell`, `occupied`, `no_own_stone` or `no_such_jump`.
        """
        self.check_moves_stone(move)
        names = MOVE.fullmatch(move)
        if names is None:
            raise IllegalMove(
                Text("%(word)s is not a jump; write S20-S40", word=move), Code.UNKNOWN_CELL
            )
        start, target = self.cell(names[1]), self.cell(names[2])
        if self.filled >> target & 1:
            raise IllegalMove(
                Text("%(cell)s is occupied", cell=names[2]), Code.OCCUPIED, cell=names[2]
            )
        if self.empty >> start & 1:
            raise IllegalMove(
                Text("%(cell)s holds no stone", cell=names[1]), Code.NO_OWN_STONE, cell=names[1]
            )
        for over in cells_of(self.board.neighbours[start] & self.filled):
            if target in self.board.onward(start, over):
                stones = self.filled ^ (1 << start | 1 << over | 1 << target)
                return replace(self, first=stones, plies=self.plies + 1)
        raise IllegalMove(
            Text(
                "there is no stone between %(first)s and %(second)s in a row of three",
                first=names[1],
                second=names[2],
            ),
            Code.NO_SUCH_JUMP,
        )

    def describe_turn(self, before: Position, say: Say) -> Iterator[str]:
        """Yield the cells that a jump left empty, and how many stones are left."""
        names = [self.board.names[cell] for cell in cells_of(before.filled & ~self.filled)]

        def both(first: str, second: str) -> str:
            return say(gettext_noop("{first} and {second}"), first=first, second=second)

        left = count(self.filled.bit_count(), STONES, say)
        pattern = gettext_noop("jumps, {cells} empty, {stones} left")
        yield say(pattern, cells=reduce(both, names), stones=left)

    def extend_turn(self, begun: str, cell: str) -> str:
        """Return the start of a jump, then its target."""
        return begun + cell if begun else begin_move(self, cell)


def _ring_cells(mesh: Mesh, first: int, last: int) -> int:
    """Return the cells of some rings."""
    start, end = (mesh.sectors * ring * (ring + 1) // 2 for ring in (first - 1, last))
    return (1 << end) - (1 << start)


def _start(conditions: Conditions) -> JumpingSolitaire:
    mesh = row_board()
    centre = mesh.bits[CENTRE]
    stones, goal = {
        "supply-line": (_ring_cells(mesh, 1, 5) | centre, mesh.rim_cells),
        "ring": (_ring_cells(mesh, 6, 6), centre),
        "mini": (_ring_cells(mesh, 1, 2) | centre, mesh.cells),
    }[conditions.game]
    return JumpingSolitaire(conditions, mesh, stones, goal=goal)


SUPPLY_LINE = GameRules(
    code="supply-line",
    name="Supply Line",
    family=Family.SOLITAIRE,
    layout=lambda names, _: ring_layout(names),
    has_chains=False,
    boards=(str(HEXAGON_RINGS),),
    board_form=gettext_noop("10 rings"),
    notation=gettext_noop("from-to: S20-S40; cells as in *Star, the centre C"),
    summary=gettext_noop(
        "A solitaire: from five full rings jump until one stone is left, on the rim."
    ),
    play=(
        gettext_noop(
            "A puzzle for one player. The inner five rings and the centre C are full of stones. A "
            "stone jumps over a neighbouring stone to the empty cell behind it in the row, and the"
            " stone that it passed is removed. Over C it may go on to either ray opposite."
        ),
    ),
    goal=gettext_noop(
        "The puzzle is solved when one stone is left, and it is on the edge of the board."
    ),
    source=gettext_noop("the *Star booklet"),
    initial_position=_start,
    canonical=str.upper,
    players=1,
    swaps=False,
)

RING = replace(
    SUPPLY_LINE,
    code="ring",
    name="Ring",
    summary=gettext_noop(
        "A solitaire: from the full ring 6 jump until one stone is left, on the centre."
    ),
    play=(
        gettext_noop(
            "A puzzle for one player. Ring 6 is full of stones. A stone jumps over a neighbouring "
            "stone to the empty cell behind it in the row, and the stone that it passed is "
            "removed. Over C it may go on to either ray opposite."
        ),
    ),
    goal=gettext_noop(
        "The puzzle is solved when one stone is left, and it is on the centre C. No solution is "
        "known; the sample game ends blocked."
    ),
)

MINI = replace(
    SUPPLY_LINE,
    code="mini",
    name="Mini",
    summary=gettext_noop(
        "A solitaire: from two full rings jump until one stone is left, anywhere."
    ),
    play=(
        gettext_noop(
            "A puzzle for one player. The inner two rings and the centre C are full of stones. A "
            "stone jumps over a neighbouring stone to the empty cell behind it in the row, and the"
            " stone that it passed is removed. Over C it may go on to either ray opposite."
        ),
    ),
    goal=gettext_noop(
        "The puzzle is solved when one stone is left, anywhere. It can end on the centre, but not "
        "at a corner."
    ),
)
