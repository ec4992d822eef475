"""SVG as text: elements, numbers, points, and escaped text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from itertools import pairwise

from games.rules.layouts.geometry import Point, Polygon

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(name: str, attributes: Mapping[str, str], *children: str) -> str:
    """Return an element around children that are SVG; use `text` to convert words."""
    written = "".join(f' {key}="{text(value)}"' for key, value in attributes.items())
    if not children:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(children)}</{name}>"


def text(words: str) -> str:
    """Return words as character data; characters that XML does not allow are replaced."""
    return escape(_NOT_XML.sub("\ufffd", words), quote=True)


def number(value: float) -> str:
    """Return a length with at most one decimal."""
    written = f"{value:.1f}"
    return "0" if written == "-0.0" else written.removesuffix(".0")


def points(polygon: Polygon) -> str:
    """Return points as the value of a polygon's attribute."""
    return " ".join(f"{number(point.real)},{number(point.imag)}" for point in polygon)


def path(*polygons: Polygon) -> str:
    """Return closed loops as the data of one path."""
    return "".join(trace(polygon) + "z" for polygon in polygons)


def trace(points: Iterable[Point]) -> str:
    """Return a line through points as the data of a path: one place, then short relative steps.

    Every point is rounded to one decimal and the steps lead from one rounded point to the next, so
    errors do not add up.
    """
    tenths = [(round(10 * point.real), round(10 * point.imag)) for point in points]
    written = "M{},{}".format(*(number(length / 10) for length in tenths[0]))
    command = "M"
    for (x, y), (next_x, next_y) in pairwise(tenths):
        across, down = (number((next_x - x) / 10), number((next_y - y) / 10))
        if across == "0" or down == "0":
            command = "v" if across == "0" else "h"
            written += command + (down if across == "0" else across)
            continue
        separator = "l" if command != "l" else "" if across.startswith("-") else " "
        written += separator + across + ("" if down.startswith("-") else ",") + down
        command = "l"
    return written


def at(point: Point, x: str = "x", y: str = "y") -> dict[str, str]:
    """Return the attributes of a place."""
    return {x: number(point.real), y: number(point.imag)}


def line(start: Point, end: Point) -> str:
    """Return a straight line as the data of a path."""
    return "M" + points((start, end)).replace(" ", "L")


def circle(centre: Point, radius: float) -> dict[str, str]:
    """Return the attributes of a circle."""
    return at(centre, "cx", "cy") | {"r": number(radius)}
