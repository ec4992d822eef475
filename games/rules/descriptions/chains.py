"""The chains of a position and what they touch, in words.

A chain touches edge cells in *Star, border hexes in Star, sides in the games that connect sides,
and in TwixT the borders of its colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.boards.chains import cells_of, chain_at, chains
from games.rules.boards.pentahexes import pentahexes
from games.rules.double_star_star import DoubleStarStar
from games.rules.havannah import Havannah
from games.rules.hex import Hex
from games.rules.messages import Say, gettext_noop, say_in_english
from games.rules.penta_hex import PentaHex
from games.rules.poly_y import PolyY, corners_of
from games.rules.position import Position
from games.rules.seat import Seat
from games.rules.star import Star
from games.rules.star_star import StarStar
from games.rules.star_y import StarY
from games.rules.twixt import Twixt
from games.rules.y import Y

_JOINED = {
    2: gettext_noop("joins two chains, now {stones}"),
    3: gettext_noop("joins three chains, now {stones}"),
    4: gettext_noop("joins four chains, now {stones}"),
    5: gettext_noop("joins five chains, now {stones}"),
    6: gettext_noop("joins six chains, now {stones}"),
}
_JOINED_MORE = gettext_noop("joins {number} chains, now {stones}")
STONE_COUNTS = gettext_noop("{number} stone"), gettext_noop("{number} stones")
_EDGE_CELLS = gettext_noop("{number} edge cell"), gettext_noop("{number} edge cells")
_BORDER_HEXES = gettext_noop("{number} border hex"), gettext_noop("{number} border hexes")
_BORDERS = gettext_noop("{number} border"), gettext_noop("{number} borders")
_SIDES = gettext_noop("{number} side"), gettext_noop("{number} sides")
_CORNERS = gettext_noop("{number} corner"), gettext_noop("{number} corners")
_OWNED = gettext_noop("{number} corner owned"), gettext_noop("{number} corners owned")
_STAR_OF_POINTS = gettext_noop("star of {number} point"), gettext_noop("star of {number} points")
_STAR, _SPARK = gettext_noop("star of {number} peries"), gettext_noop("spark")
_PENTAHEX = gettext_noop("pentahex")


@dataclass(frozen=True, slots=True)
class Chains:
    """How the stones of a game are connected.

    `neighbours[i]` is the set of the cells connected to cell i; `edge` are the cells at the edge of
    the board; `sides` are the parts of the edge that count.
    """

    neighbours: Sequence[int]
    edge: int = 0
    sides: tuple[int, ...] = ()


def chains_of(position: Position) -> Chains | None:
    """Return how stones are connected, None in a game without chains."""
    match position:
        case StarStar(board=star_board) | DoubleStarStar(board=star_board):
            return Chains(star_board.neighbours, star_board.mesh.rim_cells)
        case Star(board=hexes):
            return Chains(hexes.beside, hexes.hexes.border)
        case StarY(board=mesh) | PolyY(board=mesh):
            return Chains(mesh.neighbours, mesh.rim_cells, mesh.sides)
        case Havannah(board=board):
            return Chains(board.neighbours, board.border, board.open_sides)
        case Y(board=board) | Hex(board=board):
            return Chains(board.neighbours, board.border, board.sides)
        case Twixt(board=points):
            borders = (*points.borders[0], *points.borders[1])
            return Chains(position.linked, sum(set(borders)), borders)
        case PentaHex(board=mesh):
            return Chains(mesh.neighbours, mesh.rim_cells)
    return None


def own_chain(position: Position, cell: int, seat: Seat) -> int:
    """Return the chain of a seat that contains a cell, or the cell alone without chains."""
    connected = chains_of(position)
    if connected is None:
        return 1 << cell
    return chain_at(1 << cell, position.stones(seat) | 1 << cell, connected.neighbours)


def joined_chains(before: Position, after: Position, cell: int, seat: Seat) -> int:
    """Return how many chains of a seat the stone that was placed on a cell is connected to."""
    earlier, connected = chains_of(before), chains_of(after)
    if earlier is None or connected is None:
        return 0
    stones = before.stones(seat)
    beside = connected.neighbours[cell] & stones
    return len(list(chains(stones, earlier.neighbours, touching=beside)))


def describe_edges(position: Position, chain: int, seat: Seat, say: Say = say_in_english) -> str:
    """Return what a chain touches, as `3 edge cells` or `2 sides`; "" if it touches nothing."""
    connected = chains_of(position)
    if connected is None or not chain & connected.edge:
        return ""
    if isinstance(position, Star):
        touched = position.board.chains_of(chain)
        places = (touched.star_border | touched.other_border).bit_count()
        return count(places, _BORDER_HEXES, say)
    sides = connected.sides
    if isinstance(position, Twixt):
        sides = position.board.borders[not position.is_black(seat)]
        return _count_sides(chain, sides, _BORDERS, say)
    words = [_count_sides(chain, sides, _SIDES, say)]
    if isinstance(position, Havannah):
        corners = sum(bool(chain & corner) for corner in position.board.corners)
        words.append(_if_any(corners, _CORNERS, say))
    if isinstance(position, PolyY):
        owned = corners_of(chain, position.board)
        words.append(_if_any(owned, _OWNED, say))
    if sides:
        return ", ".join(word for word in words if word)
    return count((chain & connected.edge).bit_count(), _EDGE_CELLS, say)


def describe_shape(position: Position, chain: int, say: Say = say_in_english) -> str:
    """Return what a chain counts as: a star, a spark, a pentahex; "" if nothing."""
    match position:
        case StarStar(board=star_board):
            rim = (chain & star_board.mesh.rim_cells).bit_count()
            return say(_STAR, number=rim) if rim > 1 else say(_SPARK) if rim else ""
        case Star(board=hexes):
            points = hexes.chains_of(chain)
            return count(points.least, _STAR_OF_POINTS, say) if points.stars else ""
        case PentaHex(board=mesh):
            return say(_PENTAHEX) if chain in pentahexes(chain, mesh) else ""
    return ""


def describe_joined(number: int, size: int, say: Say) -> str:
    """Return that a stone joined several chains, and how many stones the new one has."""
    return say(
        _JOINED.get(number, _JOINED_MORE), number=number, stones=count(size, STONE_COUNTS, say)
    )


def names_of(position: Position, cells: int) -> str:
    """Return the names of cells, separated by spaces."""
    return " ".join(position.board.names[cell] for cell in cells_of(cells))


def count(number: int, patterns: tuple[str, str], say: Say) -> str:
    """Return a number with its noun, by the pattern for one or that for several: `2 sides`."""
    return say(patterns[number != 1], number=number)


def _count_sides(chain: int, sides: Sequence[int], patterns: tuple[str, str], say: Say) -> str:
    return _if_any(sum(bool(chain & side) for side in sides), patterns, say)


def _if_any(number: int, patterns: tuple[str, str], say: Say) -> str:
    return count(number, patterns, say) if number else ""
