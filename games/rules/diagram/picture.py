"""The whole picture: its frame, its title and description, its layers, its caption."""

from __future__ import annotations

from hashlib import sha256

from games.rules.diagram import drawing
from games.rules.diagram.caption import WIDTH, caption, holdings, player, standing
from games.rules.diagram.caption import height as caption_height
from games.rules.diagram.geometry import Point, extent
from games.rules.diagram.layout import UNIT
from games.rules.diagram.paints import dark_style, paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.svg import element, number, text
from games.rules.seat import Seat

STYLE = dark_style()
"""The one style element of every diagram; a content policy may name it by its digest."""

_MARGIN = 0.35 * UNIT


def draw(scene: Scene, *, names: bool = False, numbers: bool = False) -> str:
    """Return the SVG of a scene, with the names of cells and the numbers of turns if wanted.

    A record has a caption below the board, an empty board has none.
    """
    with_caption = has_caption(scene)
    corner, width, height = _frame(scene, WIDTH if with_caption else 0.0)
    whole = height + (caption_height(scene) if with_caption else 0)
    box = [number(value) for value in (corner.real, corner.imag, width, whole)]
    name, told = title(scene), description(scene)
    # Several pictures may stand in one page: what is told of each needs a name of its own.
    mark = sha256(f"{name}\n{told}".encode("utf-8", "replace")).hexdigest()[:8]
    page = {"x": box[0], "y": box[1], "width": box[2], "height": box[3]} | paint("page")
    below = caption(scene, corner.real + _MARGIN, corner.imag + height, width - 2 * _MARGIN)
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": box[2],
            "height": box[3],
            "viewBox": " ".join(box),
            "role": "img",
            "aria-labelledby": f"title-{mark}",
            "aria-describedby": f"description-{mark}",
            "font-family": "system-ui,sans-serif",
            "text-anchor": "middle",
        },
        element("title", {"id": f"title-{mark}"}, text(name)),
        element("desc", {"id": f"description-{mark}"}, text(told)),
        element("style", {}, STYLE),
        drawing.patterns(),
        element("rect", page),
        *drawing.board(scene),
        *drawing.chains(scene),
        *drawing.stones(scene),
        *drawing.marks(scene, dots=not (names or numbers)),
        *drawing.letters(scene, names=names, numbers=numbers),
        *(below if with_caption else ()),
    )


def has_caption(scene: Scene) -> bool:
    """Whether the scene is of a record, not of an empty board."""
    return bool(scene.plies or any(scene.players))


def _frame(scene: Scene, least_width: float) -> tuple[Point, float, float]:
    """Return the upper left corner of the board with its margin, its width and its height."""
    layout = scene.layout
    around = [point for face in layout.faces.values() for point in face.outline]
    around += [label.place + shift for label in layout.labels for shift in (-11 - 11j, 11 + 11j)]
    around += [point for border in layout.borders for point in border.outline]
    corner, opposite = extent([*around, *layout.ground])
    size = opposite - corner
    missing = max(0.0, least_width - size.real)
    margins = 2 * _MARGIN
    left = corner - missing / 2 - _MARGIN * (1 + 1j)
    return left, size.real + missing + margins, size.imag + margins


def title(scene: Scene) -> str:
    """Return the title: the game, its board, and the players of a record."""
    board = f"{scene.rules.name}, board {scene.conditions.board}"
    if not has_caption(scene):
        return board
    seats = list(Seat)[: scene.rules.players]
    return f"{' – '.join(player(scene, seat) for seat in seats)}, {board}"


def description(scene: Scene) -> str:
    """Return the position in words: where the record stands, then both seats' stones."""
    sentences = [f"{len(scene.layout.faces)} cells"]
    if scene.plies:
        sentences.append(standing(scene))
    for seat, stones in zip(Seat, scene.stones, strict=True):
        if stones:
            holds = holdings(scene, seat)
            sentences.append(
                f"{player(scene, seat)} ({seat}{', ' + holds if holds else ''}): {' '.join(stones)}"
            )
    for seat, groups in zip(Seat, scene.findings.groups, strict=True):
        for group in groups:
            sentences.append(f"A {scene.findings.kind} of {seat}: {' '.join(scene.named(group))}")
    for chain in scene.findings.winning:
        sentences.append(f"It won: {' '.join(scene.named(chain))}")
    return ". ".join(sentences) + "."
