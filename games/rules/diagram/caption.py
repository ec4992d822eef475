"""What stands below the board: who plays which stones, what they hold, what is still open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.rules.diagram.paints import paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.svg import element, number, text
from games.rules.position import Bounds, Outcome, Seat

_HEIGHT = 88.0
_BAR_HEIGHT = 28.0
WIDTH = 440.0
_LONGEST_NAME = 40
_ROOM = 30.0
_SEATS = (Seat.FIRST, Seat.SECOND)


def shortened(words: str, longest: int = _LONGEST_NAME) -> str:
    """Return words on one line, cut off where they are too long."""
    line = " ".join(words.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def player(scene: Scene, seat: Seat) -> str:
    """Return a player's name, or the seat's."""
    return shortened(scene.players[seat is Seat.SECOND]) or seat.value.capitalize()


def holdings(outcome: Outcome, seat: Seat) -> str:
    """Return what a score of that seat is made of, `27 peries, 3 quarks, 6 stars`."""
    detail = (outcome.detail or {}).get(seat.value)
    if not isinstance(detail, Mapping):
        return ""
    return ", ".join(
        f"{count} {name if count != 1 else _SINGULAR.get(name, name)}"
        for name, count in detail.items()
    )


_SINGULAR = {"peries": "peri", "quarks": "quark", "stars": "star", "touches": "touch"}


def standing(scene: Scene, outcome: Outcome) -> str:
    """Return where the record stands, how it ended and how it was going."""
    words = [f"after ply {len(scene.turns)} of {scene.plies}"]
    if scene.turns:
        words.append(f"last {shortened(scene.turns[-1])}")
    if outcome.termination:
        words.append(outcome.termination.value)
        words.append(f"{outcome.winner.value} wins" if outcome.winner else "nobody wins")
    if scene.ending:
        words.append(shortened(scene.ending))
    return " · ".join(words)


def height(outcome: Outcome) -> float:
    """Return how high the caption is."""
    return _HEIGHT + (_BAR_HEIGHT if outcome.bounds else 0.0)


def caption(scene: Scene, outcome: Outcome, left: float, top: float, width: float) -> Iterator[str]:
    """Yield the caption in a box of that width and of its `height`."""
    for line, seat in enumerate(_SEATS):
        middle = top + 18 + 26 * line
        disc = {"cx": number(left + 10), "cy": number(middle)}
        yield element("circle", disc | {"r": "9"} | paint(f"stone{line + 1}"))
        if line:
            ink = {"fill": "none", "stroke-width": "1.4"}
            yield element("circle", disc | {"r": "6.5"} | ink | paint("ring"))
        score = f"  {outcome.score[line]}" if outcome.score else ""
        yield _line(player(scene, seat) + score, left + 28, middle + 5, 16, "start", bold=True)
        yield _line(holdings(outcome, seat), left + width, middle + 5, 14, "end")
    bottom = top + 80
    if outcome.bounds:
        bottom += _BAR_HEIGHT
        yield from _bounds_bar(outcome.bounds, left, top + 62, width)
    yield _line(standing(scene, outcome), left, bottom, 14, "start")


def _line(
    words: str,
    x: float,
    y: float,
    size: int,
    anchor: str,
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
        yield _line(f"open: {most - least}", left + width / 2 + 6, top + 13, 12, "start")
    for sure, end, x, anchor, use in (
        (least, ends[0], left + 6, "start", "on1"),
        (second_least, ends[1], left + width - 6, "end", "on2"),
    ):
        if end > _ROOM:
            yield _line(str(sure), x, top + 13, 12, anchor, use=use)


def _bar(left: float, top: float, width: float, use: str) -> str:
    box = {"x": number(left), "y": number(top), "width": number(width), "height": "18"}
    return element("rect", box | paint(use)) if width > 0 else ""
