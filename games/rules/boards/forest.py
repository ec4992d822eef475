"""Chains as trees of a forest of cells, which is extended stone by stone.

`parents[c]` is the parent of cell c: itself for the root of a chain and for an empty cell. Chains
touch places, such as parts of the border: `places[c]` is the set of those that a stone on cell c
touches, and `touched` maps the root of each chain that touches any to those that it touches.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence


def empty_forest(cells: int) -> array[int]:
    """Return the parents of this number of empty cells."""
    return array("H", range(cells))


def plant_stones(
    parents: array[int], stones: int, neighbours: Sequence[int], places: Sequence[int]
) -> dict[int, int]:
    """Add the stones of a colour to `parents`; return what their chains touch."""
    touched: dict[int, int] = {}
    rest = stones
    while rest:
        frontier = rest & -rest
        rest ^= frontier
        root = frontier.bit_length() - 1
        here = 0
        while frontier:
            stone = frontier & -frontier
            cell = stone.bit_length() - 1
            reached = neighbours[cell] & rest
            rest ^= reached
            frontier ^= stone | reached
            parents[cell] = root
            here |= places[cell]
        if here:
            touched[root] = here
    return touched


def add_stones(
    parents: array[int],
    touched: dict[int, int],
    stones: int,
    added: int,
    neighbours: Sequence[int],
    places: Sequence[int],
) -> dict[int, int]:
    """Add more stones of a colour to `parents`; return what its chains touch then.

    `stones` are those before, whose chains touch `touched`. It is not changed, but returned if no
    stone added touches a place or joins chains that do.
    """
    before = touched
    while added:
        stone = added & -added
        added ^= stone
        root = stone.bit_length() - 1
        beside = neighbours[root] & stones
        here = places[root]
        is_changed = here != 0
        while beside:
            # Its neighbours are in the same chain.
            other = beside.bit_length() - 1
            beside &= ~(neighbours[other] | 1 << other)
            while (parent := parents[other]) != other:
                parents[other] = parents[parent]
                other = parent
            if other == root:
                continue
            there = touched.get(other)
            if there is None:
                parents[other] = root
            elif not here:
                parents[root] = other
                root, here = other, there
            else:
                if touched is before:
                    touched = dict(before)
                del touched[other]
                parents[other] = root
                here |= there
                is_changed = True
        if is_changed:
            if touched is before:
                touched = dict(before)
            touched[root] = here
        stones |= stone
    return touched
