"""What a position holds that a picture points out: stars, what they own, a winning shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.boards.chains import cells_of, chain_at, chains
from games.rules.boards.mesh import Mesh
from games.rules.havannah import Havannah
from games.rules.hex import Hex
from games.rules.penta_hex import PentaHex
from games.rules.penta_line import WINNING_ROW, PentaLine
from games.rules.pentahexes import pentahexes
from games.rules.poly_y import PolyY, corners_of
from games.rules.position import Position
from games.rules.queens import Queens
from games.rules.seat import Seat
from games.rules.star import Star
from games.rules.star_border import BorderBoard
from games.rules.star_score import StarBoard
from games.rules.star_star import StarStar
from games.rules.star_y import StarY
from games.rules.twixt import Twixt
from games.rules.y import Y


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Sets of cells; `groups`, `owned` and `links` by seat, the first seat's first.

    - `groups` are stars or pentahexes, as `kind` says.
    - `owned` are border cells whose worth is the seat's; `guarded` are cells where no stone may
      be placed.
    - `winning` are the chains that won; `links` join pegs, each pair of cells once.
    """

    kind: str = "star"
    groups: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    owned: tuple[int, int] = (0, 0)
    guarded: int = 0
    winning: tuple[int, ...] = ()
    links: tuple[tuple[tuple[int, int], ...], ...] = ((), ())


def find(position: Position, last: int) -> Findings:
    """Return what is to be pointed out after a turn that filled the cells `last`."""
    match position:
        case StarStar():
            return _stars(position)
        case Star(board=board):
            one, two = (
                _border_stars(stones, board) for stones in (position.first, position.second)
            )
            border = board.hexes.border
            return Findings(groups=(one, two), owned=(sum(one) & border, sum(two) & border))
        case PolyY(winner=winner) if winner is not None:
            mesh = position.board
            won = chains(position.stones(winner), mesh.neighbours, touching=mesh.rim_cells)
            return Findings(winning=tuple(chain for chain in won if corners_of(chain, mesh)))
        case StarY(board=board) | Y(board=board) | Hex(board=board) | Havannah(board=board):
            if position.winner is None:
                return Findings()
            chain = chain_at(last, position.stones(position.winner), board.neighbours)
            return Findings(winning=(chain,))
        case Twixt(winner=winner):
            chain = chain_at(last, position.stones(winner), position.linked) if winner else 0
            return Findings(
                winning=(chain,) if chain else (),
                links=(_links(position.first, position), _links(position.second, position)),
            )
        case PentaLine(winner=winner) if winner is not None:
            rows = _rows(position.stones(winner), last, position.board)
            return Findings(winning=tuple(dict.fromkeys(rows)))
        case PentaHex(board=mesh, winner=winner):
            first, second = (tuple(pentahexes(position.stones(seat), mesh)) for seat in Seat)
            five = () if winner is None else first if winner is Seat.FIRST else second
            return Findings(kind="pentahex", groups=(first, second), winning=five)
        case Queens():
            return Findings(guarded=position.guarded & ~position.stones)
    return Findings()


def _rows(stones: int, last: int, mesh: Mesh) -> Iterator[int]:
    """Yield the winning rows through a cell (a set of one), with both forks at the centre."""
    cell = last.bit_length() - 1
    runs = [0 if way is None else _run(stones, cell, way, mesh) for way in mesh.around[cell]]
    across = (2, 3) if cell == mesh.centre else (3,)
    for way, run in enumerate(runs):
        for opposite in across:
            row = last | run | runs[(way + opposite) % len(runs)]
            if row.bit_count() >= WINNING_ROW:
                yield row


def _run(stones: int, previous: int, cell: int, mesh: Mesh) -> int:
    """Return the stones in unbroken row from `cell` on, coming from `previous`."""
    if not stones >> cell & 1:
        return 0
    further = (_run(stones, cell, onward, mesh) for onward in mesh.onward(previous, cell))
    return 1 << cell | max(further, key=int.bit_count, default=0)


def _links(pegs: int, position: Twixt) -> tuple[tuple[int, int], ...]:
    return tuple(
        (one, other)
        for one in cells_of(pegs)
        for other in cells_of(position.linked[one])
        if one < other
    )


def _stars(position: StarStar) -> Findings:
    board = position.board
    one, two = board.rim_chains(position.first), board.rim_chains(position.second)
    return Findings(
        groups=(_star_chains(position.first, board), _star_chains(position.second, board)),
        owned=(board.owned(one, two), board.owned(two, one)),
    )


def _star_chains(stones: int, board: StarBoard) -> tuple[int, ...]:
    around = chains(stones, board.neighbours, touching=board.rim)
    return tuple(chain for chain in around if (chain & board.rim).bit_count() > 1)


def _border_stars(stones: int, board: BorderBoard) -> tuple[int, ...]:
    around = chains(stones, board.hexes.neighbours, touching=board.hexes.border)
    return tuple(chain for chain in around if board.stars(chain).stars)
