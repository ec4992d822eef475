"""Points and polygons of the plane: x to the right, y down the page, as in SVG.

A point is a complex number; a polygon is its corners, clockwise on the page. Polygons that tile a
board share their corners up to rounding errors, so corners are compared by `rounded`.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Point: TypeAlias = complex
Polygon: TypeAlias = tuple[Point, ...]
Segment: TypeAlias = tuple[Point, Point]
Box: TypeAlias = tuple[Point, Point]
Edge: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


def towards(degrees: float, length: float = 1.0) -> Point:
    """Return the point in a direction, counted clockwise from straight up."""
    return -1j * cmath.rect(length, math.radians(degrees))


def regular(centre: Point, radius: float, corners: int, turn: float = 0.0) -> Polygon:
    """Return a regular polygon, its first corner `turn` degrees clockwise from straight up."""
    return tuple(centre + towards(turn + 360 * i / corners, radius) for i in range(corners))


def centroid(points: Sequence[Point]) -> Point:
    """Return the mean of some points."""
    return sum(points) / len(points)


def signed_area(polygon: Polygon) -> float:
    """Return the area of a polygon, positive if its corners run clockwise on the page."""
    return sum(cross(a, b) for a, b in zip(polygon, _rotated(polygon), strict=True)) / 2


def centre_of_area(polygon: Polygon) -> Point:
    """Return the centre of mass of a polygon."""
    pairs = list(zip(polygon, _rotated(polygon), strict=True))
    return sum((a + b) * cross(a, b) for a, b in pairs) / (6 * signed_area(polygon))


def cross(a: Point, b: Point) -> float:
    """Return the cross product, positive if b lies clockwise of a on the page."""
    return a.real * b.imag - a.imag * b.real


def expanded(polygon: Polygon, distance: float) -> Polygon:
    """Return a clockwise polygon with every edge moved outward, inward if `distance` is negative.

    Corners are mitred, so very sharp ones become inaccurate.
    """
    return tuple(
        corner + _mitre(before, corner, after) * distance
        for before, corner, after in zip(
            polygon[-1:] + polygon[:-1], polygon, _rotated(polygon), strict=True
        )
    )


def _mitre(before: Point, corner: Point, after: Point) -> Point:
    """Return how a corner moves if both its edges move outward by one."""
    normals = _outward(before, corner) + _outward(corner, after)
    return 2 * normals / max(abs(normals) ** 2, 0.25)


def _outward(start: Point, end: Point) -> Point:
    step = end - start
    return -1j * step / abs(step)


def _rotated(polygon: Polygon) -> Polygon:
    return polygon[1:] + polygon[:1]


def rounded(point: Point) -> tuple[int, int]:
    """Return the same pair for points that differ only by rounding errors."""
    return round(point.real * 64), round(point.imag * 64)


def rounded_corners(polygon: Polygon) -> Polygon:
    """Return a polygon with its corners at whole units; those of neighbours still coincide."""
    return tuple(complex(round(point.real), round(point.imag)) for point in polygon)


def edges(polygon: Polygon) -> Mapping[Edge, tuple[Point, Point]]:
    """Return the edges of a polygon, in its direction, by their rounded ends."""
    return {
        (rounded(start), rounded(end)): (start, end)
        for start, end in zip(polygon, _rotated(polygon), strict=True)
    }


def outlines(polygons: Iterable[Polygon]) -> list[Polygon]:
    """Return the boundary of polygons that tile an area: clockwise, holes counterclockwise."""
    open_edges: dict[Edge, tuple[Point, Point]] = {}
    for polygon in polygons:
        for (start, end), points in edges(polygon).items():
            if open_edges.pop((end, start), None) is None:
                open_edges[start, end] = points
    following: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
    for (start, _), points in open_edges.items():
        following.setdefault(start, []).append(points)
    loops = []
    while following:
        first = min(following)
        loop = [_take(following, first)]
        while rounded(loop[-1][1]) != first:
            loop.append(_take(following, rounded(loop[-1][1])))
        loops.append(tuple(start for start, _ in loop))
    return loops


def _take(
    following: dict[tuple[int, int], list[tuple[Point, Point]]], start: tuple[int, int]
) -> tuple[Point, Point]:
    edge = following[start].pop()
    if not following[start]:
        del following[start]
    return edge


def walks(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return walks that together pass once between the two members of every pair."""
    beside: dict[str, dict[str, None]] = {}
    for one, other in pairs:
        beside.setdefault(one, {})[other] = None
        beside.setdefault(other, {})[one] = None
    found = []
    for start, others in beside.items():
        while others:
            walk = [start]
            while following := beside[walk[-1]]:
                following_name, _ = following.popitem()
                del beside[following_name][walk[-1]]
                walk.append(following_name)
            found.append(walk)
    return found


def bounding_box(points: Iterable[Point]) -> tuple[Point, Point]:
    """Return the upper left and the lower right corner of the box around some points."""
    xs, ys = zip(*((point.real, point.imag) for point in points), strict=True)
    return complex(min(xs), min(ys)), complex(max(xs), max(ys))


def part_inside(segment: Segment, box: Box) -> tuple[float, float] | None:
    """Return the part of a segment inside a box, None if there is none.

    A box is its upper left and its lower right corner; 0 is the start of the segment, 1 its end.
    """
    start, end = segment
    enter, leave = 0.0, 1.0
    for begin, step, low, high in (
        (start.real, (end - start).real, box[0].real, box[1].real),
        (start.imag, (end - start).imag, box[0].imag, box[1].imag),
    ):
        if not step:
            if not low < begin < high:
                return None
            continue
        first, last = sorted(((low - begin) / step, (high - begin) / step))
        enter, leave = max(enter, first), min(leave, last)
    return (enter, leave) if enter < leave else None
