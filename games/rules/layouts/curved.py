"""The layout of the curved board of Y: 15 cells in a triangle, and four rings around it.

The corner of sector a is on top, the sectors run clockwise. The rings become rounder outward: a
side is an arc with equally spaced cells. A cell is the polygon between the centres of the triangles
that it forms with its neighbours. Inner cells are moved several times to the centre of their
polygons, which makes the polygons more alike.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

from games.rules.boards.chains import cells_of
from games.rules.boards.hexagons import curved_triangle
from games.rules.layouts.geometry import (
    Point,
    Polygon,
    centre_of_area,
    centroid,
    cross,
    expanded,
    towards,
)
from games.rules.layouts.layout import UNIT, Face, Label, Layout, Tone

_INNERMOST, _OUTERMOST = 2, 6
_STEP = 1.15 * UNIT
_FLAT_CORNER = 4 / math.sqrt(3)
_ROUND_CORNER = 5.15
_ROUND_RISE = 1.6
_RIM = 0.52
_RELAXATIONS = 15


def curved_layout(names: Sequence[str]) -> Layout:
    """Return the layout of the board of 93 cells."""
    points = {name: _STEP * _point(name) for name in names}
    board = curved_triangle()
    neighbours = {
        name: [board.names[cell] for cell in cells_of(board.neighbours[board.index[name]])]
        for name in names
    }
    for _ in range(_RELAXATIONS):
        points = {
            name: points[name]
            if name[1] == str(_OUTERMOST)
            else centre_of_area(_outline(name, points, neighbours))
            for name in names
        }
    nearest = min(abs(points[a] - points[b]) for a in names for b in neighbours[a])
    rim = [name for name in names if name[1] == str(_OUTERMOST)]
    return Layout(
        faces={
            name: Face(
                points[name],
                _outline(name, points, neighbours),
                Tone.SHADED if name.endswith("0") else Tone.PLAIN,
            )
            for name in names
        },
        ground=expanded(tuple(points[name] for name in rim), 0.95 * UNIT),
        stone=0.41 * nearest,
        labels=tuple(
            Label(sector, points[f"{sector}{_OUTERMOST}0"] + UNIT * towards(120 * turn, 1.6), 20.0)
            for turn, sector in enumerate("abc")
        ),
    )


def _point(name: str) -> Point:
    """Return where a cell lies; the distance of cells in the flat triangle is one."""
    sector, ring, offset = "abc".index(name[0]), int(name[1]), int(name[2:])
    if ring < _INNERMOST:
        return towards(120 * sector, 1 / math.sqrt(3))
    roundness = (ring - _INNERMOST) / (_OUTERMOST - _INNERMOST)
    corner = _FLAT_CORNER + roundness * (_ROUND_CORNER - _FLAT_CORNER)
    start, end = towards(120 * sector, corner), towards(120 * sector + 120, corner)
    return _on_arc(start, end, _ROUND_RISE * roundness, offset / (ring + 2))


def _on_arc(start: Point, end: Point, rise: float, part: float) -> Point:
    """Return a point on the arc from start to end whose height above its chord is `rise`."""
    chord = end - start
    if not rise:
        return start + part * chord
    half = 2 * math.atan(2 * rise / abs(chord))
    return start + chord * (cmath.rect(math.sin(part * half) / math.sin(half), (part - 1) * half))


def _outline(name: str, points: dict[str, Point], neighbours: dict[str, list[str]]) -> Polygon:
    """Return the corners of a cell, clockwise on the page."""
    centre = points[name]
    around = sorted(neighbours[name], key=lambda other: cmath.phase(points[other] - centre))
    corners: list[Point] = []
    for first, second in zip(around, around[1:] + around[:1], strict=True):
        if (
            second in neighbours[first]
            and cross(points[first] - centre, points[second] - centre) > 0
        ):
            corners.append(centroid((centre, points[first], points[second])))
            continue
        corners.append(_outward(points[first], centre))
        if len(around) == 3:
            corners.append(centre + 0.6 * _STEP * centre / abs(centre))
        corners.append(_outward(centre, points[second]))
    return tuple(corners)


def _outward(start: Point, end: Point) -> Point:
    """Return a point outward of the middle between two rim cells, `end` clockwise of `start`."""
    step = end - start
    middle = (start + end) / 2
    outward = 1j * step / abs(step)
    if (outward * middle.conjugate()).real < 0:
        outward = -outward
    return middle + _RIM * _STEP * outward
