"""Cells of a board that lead to other pages, as links that work without scripts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.rules.diagram.svg import at, circle, element, number, text
from games.rules.layouts.layout import Layout


@dataclass(frozen=True, slots=True)
class Choice:
    """A cell that is a link, with a short mark and a title; a wide one is as large as a stone."""

    cell: str
    address: str
    mark: str
    title: str
    is_wide: bool = False


def draw_choices(choices: Iterable[Choice], layout: Layout) -> str:
    """Return the links of the cells.

    They are for the mouse: a page lists them beside the board for keyboards and screen readers.
    """
    links = []
    for choice in choices:
        centre = layout.faces[choice.cell].centre
        radius = layout.stone if choice.mark or choice.is_wide else layout.stone * 0.4
        drawn = [
            element("title", {}, text(choice.title)),
            element("circle", circle(centre, radius)),
        ]
        if choice.mark:
            size = {"font-size": number(layout.stone), "dy": "0.35em"}
            drawn.append(element("text", at(centre) | size, text(choice.mark)))
        attributes = {"href": choice.address, "data-cell": choice.cell, "tabindex": "-1"}
        links.append(element("a", {"class": "choice"} | attributes, *drawn))
    return element("g", {"aria-hidden": "true"}, *links)
