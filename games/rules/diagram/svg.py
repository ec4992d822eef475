"""SVG as text: elements, numbers, points, and escaped text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from games.rules.diagram.geometry import Point, Polygon

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
    return "".join("M" + points(polygon).replace(" ", "L") + "Z" for polygon in polygons)


def at(point: Point, x: str = "x", y: str = "y") -> dict[str, str]:
    """Return the attributes of a place."""
    return {x: number(point.real), y: number(point.imag)}


def line(start: Point, end: Point) -> str:
    """Return a straight line as the data of a path."""
    return "M" + points((start, end)).replace(" ", "L")


def circle(centre: Point, radius: float) -> dict[str, str]:
    """Return the attributes of a circle."""
    return at(centre, "cx", "cy") | {"r": number(radius)}
