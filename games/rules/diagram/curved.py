"""The curved board of Y in the plane: 15 cells in a plain triangle, four rings that round it.

The corner of sector a is on top, the sectors run clockwise. The rings grow rounder outward: a
side is an arc, its cells equally far apart on it. A cell is the polygon between the middles of
the triangles that it forms with its neighbours; the inner ones are moved to the middle of their
polygons a few times over, which makes them more alike.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

from games.rules.boards.chains import cells_of
from games.rules.boards.hexagons import curved_triangle
from games.rules.diagram.geometry import (
    Point,
    Polygon,
    centre_of_area,
    centroid,
    cross,
    grown,
    towards,
)
from games.rules.diagram.layout import UNIT, Face, Label, Layout, Tone

_INMOST, _OUTMOST = 2, 6
_STEP = 1.15 * UNIT
_FLAT_CORNER = 4 / math.sqrt(3)
_ROUND_CORNER = 5.15
_ROUND_RISE = 1.6
_RIM = 0.52
_ROUNDS = 15


def curved_layout(names: Sequence[str]) -> Layout:
    """Return the layout of the board of 93 cells."""
    points = {name: _STEP * _point(name) for name in names}
    board = curved_triangle()
    beside = {
        name: [board.names[cell] for cell in cells_of(board.neighbours[board.index[name]])]
        for name in names
    }
    for _ in range(_ROUNDS):
        points = {
            name: points[name]
            if name[1] == str(_OUTMOST)
            else centre_of_area(_outline(name, points, beside))
            for name in names
        }
    nearest = min(abs(points[a] - points[b]) for a in names for b in beside[a])
    rim = [name for name in names if name[1] == str(_OUTMOST)]
    return Layout(
        faces={
            name: Face(
                points[name],
                _outline(name, points, beside),
                Tone.SHADED if name.endswith("0") else Tone.PLAIN,
            )
            for name in names
        },
        ground=grown(tuple(points[name] for name in rim), 0.95 * UNIT),
        stone=0.41 * nearest,
        labels=tuple(
            Label(sector, points[f"{sector}{_OUTMOST}0"] + UNIT * towards(120 * turn, 1.6), 20.0)
            for turn, sector in enumerate("abc")
        ),
    )


def _point(name: str) -> Point:
    """Return where a cell lies, the distance in the flat triangle being one."""
    sector, ring, offset = "abc".index(name[0]), int(name[1]), int(name[2:])
    if ring < _INMOST:
        return towards(120 * sector, 1 / math.sqrt(3))
    roundness = (ring - _INMOST) / (_OUTMOST - _INMOST)
    corner = _FLAT_CORNER + roundness * (_ROUND_CORNER - _FLAT_CORNER)
    start, end = towards(120 * sector, corner), towards(120 * sector + 120, corner)
    return _on_arc(start, end, _ROUND_RISE * roundness, offset / (ring + 2))


def _on_arc(start: Point, end: Point, rise: float, part: float) -> Point:
    """Return a point on the arc from start to end that rises so far outward of its chord."""
    chord = end - start
    if not rise:
        return start + part * chord
    half = 2 * math.atan(2 * rise / abs(chord))
    return start + chord * (cmath.rect(math.sin(part * half) / math.sin(half), (part - 1) * half))


def _outline(name: str, points: dict[str, Point], beside: dict[str, list[str]]) -> Polygon:
    """Return the corners of a cell, clockwise on the page."""
    centre = points[name]
    around = sorted(beside[name], key=lambda other: cmath.phase(points[other] - centre))
    corners: list[Point] = []
    for one, two in zip(around, around[1:] + around[:1], strict=True):
        if two in beside[one] and cross(points[one] - centre, points[two] - centre) > 0:
            corners.append(centroid((centre, points[one], points[two])))
            continue
        corners.append(_beyond(points[one], centre))
        if len(around) == 3:
            corners.append(centre + 0.6 * _STEP * centre / abs(centre))
        corners.append(_beyond(centre, points[two]))
    return tuple(corners)


def _beyond(one: Point, two: Point) -> Point:
    """Return a point outward of the middle between two rim cells, the second clockwise."""
    step = two - one
    middle = (one + two) / 2
    outward = 1j * step / abs(step)
    if (outward * middle.conjugate()).real < 0:
        outward = -outward
    return middle + _RIM * _STEP * outward
