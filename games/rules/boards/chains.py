"""Chains: the stones of one colour that hang together, found on sets of cells.

A set of cells is an int, bit i standing for cell i; `neighbours[i]` is the set of the cells
beside cell i. All boards share this, so a chain costs time in its own size and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def chain_at(seed: int, stones: int, neighbours: Sequence[int]) -> int:
    """Return the chain within `stones` that holds the stone `seed` (a set of one cell)."""
    rest = stones ^ seed
    frontier = seed
    chain = 0
    while frontier:
        cell = frontier & -frontier
        chain |= cell
        frontier ^= cell
        fresh = neighbours[cell.bit_length() - 1] & rest
        rest ^= fresh
        frontier |= fresh
    return chain


def chains(stones: int, neighbours: Sequence[int], *, touching: int = -1) -> Iterator[int]:
    """Yield the chains of `stones` that hold a cell of `touching`; all chains by default."""
    seeds = stones & touching
    while seeds:
        chain = chain_at(seeds & -seeds, stones, neighbours)
        yield chain
        seeds &= ~chain


def cells_of(cells: int) -> Iterator[int]:
    """Yield the numbers of the cells in a set, lowest first."""
    while cells:
        cell = cells & -cells
        yield cell.bit_length() - 1
        cells ^= cell
