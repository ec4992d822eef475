"""Poly-Y: own most corners of a board with many sides.

One stone a turn on an empty cell of the ring mesh, the centre `C` among them. A chain owns a
corner when it touches both sides at that corner and any third side; a corner cell touches both
its sides. Who owns the majority of the corners (three of five, five of nine, all chains
together) wins at once. On a full board every corner has exactly one owner, so there are no draws.

The mesh has five sides, or nine, which the inventor preferred; the printed nine-sided board of
208 cells is lost, and this is not it. Source: the inventor's page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from games.rules.boards.chains import chain_at, chains
from games.rules.boards.mesh import Mesh, ring_mesh
from games.rules.conditions import Conditions, HandicapKind
from games.rules.game import GameRules
from games.rules.goals import GoalPlacement
from games.rules.position import SWAP
from games.rules.seat import Seat
from games.rules.star_star import handicap_cells

_BOARD = re.compile(r"(4|6|8|10)(?:x(5|9))?")


def corners_of(chain: int, mesh: Mesh) -> int:
    """Return how many corners a chain owns."""
    touched = [bool(chain & side) for side in mesh.sides]
    if sum(touched) < 3:
        return 0
    return sum(touched[side] and touched[side - 1] for side in range(mesh.sectors))


@dataclass(frozen=True, slots=True)
class PolyY(GoalPlacement):
    """A position of Poly-Y."""

    board: Mesh

    def corners(self, seat: Seat) -> int:
        """Return how many corners a seat owns."""
        mesh = self.board
        around = chains(self.stones(seat), mesh.neighbours, touching=mesh.rim_cells)
        return sum(corners_of(chain, mesh) for chain in around)

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return whether the seat owns the majority of the corners, this stone taking part."""
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        return corners_of(chain, self.board) > 0 and self.corners(seat) > self.board.sectors // 2


def mesh_of(board: str) -> Mesh:
    """Return the mesh of a board's canonical name."""
    rings, _, sides = board.partition("x")
    return ring_mesh(int(rings), int(sides or 5), playable_centre=True)


def start(conditions: Conditions) -> PolyY:
    """Return the position before the first turn, handicap stones in place."""
    board = mesh_of(conditions.board)
    stones = handicap_cells(board.rings, conditions.handicap_stones)
    return PolyY(conditions, board, second=sum(board.bits[name] for name in stones))


def _read_board(board: str) -> str | None:
    size = _BOARD.fullmatch(board)
    return board.removesuffix("x5") if size else None


def _has_handicap_stones(board: str) -> bool:
    return mesh_of(board).sectors == 5


@lru_cache(maxsize=8)
def _words(board: str) -> frozenset[str]:
    return frozenset((*mesh_of(board).names, SWAP))


POLY_Y = GameRules(
    code="poly-y",
    name="Poly-Y",
    boards=("4", "6", "8", "10", "4x9", "6x9", "8x9", "10x9"),
    board_form="rings, or rings x sides: 4, 6, 8 or 10 rings, 5 or 9 sides, as in 6x9",
    notation="as in *Star with the centre C; nine sectors are lettered A to I",
    summary=(
        "Place one stone a turn; a chain that touches both sides at a corner and a third side "
        "owns the corner, and the majority of the corners wins."
    ),
    source="the inventor's page",
    read_board=_read_board,
    start=start,
    words=_words,
    canonical=str.upper,
    handicaps=frozenset((HandicapKind.STONES,)),
    handicap_stones=_has_handicap_stones,
)
