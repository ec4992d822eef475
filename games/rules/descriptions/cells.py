"""A cell in words, as its label on a board, and the answers to questions about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from games.rules.boards.chains import cells_of, chains
from games.rules.boards.mesh import Mesh
from games.rules.descriptions.chains import (
    chains_of,
    describe_edges,
    describe_shape,
    names_of,
    own_chain,
)
from games.rules.families.solitaire import Solitaire
from games.rules.position import Position
from games.rules.seat import Seat


def describe_cells(position: Position) -> dict[str, str]:
    """Return the label of each cell: `S60`, or `S60, first, chain of 7, 3 edge cells`."""
    names = position.board.names
    labels = {name: name for name in names}
    connected = chains_of(position)
    for seat in Seat:
        stones = position.stones(seat)
        if connected is None:
            labels |= {names[cell]: f"{names[cell]}, {seat}" for cell in cells_of(stones)}
            continue
        for chain in chains(stones, connected.neighbours):
            words = _chain_in_words(position, chain, seat)
            labels |= {names[cell]: f"{names[cell]}, {seat}, {words}" for cell in cells_of(chain)}
    return labels


def _chain_in_words(position: Position, chain: int, seat: Seat) -> str:
    size = chain.bit_count()
    words = [f"chain of {size}" if size > 1 else "single stone"]
    words += [describe_edges(position, chain, seat), describe_shape(position, chain)]
    return ", ".join(word for word in words if word)


def describe_neighbours(position: Position, cell: int) -> str:
    """Return the neighbours of a cell with their stones."""
    board = position.board
    beside = board.neighbours if isinstance(board, Mesh) else _neighbours(position)
    names, described = board.names, describe_cells(position)
    words = [described[names[near]] for near in cells_of(beside[cell])] if beside else []
    return f"Neighbours of {names[cell]}: {'; '.join(words) or 'none'}."


def _neighbours(position: Position) -> tuple[int, ...]:
    connected = chains_of(position)
    return tuple(connected.neighbours) if connected else ()


def describe_chain(position: Position, cell: int) -> str:
    """Return the cells of the chain on a cell."""
    name = position.board.names[cell]
    seat = _owner(position, cell)
    if seat is None:
        return f"{name} is empty."
    chain = own_chain(position, cell, seat)
    return f"{_chain_in_words(position, chain, seat).capitalize()}: {names_of(position, chain)}."


def describe_chain_edges(position: Position, cell: int) -> str:
    """Return the cells of the edge that the chain on a cell touches."""
    name = position.board.names[cell]
    seat, connected = _owner(position, cell), chains_of(position)
    if seat is None or connected is None:
        return f"{name} has no chain."
    chain = own_chain(position, cell, seat)
    touched = chain & connected.edge
    if not touched:
        return f"The chain of {name} touches no edge."
    words = describe_edges(position, chain, seat)
    return f"The chain of {name}: {words}: {names_of(position, touched)}."


def describe_bounds(position: Position, _cell: int = 0) -> str:
    """Return what each seat can still score, and what is certain."""
    outcome = position.outcome()
    if outcome.score:
        return "The score is {}-{}.".format(*outcome.score)
    if outcome.bounds is None:
        stones = " and ".join(str(position.stones(seat).bit_count()) for seat in Seat)
        if isinstance(position, Solitaire):
            stones = str(position.filled.bit_count())
        return f"Stones: {stones}; this game has no score."
    words = [
        f"{seat} {least} to {most}"
        for seat, (least, most) in zip(Seat, outcome.bounds, strict=True)
    ]
    certain = f" {outcome.winner_decided} is certain to win." if outcome.winner_decided else ""
    return f"Points on a full board: {', '.join(words)}.{certain}"


def _owner(position: Position, cell: int) -> Seat | None:
    return next((seat for seat in Seat if position.stones(seat) >> cell & 1), None)


ABOUT_CELLS: Final[Mapping[str, Callable[[Position, int], str]]] = {
    "neighbours": describe_neighbours,
    "chain": describe_chain,
    "edges": describe_chain_edges,
    "bounds": describe_bounds,
}
"""The questions about a cell that a board answers."""
