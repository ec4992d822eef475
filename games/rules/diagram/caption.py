"""What stands below the board: who plays which stones, what they hold, what is still open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from unicodedata import east_asian_width

from games.rules.diagram.paints import paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.svg import circle, element, number, text
from games.rules.position import Bounds
from games.rules.records.verdict import Verdict
from games.rules.seat import Seat

WIDTH = 440.0
"""The least width of a picture with a caption."""

_LINE = 26.0
_BAR = 32.0
_FOOT = 36.0
_LONGEST_NAME = 40
_ROOM = 30.0
_SINGULAR = {
    "peries": "peri",
    "quarks": "quark",
    "stars": "star",
    "stones": "stone",
    "touches": "touch",
}


def shortened(words: str, room: int = _LONGEST_NAME) -> str:
    """Return words on one line, cut off beyond so many letters; wide ones count twice."""
    line = " ".join(words.split())
    if _breadth(line) <= room:
        return line
    while line and _breadth(line) >= room:
        line = line[:-1]
    return line.rstrip() + "…"


def _breadth(words: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in words)


def player(scene: Scene, seat: Seat, room: int = _LONGEST_NAME) -> str:
    """Return a player's name, or the seat's."""
    return shortened(scene.players[seat is Seat.SECOND], room) or seat.value.capitalize()


def holdings(scene: Scene, seat: Seat) -> str:
    """Return what stands for a seat, `27 peries, 3 quarks, 6 stars`; "" where nothing counts."""
    detail = scene.outcome.detail or {}
    own = detail.get(seat.value, detail)
    if not isinstance(own, Mapping):
        return ""
    return ", ".join(
        f"{count} {_SINGULAR.get(name, name) if count == 1 else name}"
        for name, count in own.items()
    )


def standing(scene: Scene) -> str:
    """Return where the record stands, and how it ended there or what is certain."""
    outcome = scene.outcome
    words = [f"After ply {len(scene.turns)} of {scene.plies}"]
    if scene.turns:
        words.append(f"last {scene.turns[-1]}")
    if outcome.termination:
        score = " {}-{}".format(*outcome.score) if outcome.score else ""
        words.append(f"{outcome.termination}{score}")
    if outcome.winner:
        words.append(f"{outcome.winner} wins")
    elif outcome.draw:
        words.append("a draw")
    elif outcome.winner_decided:
        words.append(f"{outcome.winner_decided} is certain to win")
    if isinstance(outcome, Verdict) and outcome.claim:
        words.append(f"claimed {outcome.claim}")
    return " · ".join(words)


def height(scene: Scene) -> float:
    """Return how high the caption is."""
    lines = scene.rules.players * _LINE
    return lines + (_BAR if scene.outcome.bounds else 0.0) + _FOOT


def caption(scene: Scene, left: float, top: float, width: float) -> Iterator[str]:
    """Yield the caption in a box of that width and of its `height`."""
    for line, seat in enumerate(list(Seat)[: scene.rules.players]):
        middle = top + 18 + _LINE * line
        place = complex(left + 10, middle)
        yield element("circle", circle(place, 9) | paint(f"stone{line + 1}"))
        if line:
            ink = {"fill": "none", "stroke-width": "1.4"}
            yield element("circle", circle(place, 6.5) | ink | paint("ring"))
        held = holdings(scene, seat)
        score = f" {scene.outcome.score[line]}" if scene.outcome.score else ""
        room = int((width - 40 - 8 * len(held)) / 10) - len(score)
        yield _line(player(scene, seat, room) + score, left + 28, middle + 5, 16, bold=True)
        yield _line(held, left + width, middle + 5, 14, "end")
    bottom = top + _LINE * scene.rules.players
    if scene.outcome.bounds:
        yield from _bounds_bar(scene.outcome.bounds, left, bottom + 10, width)
        bottom += _BAR
    yield _line(shortened(standing(scene), int(width / 7)), left, bottom + 24, 14)


def _line(
    words: str,
    x: float,
    y: float,
    size: int,
    anchor: str = "start",
    *,
    bold: bool = False,
    use: str = "label",
) -> str:
    place = {"x": number(x), "y": number(y), "font-size": str(size), "text-anchor": anchor}
    weight = {"font-weight": "bold"} if bold else {}
    return element("text", place | weight | paint(use), text(words)) if words else ""


def _bounds_bar(bounds: Bounds, left: float, top: float, width: float) -> Iterator[str]:
    """Yield a bar: from the left what the first seat is sure of, from the right the second.

    What lies between is open; the notch in the middle is half of all points.
    """
    (least, most), (second_least, _) = bounds
    span = max(most + second_least, 1)
    ends = [width * min(max(sure, 0), span) / span for sure in (least, second_least)]
    yield _bar(left, top, width, "peri")
    yield _bar(left, top, ends[0], "stone1")
    yield _bar(left + width - ends[1], top, ends[1], "stone2")
    notch = f"M{number(left + width / 2)},{number(top - 4)}v26"
    yield element("path", {"d": notch, "stroke-width": "2"} | paint("line"))
    if most > least:
        yield _line(f"open: {most - least}", left + width / 2 + 6, top + 13, 12)
    for sure, end, x, anchor, use in (
        (least, ends[0], left + 6, "start", "on1"),
        (second_least, ends[1], left + width - 6, "end", "on2"),
    ):
        if end > _ROOM:
            yield _line(str(sure), x, top + 13, 12, anchor, use=use)


def _bar(left: float, top: float, width: float, use: str) -> str:
    box = {"x": number(left), "y": number(top), "width": number(width), "height": "18"}
    return element("rect", box | paint(use)) if width > 0 else ""
