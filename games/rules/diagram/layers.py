"""The layers of a diagram, from the ground to the letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.rules.diagram.paints import paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.svg import at, circle, element, line, number, path, points, text, trace
from games.rules.diagram.words import Word, uncrossing
from games.rules.layouts.geometry import Point, Segment, expanded, outlines, walks
from games.rules.layouts.layout import UNIT, Tone
from games.rules.seat import Seat

_GROUP_LINE = 2.8
_SEATS = (1, 2)


def define_patterns() -> str:
    """Return the hatchings: falling lines for the first seat, rising and broken for the second.

    Faint horizontal lines are for cells that no seat may fill.
    """
    return element(
        "defs",
        {},
        _pattern("hatch1", 45, "M0,1.5H6", paint("edge1") | {"stroke-width": "1.6"}),
        _pattern("hatch2", -45, "M0,1.5H6M0,4.5H3", paint("edge2") | {"stroke-width": "1.4"}),
        _pattern("guarded", 0, "M0,3H6", paint("line") | {"stroke-width": "0.8"}),
    )


def _pattern(name: str, turn: int, lines: str, ink: dict[str, str]) -> str:
    size = {"width": "6", "height": "6", "patternUnits": "userSpaceOnUse"}
    turned = {"patternTransform": f"rotate({turn})"}
    return element("pattern", {"id": name} | size | turned, element("path", {"d": lines} | ink))


def draw_ground(scene: Scene) -> Iterator[str]:
    """Yield the ground, the sides and the borders."""
    yield element("polygon", {"points": points(scene.layout.ground)} | paint("ground"))
    yield from _draw_sides(scene)
    yield from _draw_borders(scene)


def tone_of(scene: Scene, name: str) -> str:
    """Return the paint of a cell: that of its owner, or that of an empty cell."""
    if scene.has_chains:
        for seat, stones in zip(_SEATS, scene.filled_names, strict=True):
            if name in stones:
                return f"tint{seat}"
    return scene.layout.faces[name].tone.value


def line_of_cells(scene: Scene) -> dict[str, str]:
    """Return the line around cells; the holes of a board with pegs have none."""
    width = "0" if scene.layout.hole else "1"
    return {"stroke": paint("line")["stroke"], "stroke-width": width, "stroke-linejoin": "round"}


def draw_cells(scene: Scene) -> Iterator[str]:
    """Yield the cells, tinted by owner."""
    groups: dict[str, list[str]] = {tone: [] for tone in (*Tone, "tint1", "tint2")}
    for name, face in scene.layout.faces.items():
        drawn = element("path", {"data-cell": name, "d": path(face.outline)})
        groups[tone_of(scene, name)].append(drawn)
    for use, cells in groups.items():
        if cells:
            yield element("g", paint(use, "line") | line_of_cells(scene), *cells)


def _draw_sides(scene: Scene) -> Iterator[str]:
    """Yield the sides that a colour must connect; the second seat's have a line along them."""
    first_is_black = scene.position.is_black(Seat.FIRST)
    for side in scene.layout.sides:
        seat = 1 if side.black is first_is_black else 2
        yield element("polygon", {"points": points(side.outline)} | paint(f"stone{seat}"))
        if seat == 2:
            start, end = side.outline[:2]
            step = end - start
            inward = 1j * step / abs(step) * UNIT * 0.16
            inset = step / abs(step) * UNIT
            stripe = {
                "d": line(start + inward + inset, end + inward - inset),
                "stroke-width": "2.5",
                "stroke-dasharray": "9 5",
            }
            yield element("path", stripe | paint("ring"))


def _draw_borders(scene: Scene) -> Iterator[str]:
    layout, owned = scene.layout, [set(scene.names_of(cells)) for cells in scene.highlights.owned]
    if not layout.borders:
        return
    ink = {"stroke": paint("line")["stroke"], "stroke-width": "1"}
    outline = {"d": path(*(border.outline for border in layout.borders))}
    yield element("path", outline | paint("peri", "line") | ink)
    for seat, cells in zip(_SEATS, owned, strict=True):
        outlines_of_seat = [
            border.outline for border in layout.borders if cells.intersection(border.cells)
        ]
        if outlines_of_seat:
            yield element("path", {"d": path(*outlines_of_seat)} | paint(f"tint{seat}"))
            yield element("path", {"d": path(*outlines_of_seat), "fill": f"url(#hatch{seat})"})
    for border in layout.borders:
        if border.weight > 1:
            corner = max(border.outline, key=abs)
            yield element("circle", circle(corner * 0.962, 4.5) | paint("quark"))


def draw_smaller(scene: Scene) -> Iterator[str]:
    """Yield heavy lines around the smaller boards."""
    if scene.layout.smaller:
        ink = {"fill": "none", "stroke-width": "3", "stroke-linejoin": "round"} | paint("line")
        yield element("path", {"d": path(*scene.layout.smaller)} | ink)


def draw_chains(scene: Scene) -> Iterator[str]:
    """Yield the cells that chains own, their outlines, and the connections of stones."""
    highlights = scene.highlights
    for hatch, cells in (
        *zip(("hatch1", "hatch2"), highlights.owned, strict=True),
        ("guarded", highlights.guarded),
    ):
        faces = [scene.layout.faces[name].outline for name in scene.names_of(cells)]
        if faces:
            yield element("path", {"d": path(*faces), "fill": f"url(#{hatch})"})
    for seat, groups in zip(_SEATS, scene.highlights.groups, strict=True):
        for group in groups:
            loops = _loops(scene, group, -_GROUP_LINE / 2 - 0.3)
            ink = {"fill": "none", "stroke-width": number(_GROUP_LINE), "stroke-linejoin": "round"}
            yield element("path", {"d": path(*loops)} | ink | paint(f"edge{seat}"))
    yield from draw_connections(scene)


def draw_connections(scene: Scene) -> Iterator[str]:
    """Yield the connections of stones, and the links between pegs."""
    if scene.has_chains:
        yield from _draw_neighbours(scene)
    yield from _draw_links(scene)


def _loops(scene: Scene, cells: int, distance: float) -> list[tuple[Point, ...]]:
    faces = [scene.layout.faces[name].outline for name in scene.names_of(cells)]
    return [expanded(loop, distance) for loop in outlines(faces)]


def _draw_neighbours(scene: Scene) -> Iterator[str]:
    """Yield lines between stones of one seat on neighbouring cells, and to a shared bridge."""
    faces = scene.layout.faces
    for seat, stones in zip(_SEATS, map(set, scene.stones), strict=True):
        pairs = [pair for pair in scene.layout.touching if stones.issuperset(pair)]
        lines = [trace(faces[name].centre for name in names) for names in walks(pairs)]
        if scene.layout.bridge:
            near = [name for name in faces if name in stones and name[1:] == "10"]
            if len(near) > 1:
                lines += [line(faces[name].centre, 0j) for name in near]
        if lines:
            ink = {"d": "".join(lines), "stroke-width": number(scene.layout.stone * 0.42)}
            outline = {"fill": "none", "stroke-linejoin": "round"}
            yield element("path", ink | outline | paint(f"edge{seat}"))


def _draw_links(scene: Scene) -> Iterator[str]:
    """Yield the links between pegs, with a halo around those of the winning chain."""
    faces = scene.layout.faces
    names = scene.board.names
    won = scene.highlights.winning[0] if scene.highlights.winning else 0
    for seat, links in zip(_SEATS, scene.highlights.links, strict=True):
        lines = [line(faces[names[a]].centre, faces[names[b]].centre) for a, b in links]
        halo = [link for link, (a, _) in zip(lines, links, strict=True) if won >> a & 1]
        for data, ink in (
            (halo, {"stroke-width": "11"} | paint("mark")),
            (lines, {"stroke-width": "6"} | paint(f"edge{seat}")),
        ):
            if data:
                yield element("path", {"d": "".join(data), "stroke-linecap": "round"} | ink)


def draw_marks(scene: Scene, words: Sequence[Word], *, dots: bool) -> Iterator[str]:
    """Yield the winning shape, the trail of the last turn, and a ring around its stones.

    With `dots` these stones have a dot too, which nothing else on the board has. The cells of a
    lesson have broken outlines.
    """
    layout = scene.layout
    if scene.lit:
        outlined = [layout.faces[name].outline for name in scene.lit]
        ink = {"fill": "none", "stroke-width": "3", "stroke-dasharray": "6 3"}
        yield element("path", {"d": path(*outlined)} | ink | paint("mark"))
    first = scene.stones[0]
    for chain in scene.highlights.winning if not layout.hole else ():
        ink = {"fill": "none", "stroke-width": "5", "stroke-linejoin": "round"}
        yield element("path", {"d": path(*_loops(scene, chain, -2.0))} | ink | paint("mark"))
    for start, end in scene.trails:
        trail = _trail(layout.faces[start].centre, layout.faces[end].centre, layout.stone)
        data = "".join(line(*piece) for piece in uncrossing(trail, words))
        ink = {"stroke-width": "3", "stroke-dasharray": "7 5"}
        yield element("path", {"d": data} | ink | paint("mark"))
    for name in scene.arrived:
        ring = circle(layout.faces[name].centre, layout.stone + 1.0)
        yield element("circle", ring | {"fill": "none", "stroke-width": "3"} | paint("mark"))
        if dots:
            dot = circle(layout.faces[name].centre, layout.stone * 0.28)
            yield element("circle", dot | paint("on1" if name in first else "on2"))


def _trail(start: Point, end: Point, stone: float) -> Segment:
    """Return the stroke of a move, up to the rim of the stone that moved."""
    step = end - start
    return start, end - (stone + 1.0) * step / abs(step)


def draw_letters(scene: Scene, words: Sequence[Word]) -> Iterator[str]:
    """Yield the labels of the board and the words on its cells."""
    labels = (
        element(
            "text",
            at(label.place) | {"font-size": number(label.size), "dy": "0.35em"},
            text(label.text),
        )
        for label in scene.layout.labels
    )
    yield element("g", {"font-weight": "bold"} | paint("label"), *labels)
    groups: dict[tuple[str, str, str], list[str]] = {}
    for word in words:
        place = complex(round(word.place.real), round(word.place.imag))
        drawn = element("text", at(place), text(word.text))
        groups.setdefault((word.use, number(word.size), word.outline), []).append(drawn)
    for (use, size, outline), texts in sorted(groups.items()):
        ink = paint(use)
        if outline:
            stroke = {"stroke": paint(outline)["stroke"], "stroke-width": "3.5"}
            ink = paint(use, outline) | stroke | {"paint-order": "stroke"}
        yield element("g", {"font-size": size} | ink, *texts)
