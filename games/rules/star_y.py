"""Star Y: connect three of the five sides that are not all consecutive.

One stone a turn on an empty cell of the ring mesh, including the centre `C`. A chain that touches
three sides that are not all consecutive wins at once; a corner cell touches both its sides. On a
full board exactly one colour has such a chain, so there are no draws. Source: the *Star booklet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.boards.chains import Connections, chain_at
from games.rules.boards.mesh import Mesh, ring_mesh
from games.rules.boards.symmetries import Symmetry, mesh_symmetries
from games.rules.conditions import Conditions, HandicapKind
from games.rules.families.goal_placement import GoalPlacement, winning_chain
from games.rules.families.placement import handicap_stones
from games.rules.game import RING_BOARDS, Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.rings import ring_layout
from games.rules.messages import gettext_noop
from games.rules.seat import Seat


def connects_sides(chain: int, mesh: Mesh) -> bool:
    """Return True if a chain touches three sides that are not all consecutive."""
    touched = [bool(chain & side) for side in mesh.sides]
    return any(touched[s] and touched[s - 1] and touched[s - 3] for s in range(mesh.sectors))


@dataclass(frozen=True, slots=True)
class StarY(GoalPlacement):
    """A position of Star Y."""

    board: Mesh

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return True if the chain of the stone touches three sides, not all consecutive."""
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        return connects_sides(chain, self.board)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the mesh."""
        return mesh_symmetries(self.board)

    def connections(self) -> Connections:
        """Return the chains; the sides count."""
        return Connections(self.board.neighbours, self.board.rim_cells, self.board.sides)

    def sides_of(self, chain: int) -> Iterator[str]:
        """Yield the sides, named by their corners."""
        yield from self.board.sides_of(chain)

    def highlights(self, last: int) -> Highlights:
        """Return the chain that has won."""
        return winning_chain(self, last)


def _start(conditions: Conditions) -> StarY:
    mesh = ring_mesh(int(conditions.board), playable_centre=True)
    return StarY(conditions, mesh, second=handicap_stones(mesh, conditions)).with_winner()


STAR_Y = GameRules(
    code="star-y",
    name="Star Y",
    family=Family.CONNECTION,
    layout=lambda names, _: ring_layout(names),
    boards=("4", "6", "8", "10"),
    board_form=gettext_noop("rings: 10 as a rule; 4, 6 or 8"),
    usual_board="10",
    board_names=RING_BOARDS,
    notation=gettext_noop("as in *Star; the centre is C"),
    summary=gettext_noop(
        "Place one stone a turn; a chain that joins three sides, not all in a row, wins."
    ),
    play=(
        gettext_noop(
            "The board is the pentagon of *Star with an ordinary cell, C, in its centre. The "
            "players take turns to place a stone on an empty cell."
        ),
    ),
    goal=gettext_noop(
        "A chain that touches two sides which meet at a corner, and the side that is next to "
        "neither of them, wins at once. A corner cell touches both its sides."
    ),
    remarks=(
        gettext_noop("On a full board exactly one player has such a chain, so there are no draws."),
    ),
    source=gettext_noop("the *Star booklet"),
    initial_position=_start,
    canonical=str.upper,
    handicaps=frozenset((HandicapKind.STONES,)),
)
