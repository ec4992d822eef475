"""The whole diagram: its frame, its title and description, its layers, its caption."""

from __future__ import annotations

from hashlib import sha256

from games.rules.diagram import layers
from games.rules.diagram.caption import (
    MIN_WIDTH,
    caption_height,
    describe_handicap,
    describe_holdings,
    describe_progress,
    draw_caption,
    player_name,
)
from games.rules.diagram.geometry import Point, bounding_box
from games.rules.diagram.layout import UNIT
from games.rules.diagram.paints import PAINTS, dark_style, paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.stones import draw_holes, draw_stones
from games.rules.diagram.svg import element, number, text
from games.rules.diagram.words import words_of
from games.rules.seat import Seat

STYLE = dark_style(PAINTS)
"""The only style element of every diagram; a content policy may allow it by its digest."""

_MARGIN = 0.35 * UNIT


def draw(scene: Scene, *, names: bool = False, numbers: bool = False) -> str:
    """Return the SVG of a scene, optionally with the names of cells and the numbers of turns.

    The module `words` states where they are and which names are left out.
    A record has a caption below the board, an empty board has none.
    """
    with_caption = has_caption(scene)
    corner, width, height = frame(scene, MIN_WIDTH if with_caption else 0.0)
    total_height = height + (caption_height(scene) if with_caption else 0)
    box = [number(value) for value in (corner.real, corner.imag, width, total_height)]
    words = words_of(scene, names=names, numbers=numbers)
    title, description = _title(scene), _description(scene)
    # A page may show several diagrams, so the ids of their titles must differ.
    suffix = sha256(f"{title}\n{description}".encode("utf-8", "replace")).hexdigest()[:8]
    page = {"x": box[0], "y": box[1], "width": box[2], "height": box[3]} | paint("page")
    caption = draw_caption(scene, corner.real + _MARGIN, corner.imag + height, width - 2 * _MARGIN)
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": box[2],
            "height": box[3],
            "viewBox": " ".join(box),
            "role": "img",
            "aria-labelledby": f"title-{suffix}",
            "aria-describedby": f"description-{suffix}",
            "font-family": "system-ui,sans-serif",
            "text-anchor": "middle",
        },
        element("title", {"id": f"title-{suffix}"}, text(title)),
        element("desc", {"id": f"description-{suffix}"}, text(description)),
        element("style", {}, STYLE),
        layers.define_patterns(),
        element("rect", page),
        *layers.draw_ground(scene),
        *layers.draw_cells(scene),
        *layers.draw_chains(scene),
        *draw_holes(scene),
        *draw_stones(scene),
        *layers.draw_marks(scene, words, dots=not (names or numbers)),
        *layers.draw_letters(scene, words),
        *(caption if with_caption else ()),
    )


def has_caption(scene: Scene) -> bool:
    """Return True if the scene shows a record, not an empty board."""
    return bool(scene.plies or any(scene.players))


def frame(scene: Scene, min_width: float) -> tuple[Point, float, float]:
    """Return the upper left corner of the board with its margin, its width and its height."""
    layout = scene.layout
    points = [point for face in layout.faces.values() for point in face.outline]
    points += [label.place + shift for label in layout.labels for shift in (-11 - 11j, 11 + 11j)]
    points += [point for border in layout.borders for point in border.outline]
    corner, opposite = bounding_box([*points, *layout.ground])
    size = opposite - corner
    missing = max(0.0, min_width - size.real)
    margins = 2 * _MARGIN
    upper_left = corner - missing / 2 - _MARGIN * (1 + 1j)
    return upper_left, size.real + missing + margins, size.imag + margins


def _title(scene: Scene) -> str:
    """Return the game, its board, and the players of a record."""
    board = f"{scene.rules.name}, board {scene.conditions.board}"
    if not has_caption(scene):
        return board
    return f"{' – '.join(player_name(scene, seat) for seat in scene.seats)}, {board}"


def _description(scene: Scene) -> str:
    """Return the position in words: the ply, then the stones of both seats."""
    sentences = [f"{len(scene.layout.faces)} cells"]
    if scene.plies:
        sentences.append(describe_progress(scene))
    if handicap := describe_handicap(scene):
        sentences.append(handicap)
    for seat, stones in zip(Seat, scene.stones, strict=True):
        if stones:
            holdings = describe_holdings(scene, seat)
            role = f"{seat}, {holdings}" if holdings else seat.value
            sentences.append(f"{player_name(scene, seat)} ({role}): {' '.join(stones)}")
    for seat, groups in zip(Seat, scene.highlights.groups, strict=True):
        for group in groups:
            names = " ".join(scene.names_of(group))
            sentences.append(f"A {scene.highlights.kind} of {seat}: {names}")
    for chain in scene.highlights.winning:
        sentences.append(f"It won: {' '.join(scene.names_of(chain))}")
    return ". ".join(sentences) + "."
