"""Chains: connected stones of one colour, computed on sets of cells.

A set of cells is an int in which bit i stands for cell i; `neighbours[i]` is the set of the cells
next to cell i. The cost of finding a chain is proportional to its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Connections:
    """How the stones of a position are connected, and what counts as its edge.

    `neighbours[i]` is the set of the cells connected to cell i; `edge` are the cells at the edge of
    the board; `sides` are the parts of the edge that count.
    """

    neighbours: Sequence[int]
    edge: int = 0
    sides: tuple[int, ...] = ()


def chain_at(seed: int, stones: int, neighbours: Sequence[int]) -> int:
    """Return the chain within `stones` that contains the stone `seed` (a set of one cell)."""
    rest = stones ^ seed
    frontier = seed
    chain = 0
    while frontier:
        cell = frontier & -frontier
        chain |= cell
        frontier ^= cell
        reached = neighbours[cell.bit_length() - 1] & rest
        rest ^= reached
        frontier |= reached
    return chain


def chains(stones: int, neighbours: Sequence[int], *, touching: int = -1) -> Iterator[int]:
    """Yield the chains of `stones` that contain a cell of `touching`; all chains by default."""
    seeds = stones & touching
    while seeds:
        chain = chain_at(seeds & -seeds, stones, neighbours)
        yield chain
        seeds &= ~chain


def nth_cell(cells: int, number: int) -> int:
    """Return a cell of a set by its place in the order of the cells, from 0."""
    lowest, width = 0, cells.bit_length()
    while width > 1:
        half = width // 2
        low = cells & ((1 << half) - 1)
        count = low.bit_count()
        if number < count:
            cells, width = low, half
        else:
            cells, number, lowest, width = (
                cells >> half,
                number - count,
                lowest + half,
                width - half,
            )
    return lowest


def cells_of(cells: int) -> Iterator[int]:
    """Yield the numbers of the cells in a set, lowest first."""
    while cells:
        cell = cells & -cells
        yield cell.bit_length() - 1
        cells ^= cell
