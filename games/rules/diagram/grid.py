"""A board as a grid of labelled cells, for pages: keyboard and screen readers reach every cell.

The rows of the grid are the lines of the board, as its text picture has them. One cell is the tab
stop; the page's script moves it. Everything but the cells is hidden from screen readers. Colours
are those of `paints`, by class: a page may not contain a style element.

A page sends a grid for every turn, so it has to be small: corners are rounded to whole units, which
neighbouring cells share, and a stone is the round end of a line without length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from games.rules.diagram import layers
from games.rules.diagram.choices import Choice, draw_choices
from games.rules.diagram.drawing import frame
from games.rules.diagram.paints import paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.stones import draw_holes, draw_small_stones
from games.rules.diagram.svg import element, number, path
from games.rules.diagram.words import words_of
from games.rules.layouts.geometry import Polygon, rounded_corners
from games.rules.layouts.layout import Layout


def draw_grid(
    scene: Scene,
    labels: Mapping[str, str],
    *,
    title: str,
    names: bool = False,
    numbers: bool = False,
    choices: Sequence[Choice] = (),
    name: str = "",
) -> str:
    """Return the SVG of a scene as a grid, with a label for each cell, and links on some.

    `name` is its id, for a page that shows a part of it again.
    """
    scene = replace(scene, layout=_in_whole_units(scene.layout))
    corner, width, height = frame(scene, 0.0)
    box = [number(value) for value in (corner.real, corner.imag, width, height)]
    words = words_of(scene, names=names, numbers=numbers)
    hidden = {"aria-hidden": "true"}
    return element(
        "svg",
        ({"id": name} if name else {})
        | {
            "class": "board",
            "viewBox": " ".join(box),
            "role": "grid",
            "aria-label": title,
            "data-last": " ".join(scene.arrived),
            "font-family": "system-ui,sans-serif",
            "text-anchor": "middle",
        },
        layers.define_patterns(),
        element("g", hidden, *layers.draw_ground(scene)),
        element("g", paint("cell", "line") | layers.line_of_cells(scene), *_rows(scene, labels)),
        element(
            "g",
            hidden | {"pointer-events": "none"},
            *layers.draw_smaller(scene),
            *layers.draw_chains(scene),
            *draw_holes(scene),
            *draw_small_stones(scene),
            *layers.draw_marks(scene, words, dots=not (names or numbers)),
            *layers.draw_letters(scene, words),
        ),
        *([draw_choices(choices, scene.layout)] if choices else []),
    )


def draw_small(scene: Scene, *, title: str) -> str:
    """Return a small picture of a scene, in a quarter of the text: no labels, no hatching."""
    scene = replace(scene, layout=_in_whole_units(scene.layout))
    corner, width, height = frame(scene, 0.0)
    outlines: dict[str, list[Polygon]] = {}
    for name, face in scene.layout.faces.items():
        outlines.setdefault(layers.tone_of(scene, name), []).append(face.outline)
    cells = (element("path", {"class": use, "d": path(*all_)}) for use, all_ in outlines.items())
    box = " ".join(number(value) for value in (corner.real, corner.imag, width, height))
    return element(
        "svg",
        {"class": "board", "viewBox": box, "role": "img", "aria-label": title},
        *layers.draw_ground(scene),
        element("g", paint("cell", "line") | layers.line_of_cells(scene), *cells),
        *layers.draw_smaller(scene),
        *layers.draw_connections(scene),
        *draw_holes(scene),
        *draw_small_stones(scene),
        *layers.draw_marks(scene, (), dots=True),
    )


@lru_cache(maxsize=32)
def _in_whole_units(layout: Layout) -> Layout:
    """Return a layout with its corners at whole units, which take less text."""
    faces = {
        name: replace(
            face, centre=rounded_corners((face.centre,))[0], outline=rounded_corners(face.outline)
        )
        for name, face in layout.faces.items()
    }
    borders = [
        replace(border, outline=rounded_corners(border.outline)) for border in layout.borders
    ]
    smaller = tuple(map(rounded_corners, layout.smaller))
    return replace(layout, faces=faces, borders=tuple(borders), smaller=smaller)


def _rows(scene: Scene, labels: Mapping[str, str]) -> list[str]:
    names = scene.board.names
    tab_stop = scene.arrived[0] if scene.arrived else names[0]
    rows = []
    for line in scene.board.lines:
        cells = [_cell(scene, names[cell], labels, names[cell] == tab_stop) for cell in line.cells]
        rows.append(element("g", {"role": "row"}, *cells))
    return rows


def _cell(scene: Scene, name: str, labels: Mapping[str, str], is_tab_stop: bool) -> str:
    use = layers.tone_of(scene, name)
    attributes = {"role": "gridcell", "aria-label": labels[name]}
    attributes |= {} if use == "cell" else {"class": use}
    attributes |= {"tabindex": "0"} if is_tab_stop else {}
    return element("path", attributes | {"d": path(scene.layout.faces[name].outline)})
