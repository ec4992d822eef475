"""The stones of a diagram, the holes of a board with pegs, and the bridge in the centre."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.rules.diagram.paints import paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.svg import circle, element, number, points, trace
from games.rules.layouts.geometry import Point


def draw_holes(scene: Scene) -> Iterator[str]:
    """Yield the bridge and the holes."""
    layout = scene.layout
    if layout.bridge:
        star = {"points": points(layout.bridge), "stroke-linejoin": "round"}
        yield element("polygon", star | paint("bridge"))
    if layout.hole:
        holes = (
            element("circle", circle(face.centre, layout.hole)) for face in layout.faces.values()
        )
        yield element("g", paint("hole"), *holes)


def draw_stones(scene: Scene) -> Iterator[str]:
    """Yield the stones."""
    layout = scene.layout
    for seat, names in zip((1, 2), scene.stones, strict=True):
        places = [layout.faces[name].centre for name in names]
        if places:
            discs = (element("circle", circle(place, layout.stone)) for place in places)
            rim = {"stroke": paint("rim")["stroke"], "stroke-width": "1"}
            yield element("g", paint(f"stone{seat}", "rim") | rim, *discs)
        if places and seat == 2:
            yield from _draw_rings(places, layout.stone)


def _draw_rings(places: Sequence[Point], stone: float) -> Iterator[str]:
    """Yield a ring on each stone: dots, and smaller dots in the colour of the stones on them."""
    dots = {"d": dots_at(places), "stroke-linecap": "round"}
    half = max(1.2, stone * 0.1) / 2
    for use, radius in (("ring", stone * 0.8 + half), ("edge2", stone * 0.8 - half)):
        yield element("path", dots | {"stroke-width": number(2 * radius)} | paint(use))


def dots_at(places: Iterable[Point]) -> str:
    """Return dots as the data of a path: lines without length take a third of a circle's text."""
    return "".join(trace((place,)) + "h0" for place in places)


def draw_small_stones(scene: Scene) -> Iterator[str]:
    """Yield the stones as dots without a rim, in a third of the text."""
    stone = scene.layout.stone
    for seat, names in enumerate(scene.stones, 1):
        if not names:
            continue
        places = [scene.layout.faces[name].centre for name in names]
        dots = {"d": dots_at(places), "stroke-linecap": "round"}
        layers_of_stone = ((f"edge{seat}", 1.0), ("ring", 0.86), (f"edge{seat}", 0.72))
        for use, radius in layers_of_stone if seat == 2 else layers_of_stone[:1]:
            yield element("path", dots | {"stroke-width": number(2 * radius * stone)} | paint(use))
