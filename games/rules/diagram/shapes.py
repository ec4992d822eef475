"""The 22 shapes of Penta-Hex beside its board: which are on it, and whose they are."""

from __future__ import annotations

from games.rules.boards.pentahexes import Place, all_shapes
from games.rules.diagram.paints import paint
from games.rules.diagram.stones import dots_at
from games.rules.diagram.svg import element, number, path
from games.rules.layouts.geometry import Point, regular
from games.rules.messages import Say, gettext_noop, say_in_english
from games.rules.position import Position
from games.rules.seat import Seat

_ROW, _BOX, _CELL = 6, 96.0, 19.0
_STATED = gettext_noop("{done} of {number} shapes are on the board: first {first}, second {second}")


def draw_shapes(position: Position, say: Say = say_in_english) -> str:
    """Return the shapes as an SVG, filled with the colours of their owners; "" in other games.

    Those of the second seat have dots, as its stones have rings.
    """
    owners, shapes = position.shape_owners(), all_shapes()
    if owners is None:
        return ""
    first = list(owners.values()).count(Seat.FIRST)
    words = say(
        _STATED, done=len(owners), number=len(shapes), first=first, second=len(owners) - first
    )
    drawn = []
    for place, shape in enumerate(shapes):
        row, column = divmod(place, _ROW)
        cells = [_centre(one) for one in shape]
        middle = sum(cells) / len(cells) - _BOX * complex(column + 0.5, row + 0.5)
        hexagons = [regular(cell - middle, _CELL / 3**0.5, 6, 0) for cell in cells]
        use = {None: "cell", Seat.FIRST: "stone1", Seat.SECOND: "stone2"}[owners.get(shape)]
        ink = {"stroke": paint("line")["stroke"], "stroke-width": "1.5"}
        drawn.append(element("path", {"d": path(*hexagons)} | paint(use, "line") | ink))
        if use == "stone2":
            dots = {"d": dots_at(cell - middle for cell in cells), "stroke-linecap": "round"}
            drawn.append(element("path", dots | {"stroke-width": "7"} | paint("ring")))
    rows = -(-len(shapes) // _ROW)
    box = f"0 0 {number(_BOX * _ROW)} {number(_BOX * rows)}"
    frame = {"class": "board shapes", "viewBox": box, "role": "img", "aria-label": words}
    return element("svg", frame, *drawn)


def _centre(place: Place) -> Point:
    """Return where a place of the plane lies; its two directions are 60 degrees apart."""
    x, y = place
    return _CELL * complex(x + y / 2, y * 3**0.5 / 2)
