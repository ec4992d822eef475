"""The layout of a board in the plane: where its cells are, and what is drawn around them.

Lengths are in SVG units: neighbouring cells are about `UNIT` apart on every board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from games.rules.layouts.geometry import Edge, Point, Polygon, edges

UNIT = 40.0


class Tone(StrEnum):
    """The shade of an empty cell; shaded cells make counting easier."""

    PLAIN = "cell"
    SHADED = "shade"


@dataclass(frozen=True, slots=True)
class Face:
    """A cell as it is drawn."""

    centre: Point
    outline: Polygon
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Label:
    """A short text next to the cells: a sector, a column, a row."""

    text: str
    place: Point
    size: float = 13.0


@dataclass(frozen=True, slots=True)
class Border:
    """An area outside the cells that scores for the owner of the cells that it touches.

    A peri of *Star (with `weight` 2 at a corner, where the quark is), a border hex of Star, or a
    corner of Poly-Y.
    """

    outline: Polygon
    cells: tuple[str, ...]
    weight: int = 1


@dataclass(frozen=True, slots=True)
class BoardSide:
    """A side of the board that belongs to the colour that moves first (black) or the other."""

    outline: Polygon
    black: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """A board in the plane; `faces` are the cells by name, in the order of their numbers.

    - `ground` is the board below the cells; `bridge` is the star in its centre, if any.
    - `smaller` are the outlines of smaller boards on this one.
    - `stone` is the radius of a stone, `hole` that of a hole on boards with pegs.
    """

    faces: Mapping[str, Face]
    ground: Polygon
    stone: float
    hole: float = 0.0
    borders: tuple[Border, ...] = ()
    sides: tuple[BoardSide, ...] = ()
    bridge: Polygon = ()
    smaller: tuple[Polygon, ...] = ()
    labels: tuple[Label, ...] = ()

    @cached_property
    def touching(self) -> tuple[tuple[str, str], ...]:
        """The pairs of cells that share an edge."""
        pairs = []
        sides: dict[Edge, str] = {}
        for name, face in self.faces.items():
            for start, end in edges(face.outline):
                if (end, start) in sides:
                    pairs.append((sides[end, start], name))
                sides[start, end] = name
        return tuple(pairs)
