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
from games.rules.penta_hex import PentaHex
from games.rules.poly_y import PolyY, corners_of
from games.rules.position import Position
from games.rules.seat import Seat
from games.rules.star import Star
from games.rules.star_star import StarStar
from games.rules.star_y import StarY
from games.rules.twixt import Twixt
from games.rules.y import Y

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


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


def describe_edges(position: Position, chain: int, seat: Seat) -> str:
    """Return what a chain touches, as `3 edge cells` or `2 sides`; "" if it touches nothing."""
    connected = chains_of(position)
    if connected is None or not chain & connected.edge:
        return ""
    if isinstance(position, Star):
        touched = position.board.chains_of(chain)
        places = (touched.star_border | touched.other_border).bit_count()
        return count(places, "border hex", "border hexes")
    sides = connected.sides
    if isinstance(position, Twixt):
        sides = position.board.borders[not position.is_black(seat)]
        return _count_sides(chain, sides, "border", "borders")
    words = [_count_sides(chain, sides, "side", "sides")]
    if isinstance(position, Havannah):
        corners = sum(bool(chain & corner) for corner in position.board.corners)
        words.append(_if_any(corners, "corner", "corners"))
    if isinstance(position, PolyY):
        owned = corners_of(chain, position.board)
        words.append(_if_any(owned, "corner owned", "corners owned"))
    if sides:
        return ", ".join(word for word in words if word)
    return count((chain & connected.edge).bit_count(), "edge cell", "edge cells")


def describe_shape(position: Position, chain: int) -> str:
    """Return what a chain counts as: a star, a spark, a pentahex; "" if nothing."""
    match position:
        case StarStar(board=star_board):
            rim = (chain & star_board.mesh.rim_cells).bit_count()
            return f"star of {rim} peries" if rim > 1 else "spark" if rim else ""
        case Star(board=hexes):
            points = hexes.chains_of(chain)
            return f"star of {count(points.least, 'point', 'points')}" if points.stars else ""
        case PentaHex(board=mesh):
            return "pentahex" if chain in pentahexes(chain, mesh) else ""
    return ""


def names_of(position: Position, cells: int) -> str:
    """Return the names of cells, separated by spaces."""
    return " ".join(position.board.names[cell] for cell in cells_of(cells))


def count(number: int, singular: str, plural: str) -> str:
    """Return a number with its noun: `1 side`, `2 sides`."""
    return f"{number} {singular if number == 1 else plural}"


def spell(number: int) -> str:
    """Return a small number as a word."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _count_sides(chain: int, sides: Sequence[int], singular: str, plural: str) -> str:
    return _if_any(sum(bool(chain & side) for side in sides), singular, plural)


def _if_any(number: int, singular: str, plural: str) -> str:
    return count(number, singular, plural) if number else ""
