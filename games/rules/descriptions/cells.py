"""A cell in words, as its label on a board, and the answers to questions about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from games.rules.boards.chains import cells_of, chains
from games.rules.boards.mesh import Mesh
from games.rules.descriptions.chains import describe_edges, names_of, own_chain
from games.rules.descriptions.scores import describe_counts
from games.rules.families.solitaire import Solitaire
from games.rules.messages import Say, gettext_noop, say_in_english
from games.rules.position import Position
from games.rules.seat import Seat

_STONE: Final = gettext_noop("stone")


def describe_cells(position: Position, say: Say = say_in_english) -> dict[str, str]:
    """Return the label of each cell: `S60`, or `S60, first, chain of 7, 3 edge cells`."""
    names = position.board.names
    labels = {name: name for name in names}
    connected = position.connections()
    for seat in Seat:
        stones = position.stones(seat)
        if connected is None:
            owner = say(_STONE if isinstance(position, Solitaire) else seat.value)
            labels |= {names[cell]: f"{names[cell]}, {owner}" for cell in cells_of(stones)}
            continue
        for chain in chains(stones, connected.neighbours):
            words = f"{say(seat.value)}, {_chain_in_words(position, chain, seat, say)}"
            labels |= {names[cell]: f"{names[cell]}, {words}" for cell in cells_of(chain)}
    return labels


def _chain_in_words(position: Position, chain: int, seat: Seat, say: Say) -> str:
    size = chain.bit_count()
    words = [
        say(gettext_noop("chain of {number}"), number=size)
        if size > 1
        else say(gettext_noop("single stone")),
        describe_edges(position, chain, seat, say),
        position.shape(chain, say),
    ]
    return ", ".join(word for word in words if word)


def describe_neighbours(position: Position, cell: int, say: Say = say_in_english) -> str:
    """Return the neighbours of a cell with their stones."""
    board = position.board
    beside = board.neighbours if isinstance(board, Mesh) else _neighbours(position)
    names, described = board.names, describe_cells(position, say)
    words = [described[names[near]] for near in cells_of(beside[cell])] if beside else []
    found = "; ".join(words) or say(gettext_noop("none"))
    return say(gettext_noop("Neighbours of {cell}: {found}."), cell=names[cell], found=found)


def _neighbours(position: Position) -> tuple[int, ...]:
    connected = position.connections()
    return tuple(connected.neighbours) if connected else ()


def describe_chain(position: Position, cell: int, say: Say = say_in_english) -> str:
    """Return the cells of the chain on a cell."""
    name = position.board.names[cell]
    seat = _owner(position, cell)
    if seat is None:
        return say(gettext_noop("{cell} is empty."), cell=name)
    chain = own_chain(position, cell, seat)
    words = _chain_in_words(position, chain, seat, say)
    return f"{words[0].upper()}{words[1:]}: {names_of(position, chain)}."


def describe_chain_edges(position: Position, cell: int, say: Say = say_in_english) -> str:
    """Return the cells of the edge that the chain on a cell touches."""
    name = position.board.names[cell]
    seat, connected = _owner(position, cell), position.connections()
    if seat is None or connected is None:
        return say(gettext_noop("{cell} has no chain."), cell=name)
    chain = own_chain(position, cell, seat)
    touched = chain & connected.edge
    if not touched:
        return say(gettext_noop("The chain of {cell} touches no edge."), cell=name)
    words = f"{describe_edges(position, chain, seat, say)}: {names_of(position, touched)}"
    return say(gettext_noop("The chain of {cell}: {found}."), cell=name, found=words)


def describe_bounds(position: Position, _cell: int = 0, say: Say = say_in_english) -> str:
    """Return what each seat can still score, and what is certain."""
    outcome = position.outcome()
    if outcome.score:
        first, second = outcome.score
        text = say(gettext_noop("The score is {first}-{second}."), first=first, second=second)
        points = position.conditions.points_for_first
        sums = (
            f"{say(seat.value).capitalize()}: {describe_counts(outcome, seat, points, say)}."
            for seat in Seat
        )
        return " ".join((text, *sums))
    if outcome.bounds is None:
        if isinstance(position, Solitaire):
            number = position.filled.bit_count()
            return say(gettext_noop("Stones: {number}; this game has no score."), number=number)
        first, second = (position.stones(seat).bit_count() for seat in Seat)
        pattern = gettext_noop("Stones: {first} and {second}; this game has no score.")
        return say(pattern, first=first, second=second)
    words = [
        say(gettext_noop("{seat} {least} to {most}"), seat=say(seat.value), least=least, most=most)
        for seat, (least, most) in zip(Seat, outcome.bounds, strict=True)
    ]
    text = say(gettext_noop("Points on a full board: {found}."), found=", ".join(words))
    if outcome.winner_decided:
        winner = say(outcome.winner_decided.value)
        text += " " + say(gettext_noop("{seat} is certain to win."), seat=winner)
    return text


def _owner(position: Position, cell: int) -> Seat | None:
    return next((seat for seat in Seat if position.stones(seat) >> cell & 1), None)


ABOUT_CELLS: Final[Mapping[str, Callable[[Position, int, Say], str]]] = {
    "neighbours": describe_neighbours,
    "chain": describe_chain,
    "edges": describe_chain_edges,
    "bounds": describe_bounds,
}
"""The questions about a cell that a board answers."""
