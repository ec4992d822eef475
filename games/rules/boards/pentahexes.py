"""Pentahexes: groups of exactly five stones, and their shapes on the plane.

A pentahex is a whole chain of five stones of one colour; a larger chain contains none. The 22
shapes are the same when rotated or reflected. The centre of the ring mesh has five neighbours
where the plane has six, so a group that contains the centre, or all five cells around it, has no
shape (decided). Every other group is laid out on the plane cell by cell: on both, neighbours are
listed clockwise and the opposite direction leads back.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from games.rules.boards.chains import cells_of, chains
from games.rules.boards.mesh import Mesh

PENTAHEX_SIZE = 5

Place: TypeAlias = tuple[int, int]
Shape: TypeAlias = tuple[Place, ...]

DIRECTIONS: tuple[Place, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six neighbours on the plane, each 60 degrees from the one before."""


@lru_cache(maxsize=1024)
def pentahexes(stones: int, mesh: Mesh) -> tuple[int, ...]:
    """Return the chains of one colour that are pentahexes.

    Cached, because one colour stays the same while the moves of the other are tried.
    """
    return tuple(
        chain
        for chain in chains(stones, mesh.neighbours)
        if chain.bit_count() == PENTAHEX_SIZE and has_shape(chain, mesh)
    )


def has_shape(group: int, mesh: Mesh) -> bool:
    """Return True if a group of five neither contains nor surrounds the centre."""
    has_centre = mesh.centre is not None and group >> mesh.centre & 1
    return not has_centre and group != mesh.first_ring


@lru_cache(maxsize=4096)
def shape_of(group: int, mesh: Mesh) -> Shape:
    """Return the shape of a group that has one; equal for groups of the same shape."""
    return canonical_shape(_places_on_plane(group, mesh))


def _places_on_plane(group: int, mesh: Mesh) -> list[Place]:
    """Return a place on the plane for every cell of a group."""
    start = next(cells_of(group))
    placed: dict[int, tuple[Place, int]] = {start: ((0, 0), 0)}
    queue = [start]
    for cell in queue:
        (x, y), rotation = placed[cell]
        for direction, beside in enumerate(mesh.around[cell]):
            if beside is None or beside in placed or not group >> beside & 1:
                continue
            on_plane = (direction + rotation) % 6
            back = mesh.around[beside].index(cell)
            dx, dy = DIRECTIONS[on_plane]
            placed[beside] = (x + dx, y + dy), (on_plane + 3 - back) % 6
            queue.append(beside)
    return [place for place, _ in placed.values()]


@lru_cache(maxsize=1)
def all_shapes() -> tuple[Shape, ...]:
    """Return the 22 shapes."""
    shapes: set[Shape] = {((0, 0),)}
    for _ in range(PENTAHEX_SIZE - 1):
        shapes = {
            canonical_shape([*shape, (x + dx, y + dy)])
            for shape in shapes
            for x, y in shape
            for dx, dy in DIRECTIONS
            if (x + dx, y + dy) not in shape
        }
    return tuple(sorted(shapes))


def canonical_shape(places: list[Place]) -> Shape:
    """Return the least of the twelve images of these places, rotated and reflected."""
    images = []
    for image in (places, [(y, x) for x, y in places]):
        for _ in range(6):
            image = [(-y, x + y) for x, y in image]
            left, low = min(image)
            images.append(tuple(sorted((x - left, y - low) for x, y in image)))
    return min(images)
