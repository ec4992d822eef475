"""Star Y: join three sides of the five that are not all in a row.

One stone a turn on an empty cell of the ring mesh, the centre `C` among them. A chain that
touches three sides which are not all consecutive wins at once; a corner cell touches both its
sides. A full board has exactly one colour with such a chain, so there are no draws. Source: the
*Star booklet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.rules.boards.chains import chain_at
from games.rules.boards.mesh import Mesh, ring_mesh
from games.rules.conditions import Conditions, HandicapKind
from games.rules.game import GameRules
from games.rules.goals import GoalPlacement
from games.rules.position import SWAP
from games.rules.seat import Seat
from games.rules.star_star import BOARDS, handicap_cells, read_board


def joins_sides(chain: int, mesh: Mesh) -> bool:
    """Return whether a chain touches three sides that are not all consecutive."""
    touched = [bool(chain & side) for side in mesh.sides]
    return any(touched[s] and touched[s - 1] and touched[s - 3] for s in range(mesh.sectors))


@dataclass(frozen=True, slots=True)
class StarY(GoalPlacement):
    """A position of Star Y."""

    board: Mesh

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return whether the chain of the stone touches three sides, not all consecutive."""
        chain = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        return joins_sides(chain, self.board)


def start(conditions: Conditions) -> StarY:
    """Return the position before the first turn, handicap stones in place."""
    board = ring_mesh(int(conditions.board), playable_centre=True)
    stones = handicap_cells(board.rings, conditions.handicap_stones)
    return StarY(conditions, board, second=sum(board.bits[name] for name in stones))


@lru_cache(maxsize=8)
def _words(board: str) -> frozenset[str]:
    return frozenset((*ring_mesh(int(board), playable_centre=True).names, SWAP))


STAR_Y = GameRules(
    code="star-y",
    name="Star Y",
    boards=BOARDS,
    board_form="rings: 10 as a rule; 4, 6 or 8",
    notation="as in *Star; the centre is C",
    summary="Place one stone a turn; a chain that joins three sides, not all in a row, wins.",
    source="the *Star booklet",
    read_board=read_board,
    start=start,
    words=_words,
    canonical=str.upper,
    handicaps=frozenset((HandicapKind.STONES,)),
)
