"""The whole diagram: its frame, its title and description, its layers, its caption."""

from __future__ import annotations

from collections.abc import Iterable
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
from games.rules.diagram.paints import paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.stones import draw_holes, draw_stones
from games.rules.diagram.svg import at, element, number, points, text
from games.rules.diagram.words import words_of
from games.rules.layouts.geometry import Point, bounding_box
from games.rules.layouts.layout import UNIT
from games.rules.messages import Say, gettext_noop, say_in_english
from games.rules.seat import Seat

_MARGIN = 0.35 * UNIT
_GROUPS = {
    "star": gettext_noop("A star of {seat}: {cells}"),
    "pentahex": gettext_noop("A pentahex of {seat}: {cells}"),
}
"""The groups that a position highlights, by their kind."""


def draw(
    scene: Scene, *, names: bool = False, numbers: bool = False, say: Say = say_in_english
) -> str:
    """Return the SVG of a scene, optionally with the names of cells and the numbers of turns.

    The module `words` states where they are and which names are left out.
    A record has a caption below the board, an empty board has none.
    """
    with_caption = has_caption(scene)
    corner, width, height = frame(scene, MIN_WIDTH if with_caption else 0.0)
    total_height = height + (caption_height(scene) if with_caption else 0)
    box = [number(value) for value in (corner.real, corner.imag, width, total_height)]
    words = words_of(scene, names=names, numbers=numbers)
    title, description = _title(scene, say), _description(scene, say)
    # A page may show several diagrams, so the ids of their titles must differ.
    suffix = sha256(f"{title}\n{description}".encode("utf-8", "replace")).hexdigest()[:8]
    page = {"x": box[0], "y": box[1], "width": box[2], "height": box[3]} | paint("page")
    left, top = corner.real + _MARGIN, corner.imag + height
    caption = draw_caption(scene, left, top, width - 2 * _MARGIN, say)
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
        layers.define_patterns(),
        element("rect", page),
        *layers.draw_ground(scene),
        *layers.draw_cells(scene),
        *layers.draw_smaller(scene),
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


def draw_detail(scene: Scene, cells: Iterable[str], name: str) -> str:
    """Return an SVG of a part of the grid of this name: what lies around some cells."""
    corner, width, height = frame(scene, 0.0)
    around = [point for cell in cells for point in scene.layout.faces[cell].outline]
    start, end = bounding_box(around)
    box = start - UNIT * (1 + 1j), end - start + 2 * UNIT * (1 + 1j)
    whole = at(corner) | {"width": number(width), "height": number(height)}
    return element(
        "svg",
        {"class": "board detail", "viewBox": points(box).replace(",", " "), "aria-hidden": "true"},
        element("use", {"href": f"#{name}"} | whole),
    )


def _title(scene: Scene, say: Say) -> str:
    """Return the game, its board, and the players of a record."""
    pattern = gettext_noop("{game}, board {board}")
    board = say(pattern, game=scene.rules.name, board=scene.conditions.board)
    if not has_caption(scene):
        return board
    return f"{' – '.join(player_name(scene, seat, say=say) for seat in scene.seats)}, {board}"


def _description(scene: Scene, say: Say) -> str:
    """Return the position in words: the ply, then the stones of both seats."""
    sentences = [say(gettext_noop("{number} cells"), number=len(scene.layout.faces))]
    if scene.plies:
        sentences.append(describe_progress(scene, say))
    if handicap := describe_handicap(scene, say):
        sentences.append(handicap)
    for seat, stones in zip(Seat, scene.stones, strict=True):
        if stones:
            holdings = describe_holdings(scene, seat, say)
            seat_word = say(seat.value) if len(scene.seats) > 1 else ""
            role = ", ".join(part for part in (seat_word, holdings) if part)
            name = player_name(scene, seat, say=say)
            sentences.append(f"{name} ({role}): {' '.join(stones)}")
    for seat, groups in zip(Seat, scene.highlights.groups, strict=True):
        for group in groups:
            cells = " ".join(scene.names_of(group))
            pattern = _GROUPS[scene.highlights.kind]
            sentences.append(say(pattern, seat=say(seat.value), cells=cells))
    for chain in scene.highlights.winning:
        cells = " ".join(scene.names_of(chain))
        sentences.append(say(gettext_noop("It won: {cells}"), cells=cells))
    return ". ".join(sentences) + "."
