"""What a diagram highlights in a position: stars, what they own, a winning shape."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.boards.chains import chain_at, chains
from games.rules.boards.mesh import Mesh
from games.rules.boards.pentahexes import pentahexes
from games.rules.boards.rows import rows_through
from games.rules.havannah import Havannah
from games.rules.hex import Hex
from games.rules.penta_hex import PentaHex
from games.rules.penta_line import WINNING_ROW, PentaLine
from games.rules.poly_y import PolyY, corners_of
from games.rules.position import Position
from games.rules.queens import Queens
from games.rules.seat import Seat
from games.rules.star import Star
from games.rules.star_star import StarStar
from games.rules.star_y import StarY
from games.rules.twixt import Twixt
from games.rules.y import Y


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """Sets of cells; `groups`, `owned` and `links` by seat, the first seat's first.

    - `groups` are stars or pentahexes, as `kind` states.
    - `owned` are border cells that score for the seat, in Poly-Y the cells of its corners;
      `guarded` are cells where no stone may be placed.
    - `winning` are the chains that won; `links` connect pegs, each pair of cells once.
    """

    kind: str = "star"
    groups: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    owned: tuple[int, int] = (0, 0)
    guarded: int = 0
    winning: tuple[int, ...] = ()
    links: tuple[tuple[tuple[int, int], ...], ...] = ((), ())

    @property
    def hatched(self) -> int:
        """The cells that are hatched."""
        return self.owned[0] | self.owned[1] | self.guarded


def find_highlights(position: Position, last: int) -> Highlights:
    """Return the highlights after a turn that filled the cells `last`."""
    match position:
        case StarStar(board=star_board):
            groups = star_board.star_chains(position.first), star_board.star_chains(position.second)
            first = star_board.chains_of(position.first)
            second = star_board.chains_of(position.second)
            owned = star_board.owned(first, second), star_board.owned(second, first)
            return Highlights(
                groups=groups,
                owned=(star_board.cells_at(owned[0]), star_board.cells_at(owned[1])),
            )
        case Star(board=hexes):
            groups = hexes.star_chains(position.first), hexes.star_chains(position.second)
            border = hexes.hexes.border
            return Highlights(
                groups=groups, owned=(sum(groups[0]) & border, sum(groups[1]) & border)
            )
        case PolyY(board=mesh, winner=winner):
            owners = [_corner_owners(stones, mesh) for stones in (position.first, position.second)]
            return Highlights(
                owned=(sum(owners[0].values()), sum(owners[1].values())),
                winning=() if winner is None else tuple(owners[winner is Seat.SECOND]),
            )
        case StarY(board=board) | Y(board=board) | Hex(board=board) | Havannah(board=board):
            if position.winner is None:
                return Highlights()
            chain = chain_at(last, position.stones(position.winner), board.neighbours)
            return Highlights(winning=(chain,))
        case Twixt(winner=winner):
            links = position.links(position.first), position.links(position.second)
            if winner is None:
                return Highlights(links=links)
            chain = chain_at(last, position.stones(winner), position.linked)
            return Highlights(winning=(chain,), links=links)
        case PentaLine(board=mesh, winner=winner) if winner is not None:
            rows = rows_through(mesh, last.bit_length() - 1, position.stones(winner))
            winning = dict.fromkeys(row for row in rows if row.bit_count() >= WINNING_ROW)
            return Highlights(winning=tuple(winning))
        case PentaHex(board=mesh, winner=winner):
            groups = pentahexes(position.first, mesh), pentahexes(position.second, mesh)
            winning_groups = () if winner is None else groups[winner is Seat.SECOND]
            return Highlights(kind="pentahex", groups=groups, winning=winning_groups)
        case Queens():
            return Highlights(guarded=position.guarded & ~position.filled)
    return Highlights()


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
