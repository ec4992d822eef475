"""The layouts of boards of hexagons and of square peg boards.

Row 1 is on top and column a on the left on every board, as in the text pictures of positions. No
source of these games asks for another side; that of Hex asks for this one.

- Rhombus (Hex): rows horizontal, each shifted to the right.
- Triangle (Y): rows horizontal, each shifted to the right and one cell shorter.
- Hexagon (Star, Havannah): columns vertical, so row 1 is the upper left side.
- Pegs (TwixT): rows horizontal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_lowercase

from games.rules.boards.hexagons import Place, border_hexes, hexagon_neighbours
from games.rules.layouts.geometry import Point, Polygon, expanded, regular, towards
from games.rules.layouts.layout import UNIT, BoardSide, Border, Face, Label, Layout, Tone

_HEIGHT = math.sqrt(3) / 2
_RADIUS = UNIT / math.sqrt(3)
_HEXAGON_MARGIN = 0.95 * UNIT
_HEXAGON_LABEL_DISTANCE = 1.45 * UNIT


def rhombus_layout(names: Sequence[str]) -> Layout:
    """Return the layout of a Hex board; black connects the top to the bottom."""
    places = _places(names)
    columns, rows = _last(places)
    corners = (0, 1), (columns, 1), (columns, rows), (0, rows)
    ground = expanded(tuple(map(_shifted, corners)), _HEXAGON_MARGIN)
    return Layout(
        faces=_hexagons(places, _shifted, turn=0),
        ground=ground,
        stone=0.41 * UNIT,
        sides=_four_sides(ground),
        labels=_labels(places),
    )


def triangle_layout(names: Sequence[str]) -> Layout:
    """Return the layout of a triangular board of Y."""
    places = _places(names)
    columns, rows = _last(places)
    corners = (0, 1), (columns, 1), (0, rows)
    return Layout(
        faces=_hexagons(places, _shifted, turn=0),
        ground=expanded(tuple(map(_shifted, corners)), _HEXAGON_MARGIN),
        stone=0.41 * UNIT,
        labels=_labels(places),
    )


def _shifted(place: Place) -> Point:
    """Return where a cell lies if each row is shifted half a cell to the right."""
    column, row = place
    return UNIT * complex(column + row / 2, row * _HEIGHT)


def _labels(places: Mapping[str, Place]) -> tuple[Label, ...]:
    """Return the labels of the columns next to row 1, and of the rows next to column a."""
    columns, rows = _last(places)
    column_step = _HEXAGON_LABEL_DISTANCE * towards(-30)
    row_step = _HEXAGON_LABEL_DISTANCE * towards(-90)
    return (
        *(Label(_letter(c), _shifted((c, 1)) + column_step) for c in range(columns + 1)),
        *(Label(str(r), _shifted((0, r)) + row_step) for r in range(1, rows + 1)),
    )


def hexagon_layout(
    names: Sequence[str], *, with_border: bool = False, with_corners: bool = True
) -> Layout:
    """Return the layout of a hexagon, with the border hexes if they score.

    Without `with_corners` the six border hexes beyond the corners are left out.
    """
    places = _places(names)

    def at(place: Place) -> Point:
        return UNIT * complex(place[0] * _HEIGHT, place[1] - place[0] / 2)

    columns = sorted({column for column, _ in places.values()})
    rows = sorted({row for _, row in places.values()})
    inside = set(places.values())
    low = {c: min(row for column, row in inside if column == c) for c in columns}
    left = {r: min(column for column, row in inside if row == r) for r in rows}
    label_distance = 1.35 + 0.45 * with_border
    labels = [
        Label(
            _letter(c) if names[0].islower() else _letter(c).upper(),
            at((c, low[c])) + UNIT * towards(0, label_distance),
        )
        for c in columns
    ]
    labels += [Label(str(r), at((left[r], r)) + UNIT * towards(-120, label_distance)) for r in rows]
    corner_cells = [at(place) for place in inside if _is_corner(place, inside)]
    middle = sum(corner_cells) / len(corner_cells)
    ring = sorted(corner_cells, key=lambda p: math.atan2((p - middle).imag, (p - middle).real))
    return Layout(
        faces=_hexagons(places, at, turn=30),
        ground=expanded(tuple(ring), _HEXAGON_MARGIN * (0.5 if with_border else 1.0)),
        stone=0.41 * UNIT,
        borders=tuple(_border_areas(places, at, with_corners=with_corners)) if with_border else (),
        labels=tuple(labels),
    )


def _is_corner(place: Place, inside: set[Place]) -> bool:
    return len(hexagon_neighbours(place) & inside) == 3


def _border_areas(
    places: Mapping[str, Place], at: Callable[[Place], Point], *, with_corners: bool
) -> Iterable[Border]:
    """Yield the border hexes, each with the cells that touch it."""
    names = {place: name for name, place in places.items()}
    for outer, touching in border_hexes(names).items():
        if with_corners or len(touching) > 1:
            outline = regular(at(outer), _RADIUS, 6, 30)
            yield Border(outline, tuple(names[place] for place in touching))


def peg_layout(names: Sequence[str]) -> Layout:
    """Return the layout of a square peg board; black connects the top to the bottom."""
    places = _places(names)

    def at(place: Place) -> Point:
        return UNIT * complex(*place)

    columns, rows = _last(places)
    square = at((0, 1)), at((columns, 1)), at((columns, rows)), at((0, rows))
    ground = expanded(square, 0.9 * UNIT)
    labels = [Label(_letter(c), at((c, 1)) - 1.25j * UNIT) for c in range(columns + 1)]
    labels += [Label(str(r), at((0, r)) - 1.3 * UNIT) for r in range(1, rows + 1)]
    return Layout(
        faces={
            name: Face(
                at(place),
                regular(at(place), UNIT * math.sqrt(0.5), 4, 45),
                Tone.SHADED if place[0] in (0, columns) or place[1] in (1, rows) else Tone.PLAIN,
            )
            for name, place in places.items()
        },
        ground=ground,
        stone=0.32 * UNIT,
        hole=0.09 * UNIT,
        sides=_strips(ground, expanded(square, 0.5 * UNIT)),
        labels=tuple(labels),
    )


def _strips(outer: Polygon, inner: Polygon) -> tuple[BoardSide, ...]:
    return tuple(
        BoardSide((outer[i], outer[i - 3], inner[i - 3], inner[i]), black=i % 2 == 0)
        for i in range(4)
    )


def _places(names: Sequence[str]) -> dict[str, Place]:
    """Return column (from 0) and row (from 1) by name."""
    return {name: (ascii_lowercase.index(name[0].lower()), int(name[1:])) for name in names}


def _last(places: Mapping[str, Place]) -> Place:
    return max(column for column, _ in places.values()), max(row for _, row in places.values())


def _letter(column: int) -> str:
    return ascii_lowercase[column]


def _hexagons(
    places: Mapping[str, Place], at: Callable[[Place], Point], *, turn: float
) -> dict[str, Face]:
    return {
        name: Face(at(place), regular(at(place), _RADIUS, 6, turn), Tone.PLAIN)
        for name, place in places.items()
    }


def _four_sides(ground: Polygon) -> tuple[BoardSide, ...]:
    """Return the triangles between the board's middle and its edges, drawn below the cells."""
    middle = sum(ground) / 4
    return tuple(
        BoardSide((ground[i], ground[(i + 1) % 4], middle), black=i % 2 == 0) for i in range(4)
    )
