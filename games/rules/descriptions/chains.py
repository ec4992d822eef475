"""The chains of a position and what they touch, in words; each game says what counts."""

from __future__ import annotations

from games.rules.boards.chains import cells_of, chain_at, chains
from games.rules.messages import STONES, Say, count, gettext_noop, say_in_english
from games.rules.position import Position
from games.rules.seat import Seat

_JOINED = {
    2: gettext_noop("joins two chains, now {stones}"),
    3: gettext_noop("joins three chains, now {stones}"),
    4: gettext_noop("joins four chains, now {stones}"),
    5: gettext_noop("joins five chains, now {stones}"),
    6: gettext_noop("joins six chains, now {stones}"),
}
_JOINED_MORE = gettext_noop("joins {number} chains, now {stones}")


def own_chain(position: Position, cell: int, seat: Seat) -> int:
    """Return the chain of a seat that contains a cell, or the cell alone without chains."""
    connected = position.connections()
    if connected is None:
        return 1 << cell
    return chain_at(1 << cell, position.stones(seat) | 1 << cell, connected.neighbours)


def joined_chains(before: Position, after: Position, cell: int, seat: Seat) -> int:
    """Return how many chains of a seat the stone that was placed on a cell is connected to."""
    earlier, connected = before.connections(), after.connections()
    if earlier is None or connected is None:
        return 0
    stones = before.stones(seat)
    beside = connected.neighbours[cell] & stones
    return len(list(chains(stones, earlier.neighbours, touching=beside)))


def describe_edges(position: Position, chain: int, seat: Seat, say: Say = say_in_english) -> str:
    """Return what a chain touches, as `3 edge cells` or `2 sides` with their names."""
    connected = position.connections()
    if connected is None or not chain & connected.edge:
        return ""
    touched = position.touched(chain, seat)
    words = [count(number, noun, say) for number, noun in touched if number]
    if sides := ", ".join(position.sides_of(chain)):
        words[0] += f" ({sides})"
    return ", ".join(words)


def describe_joined(number: int, size: int, say: Say) -> str:
    """Return that a stone joined several chains, and how many stones the new one has."""
    return say(_JOINED.get(number, _JOINED_MORE), number=number, stones=count(size, STONES, say))


def names_of(position: Position, cells: int) -> str:
    """Return the names of cells, separated by spaces."""
    return " ".join(position.board.names[cell] for cell in cells_of(cells))
