"""Poly-Y: own most corners of a board with many sides.

One stone a turn on an empty cell of the ring mesh, including the centre `C`. A chain owns a corner
if it touches both sides at that corner and any third side; a corner cell touches both its sides.
The seat that owns the majority of the corners (three of five, five of nine, all chains together)
wins at once. On a full board every corner has exactly one owner, so there are no draws.

The mesh has five sides, or nine, which the inventor preferred; the printed nine-sided board of
208 cells is lost, and this is not it. Source: the inventor's page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.rules.boards.chains import Connections, chain_at, chains
from games.rules.boards.mesh import Mesh, ring_mesh
from games.rules.boards.symmetries import Symmetry, mesh_symmetries
from games.rules.conditions import Conditions, HandicapKind
from games.rules.families.goal_placement import GoalPlacement
from games.rules.families.placement import handicap_stones
from games.rules.game import RING_BOARDS, Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.rings import ring_layout
from games.rules.messages import Noun, gettext_noop
from games.rules.seat import Seat

_OWNED: Noun = gettext_noop("{number} corner owned"), gettext_noop("{number} corners owned")
_POLY_Y_BOARD = re.compile(r"(4|6|8|10)(?:x(5|9))?")


def corners_of(chain: int, mesh: Mesh) -> int:
    """Return the number of corners that a chain owns."""
    touched = [bool(chain & side) for side in mesh.sides]
    if sum(touched) < 3:
        return 0
    return sum(touched[side] and touched[side - 1] for side in range(mesh.sectors))


@dataclass(frozen=True, slots=True)
class PolyY(GoalPlacement):
    """A position of Poly-Y."""

    board: Mesh

    def corners(self, seat: Seat) -> int:
        """Return the number of corners that a seat owns."""
        mesh = self.board
        on_rim = chains(self.stones(seat), mesh.neighbours, touching=mesh.rim_cells)
        return sum(corners_of(chain, mesh) for chain in on_rim)

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return True if the seat owns the majority of the corners, with this stone's chain."""
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        return corners_of(chain, self.board) > 0 and self.corners(seat) > self.board.sectors // 2

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the mesh."""
        return mesh_symmetries(self.board)

    def connections(self) -> Connections:
        """Return the chains; the sides count."""
        return Connections(self.board.neighbours, self.board.rim_cells, self.board.sides)

    def touched(self, chain: int, seat: Seat) -> Iterator[tuple[int, Noun]]:
        """Yield the sides, and the corners that the chain owns."""
        yield from GoalPlacement.touched(self, chain, seat)
        yield corners_of(chain, self.board), _OWNED

    def sides_of(self, chain: int) -> Iterator[str]:
        """Yield the sides, named by their corners."""
        yield from self.board.sides_of(chain)

    def highlights(self, last: int) -> Highlights:
        """Return the cells of the owned corners, and the chains of the winner that own some."""
        owners = [_corner_owners(stones, self.board) for stones in (self.first, self.second)]
        return Highlights(
            owned=(sum(owners[0].values()), sum(owners[1].values())),
            winning=() if self.winner is None else tuple(owners[self.winner is Seat.SECOND]),
        )

    def holdings(self, seat: Seat) -> Mapping[str, int]:
        """Return the corners."""
        return {"corners": self.corners(seat)}


def _corner_owners(stones: int, mesh: Mesh) -> dict[int, int]:
    """Return the chains that own corners, each with the cells of its corners."""
    return {
        chain: sum(
            1 << corner
            for sector, corner in enumerate(mesh.corners)
            if chain & mesh.sides[sector] and chain & mesh.sides[sector - 1]
        )
        for chain in chains(stones, mesh.neighbours, touching=mesh.rim_cells)
        if corners_of(chain, mesh)
    }


def _start(conditions: Conditions) -> PolyY:
    rings, _, sides = conditions.board.partition("x")
    mesh = ring_mesh(int(rings), int(sides or 5), playable_centre=True)
    return PolyY(conditions, mesh, second=handicap_stones(mesh, conditions)).with_winner()


def _parse_board(board: str) -> str | None:
    return board.removesuffix("x5") if _POLY_Y_BOARD.fullmatch(board) else None


def _has_handicap_cells(board: str) -> bool:
    return not board.endswith("x9")


POLY_Y = GameRules(
    code="poly-y",
    name="Poly-Y",
    family=Family.CONNECTION,
    layout=lambda names, _: ring_layout(names, with_corners=True),
    boards=("4", "6", "8", "10", "4x9", "6x9", "8x9", "10x9"),
    board_form=gettext_noop(
        "rings, or rings x sides: 4, 6, 8 or 10 rings, 5 or 9 sides, as in 6x9"
    ),
    usual_board="10",
    board_names=RING_BOARDS,
    notation=gettext_noop("as in *Star with the centre C; nine sectors are lettered A to I"),
    summary=gettext_noop(
        "Place one stone a turn; a chain that touches both sides at a corner and a third side "
        "owns the corner, and the majority of the corners wins."
    ),
    play=(
        gettext_noop(
            "The board is a pentagon of rings with an ordinary cell, C, in its centre; there is "
            "also a board with nine sides. The players take turns to place a stone on an empty "
            "cell."
        ),
        gettext_noop(
            "A chain owns a corner if it touches both sides at this corner and any third side. A "
            "corner cell touches both its sides."
        ),
    ),
    goal=gettext_noop(
        "Whose chains together own most of the corners, three of five or five of nine, wins at "
        "once. There are no draws."
    ),
    source=gettext_noop("the inventor's page"),
    initial_position=_start,
    canonical=str.upper,
    parse_board=_parse_board,
    handicaps=frozenset((HandicapKind.STONES,)),
    has_handicap_cells=_has_handicap_cells,
)
