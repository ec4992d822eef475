"""Pentahexes: groups of exactly five stones, and their shapes laid flat.

A pentahex is a whole chain of five stones of one colour; in a larger chain there is none. The 22
shapes are told apart up to turning and reflecting. Round the centre of the ring mesh five cells
stand where a plain has six, so a group that holds the centre, or all five cells round it, has no
shape (decided). Every other group is laid out on the plain cell by cell: neighbours are clockwise
on both, and going back is always the opposite of going there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from games.rules.boards.chains import cells_of, chains
from games.rules.boards.mesh import Mesh

SIZE = 5

Place: TypeAlias = tuple[int, int]
Shape: TypeAlias = tuple[Place, ...]

DIRECTIONS: tuple[Place, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six neighbours on the plain, each 60 degrees on from the one before."""


@lru_cache(maxsize=1024)
def pentahexes(stones: int, mesh: Mesh) -> tuple[int, ...]:
    """Return the chains of one colour that are pentahexes.

    One colour is asked about again and again while the other tries its moves.
    """
    return tuple(
        chain
        for chain in chains(stones, mesh.neighbours)
        if chain.bit_count() == SIZE and has_shape(chain, mesh)
    )


def has_shape(group: int, mesh: Mesh) -> bool:
    """Return whether a group of five neither holds the centre nor surrounds it."""
    holds_centre = mesh.centre is not None and group >> mesh.centre & 1
    return not holds_centre and group != mesh.first_ring


@lru_cache(maxsize=4096)
def shape_of(group: int, mesh: Mesh) -> Shape:
    """Return the shape of a group that has one; equal for groups of one shape."""
    return canonical(laid_flat(group, mesh))


def laid_flat(group: int, mesh: Mesh) -> list[Place]:
    """Return a place on the plain for every cell of a group."""
    start = next(cells_of(group))
    placed: dict[int, tuple[Place, int]] = {start: ((0, 0), 0)}
    waiting = [start]
    for cell in waiting:
        (x, y), turn = placed[cell]
        for way, beside in enumerate(mesh.around[cell]):
            if beside is None or beside in placed or not group >> beside & 1:
                continue
            there = (way + turn) % 6
            back = mesh.around[beside].index(cell)
            dx, dy = DIRECTIONS[there]
            placed[beside] = (x + dx, y + dy), (there + 3 - back) % 6
            waiting.append(beside)
    return [place for place, _ in placed.values()]


def canonical(places: list[Place]) -> Shape:
    """Return the least of the twelve ways in which places lie, turned and reflected."""
    images = []
    for image in (places, [(y, x) for x, y in places]):
        for _ in range(6):
            image = [(-y, x + y) for x, y in image]
            left, low = min(image)
            images.append(tuple(sorted((x - left, y - low) for x, y in image)))
    return min(images)
