"""The caption below the board: which stones each player has, what they hold, what is open."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import east_asian_width

from games.rules.descriptions.scores import POINTS, describe_counts, describe_standing, list_counts
from games.rules.diagram.paints import paint
from games.rules.diagram.scene import Scene
from games.rules.diagram.svg import circle, element, number, text
from games.rules.messages import STONES, Say, count, gettext_noop, say_in_english
from games.rules.outcome import Bounds, Termination
from games.rules.seat import Seat

MIN_WIDTH = 440.0
"""The least width of a diagram with a caption."""

_LINE = 26.0
_NOTE = 22.0
_BAR = 32.0
_FOOT = 36.0
_BAR_WORDS = 80.0
_BAR_LETTER = 8.2
_BAR_GAP = 6.0
_LONGEST_NAME = 40
_MIN_BAR_WITH_NUMBER = 30.0
_PLAYER = gettext_noop("player")
_PROGRESS = gettext_noop("After turn {ply} of {plies}")
_POINTS_GIVEN = gettext_noop("Handicap: {weaker} +{number}, {stronger} -{counted}")
_BOTH_GIVEN = gettext_noop(
    "Handicap: {weaker} has {stones} before the first turn and +{number}, {stronger} -{counted}"
)
_STONES_GIVEN = gettext_noop("Handicap: {weaker} has {counted} before the first turn")


def shorten(words: str, width: int = _LONGEST_NAME) -> str:
    """Return words on one line, cut off at a width in letters; wide letters count twice."""
    line = " ".join(words.split())
    if _width(line) <= width:
        return line
    while line and _width(line) >= width:
        line = line[:-1]
    return line.rstrip() + "…"


def _width(words: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in words)


def player_name(
    scene: Scene, seat: Seat, width: int = _LONGEST_NAME, say: Say = say_in_english
) -> str:
    """Return a player's name, or the seat's, of which a solitaire has none."""
    name = shorten(scene.players[seat is Seat.SECOND], width)
    return name or say(seat.value if len(scene.seats) > 1 else _PLAYER).capitalize()


def describe_holdings(scene: Scene, seat: Seat, say: Say = say_in_english) -> str:
    """Return the sum that is the score of a seat, or what it holds; "" if nothing is counted."""
    outcome = scene.outcome
    if outcome.bounds:
        return describe_counts(outcome, seat, scene.conditions.points_for_first, say)
    return list_counts(scene.position.holdings(seat) or outcome.detail or {}, say)


def describe_progress(scene: Scene, say: Say = say_in_english) -> str:
    """Return the ply of the diagram, and the result or what is certain about it."""
    outcome = scene.outcome
    words = [say(_PROGRESS, ply=len(scene.turns), plies=scene.plies)]
    if scene.turns:
        words.append(say(gettext_noop("last {turn}"), turn=scene.turns[-1]))
    if outcome.termination:
        score = " {}-{}".format(*outcome.score) if outcome.score else ""
        words.append(f"{say(outcome.termination)}{score}")
    if winner := outcome.describe_winner(say):
        words.append(winner)
    if scene.claim:
        words.append(say(gettext_noop("claimed {result}"), result=scene.claim))
    return " · ".join(words)


def describe_handicap(scene: Scene, say: Say = say_in_english) -> str:
    """Return the handicap of the game in words; "" if there is none."""
    handicap = scene.conditions.handicap
    if handicap is None:
        return ""
    weaker, number = player_name(scene, handicap.seat, say=say), handicap.points
    stronger = player_name(scene, handicap.seat.other, say=say)
    stones = count(handicap.stone_count, STONES, say)
    points = count(number, POINTS, say)
    if not handicap.stones:
        return say(_POINTS_GIVEN, weaker=weaker, number=number, stronger=stronger, counted=points)
    if not number:
        return say(_STONES_GIVEN, weaker=weaker, counted=stones)
    return say(
        _BOTH_GIVEN, weaker=weaker, stones=stones, number=number, stronger=stronger, counted=points
    )


def caption_height(scene: Scene) -> float:
    """Return the height of the caption."""
    lines = scene.rules.players * _seat_height(scene)
    notes = _NOTE if scene.conditions.handicap else 0.0
    return lines + notes + (_BAR if scene.outcome.bounds else 0.0) + _FOOT


def _seat_height(scene: Scene) -> float:
    """Return the height of a seat: its counts have a line of their own in a game with scores."""
    return _LINE + (_NOTE if scene.outcome.bounds else 0.0)


def draw_caption(scene: Scene, left: float, top: float, width: float, say: Say) -> Iterator[str]:
    """Yield the caption in a box of this width and of `caption_height`."""
    height = _seat_height(scene)
    for line, seat in enumerate(scene.seats):
        middle = top + 18 + height * line
        place = complex(left + 10, middle)
        yield element("circle", circle(place, 9) | paint(f"stone{line + 1}"))
        if line:
            ink = {"fill": "none", "stroke-width": "1.4"}
            yield element("circle", circle(place, 6.5) | ink | paint("ring"))
        right = counts = describe_holdings(scene, seat, say)
        if scene.outcome.bounds:
            right = describe_standing(scene.outcome, seat, say)
            size = min(14.0, 14 * (width - 28) / (_BAR_LETTER * len(counts)))
            yield _draw_line(counts, left + 28, middle + 5 + _NOTE, size)
        score = f" {scene.outcome.score[line]}" if scene.outcome.score else ""
        name_width = int((width - 40 - 8 * len(right)) / 10) - len(score)
        name = player_name(scene, seat, name_width, say)
        yield _draw_line(name + score, left + 28, middle + 5, 16, bold=True)
        yield _draw_line(right, left + width, middle + 5, 14, "end")
    bottom = top + height * scene.rules.players
    if handicap := describe_handicap(scene, say):
        yield _draw_line(shorten(handicap, int(width / 7)), left, bottom + 19, 14)
        bottom += _NOTE
    if scene.outcome.bounds:
        yield from _draw_bounds(scene, scene.outcome.bounds, left, bottom + 10, width, say)
        bottom += _BAR
    yield _draw_line(shorten(describe_progress(scene, say), int(width / 7)), left, bottom + 24, 14)


def _draw_line(
    words: str,
    x: float,
    y: float,
    size: float,
    anchor: str = "start",
    *,
    bold: bool = False,
    use: str = "label",
) -> str:
    place = {"x": number(x), "y": number(y), "font-size": number(size), "text-anchor": anchor}
    weight = {"font-weight": "bold"} if bold else {}
    return element("text", place | weight | paint(use), text(words)) if words else ""


def _draw_bounds(
    scene: Scene, bounds: Bounds, left: float, top: float, full_width: float, say: Say
) -> Iterator[str]:
    """Yield a bar with the certain points of the first seat on the left, the second on the right.

    The points between are open, or tinted by seat as agreed; the notch in the middle is half of all
    points. The words on the right state how many points are open, or how the game ended.
    """
    (least, most), (second_least, _) = bounds
    termination = scene.outcome.termination
    state = say(gettext_noop("open: {number}"), number=most - least)
    if termination:
        state = say(termination)
    width = full_width - max(_BAR_WORDS, _BAR_LETTER * len(state) + _BAR_GAP)
    span = max(most + second_least, 1)
    ends = [width * min(max(certain, 0), span) / span for certain in (least, second_least)]
    yield _draw_bar(left, top, width, "peri")
    if scene.outcome.termination is Termination.AGREED and scene.outcome.score:
        agreed = scene.outcome.score[0]
        border = width * min(max(agreed, 0), span) / span
        yield _draw_bar(left, top, border, "tint1")
        yield _draw_bar(left + border, top, width - border, "tint2")
    yield _draw_bar(left, top, ends[0], "stone1")
    yield _draw_bar(left + width - ends[1], top, ends[1], "stone2")
    notch = f"M{number(left + width / 2)},{number(top - 4)}v26"
    yield element("path", {"d": notch, "stroke-width": "2"} | paint("line"))
    yield _draw_line(state, left + full_width, top + 14, 14, "end")
    for certain, end, x, anchor, use in (
        (least, ends[0], left + 6, "start", "on1"),
        (second_least, ends[1], left + width - 6, "end", "on2"),
    ):
        if end > _MIN_BAR_WITH_NUMBER:
            yield _draw_line(str(certain), x, top + 13, 12, anchor, use=use)


def _draw_bar(left: float, top: float, width: float, use: str) -> str:
    box = {"x": number(left), "y": number(top), "width": number(width), "height": "18"}
    return element("rect", box | paint(use)) if width > 0 else ""
