"""Y: connect the three sides of a triangle.

One stone a turn; a chain that touches all three sides wins, and a corner cell touches both its
sides. On a full board exactly one colour has such a chain, so there are no draws. Boards: the
triangle of 5 to 25 cells a side, or the curved board of 93 cells, on which the corners are less
strong. Standard public rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.boards.chains import Connections, chain_at
from games.rules.boards.hexagons import HexBoard, curved_triangle, triangle
from games.rules.boards.symmetries import Symmetry, curved_triangle_symmetries, triangle_symmetries
from games.rules.conditions import Conditions
from games.rules.families.goal_placement import GoalPlacement, winning_chain
from games.rules.game import Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.curved import curved_layout
from games.rules.layouts.hexagons import triangle_layout
from games.rules.layouts.layout import Layout
from games.rules.messages import gettext_noop
from games.rules.seat import Seat

CURVED = "93"


@dataclass(frozen=True, slots=True)
class Y(GoalPlacement):
    """A position of Y."""

    board: HexBoard

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return True if the chain of the stone touches all sides."""
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        return all(chain & side for side in self.board.sides)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the triangle, or of the curved board."""
        if self.conditions.board == CURVED:
            return curved_triangle_symmetries()
        return triangle_symmetries(int(self.conditions.board))

    def connections(self) -> Connections:
        """Return the chains; the sides count."""
        return Connections(self.board.neighbours, self.board.border, self.board.sides)

    def highlights(self, last: int) -> Highlights:
        """Return the chain that has won."""
        return winning_chain(self, last)


def _start(conditions: Conditions) -> Y:
    size = conditions.board
    return Y(conditions, curved_triangle() if size == CURVED else triangle(int(size)))


def _layout(names: tuple[str, ...], _options: tuple[str, ...]) -> Layout:
    return curved_layout(names) if len(names) == int(CURVED) else triangle_layout(names)


Y_GAME = GameRules(
    code="y",
    name="Y",
    family=Family.CONNECTION,
    layout=_layout,
    usual_board=CURVED,
    boards=(*(str(side) for side in range(5, 26)), CURVED),
    board_form=gettext_noop("cells a side from 5 to 25, or 93 for the curved board"),
    notation=gettext_noop(
        "column letter and row number: d4; on the curved board sector a to c, ring 1 to 6, "
        "offset: a60"
    ),
    summary=gettext_noop("Place one stone a turn; a chain that touches all three sides wins."),
    play=(
        gettext_noop(
            "The board is a triangle of hexagons, or the curved board of 93 cells. The players "
            "take turns to place a stone on an empty cell."
        ),
    ),
    goal=gettext_noop(
        "A chain that touches all three sides wins. A corner cell touches both its sides."
    ),
    remarks=(
        gettext_noop("On a full board exactly one player has such a chain, so there are no draws."),
    ),
    source=gettext_noop("standard public rules"),
    initial_position=_start,
    canonical=str.lower,
)
