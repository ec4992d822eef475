"""The words on a board: the names of cells and the numbers of turns, and where they are readable.

- No word is smaller than `MIN_SIZE`, however small the cells are.
- A stone that is too small for a number and a name has its number only.
- The name of a hole is below it. If a link or another name is there, it is to the right of the
  hole, to its left or above it; if all four places are taken the name is left out.
- The stroke of a move is interrupted where it would cross a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.rules.diagram.scene import Scene
from games.rules.layouts.geometry import Box, Point, Segment, part_inside
from games.rules.layouts.layout import UNIT

MIN_SIZE = 9.0
"""The least height of a line of text on a cell."""

_MIN_STONE_FOR_BOTH = 14.0
_LETTER_WIDTH = 0.72
_CAPITAL_HEIGHT = 0.74
_LINK_DISTANCE = 7.0
_TRAIL_DISTANCE = 3.0
_SHORTEST_PIECE = 2.0


@dataclass(frozen=True, slots=True)
class Word:
    """A word on a cell; `place` is the middle of its base line, `use` its paint.

    A word on a hatched cell or over the ring of a stone needs an `outline` of this paint.
    """

    text: str
    place: Point
    size: float
    use: str
    outline: str = ""

    @property
    def box(self) -> Box:
        """The corners of the area that the word takes at most."""
        half = len(self.text) * self.size * _LETTER_WIDTH / 2
        return self.place - half - 1j * self.size * _CAPITAL_HEIGHT, self.place + half


def words_of(scene: Scene, *, names: bool, numbers: bool) -> list[Word]:
    """Return the words on all cells, with the names of cells and the numbers of turns.

    The cells that a lesson speaks of are always named.
    """
    first, second = map(set, scene.stones)
    links = list(scene.links())
    hatched = set(scene.names_of(scene.highlights.hatched))
    words: list[Word] = []
    for name, face in scene.layout.faces.items():
        turn = scene.placed_at.get(name) if numbers else None
        is_named = names or name in scene.lit
        size = (0.7 if names else 0.95) * scene.layout.stone
        if name in first or name in second:
            use = "on1" if name in first else "on2"
            words += _words_on_stone(scene, name if is_named else "", turn, face.centre, use, size)
        elif is_named and scene.layout.hole:
            words += _name_beside_hole(name, face.centre, links, words)
        elif is_named:
            outline = "rim" if name in hatched else ""
            words.append(_centred(name, face.centre, size, "name", outline))
    return words


def _centred(text: str, centre: Point, size: float, use: str, outline: str = "") -> Word:
    """Return a word in the middle of a cell."""
    size = max(MIN_SIZE, size)
    return Word(text, centre + 0.36j * size, size, use, outline)


def _words_on_stone(
    scene: Scene, name: str, turn: int | None, centre: Point, use: str, size: float
) -> Iterator[Word]:
    """Yield the name of a stone's cell unless it is "", and the number of its turn if known.

    `size` is that of a name alone.
    """
    stone = scene.layout.stone
    outline = "edge2" if use == "on2" else ""
    if turn is None:
        if name:
            yield _centred(name, centre, size, use, outline)
    elif name and stone >= _MIN_STONE_FOR_BOTH:
        size = (0.66 if turn < 100 else 0.6) * stone
        yield Word(str(turn), centre - 0.08j * stone, max(MIN_SIZE, size), use)
        yield Word(name, centre + 0.55j * stone, MIN_SIZE, use)
    else:
        yield _centred(str(turn), centre, (0.9 if turn < 100 else 0.76) * stone, use, outline)


def _name_beside_hole(
    name: str, centre: Point, links: Iterable[Segment], words: Iterable[Word]
) -> Iterator[Word]:
    """Yield the name of a hole at the first place without a link or a word, if there is any."""
    height = MIN_SIZE * _CAPITAL_HEIGHT
    distance = 0.42 * UNIT
    near = [link for link in links if abs(sum(link) / 2 - centre) < 2.5 * UNIT]
    boxes = [word.box for word in words if abs(word.place - centre) < 1.5 * UNIT]
    aside = 0.38 * UNIT
    for step in (
        1j * distance,
        aside + 0.5j * height,
        -aside + 0.5j * height,
        1j * (height - distance),
    ):
        word = Word(name, centre + step, MIN_SIZE, "name")
        if not any(_overlap(word.box, box) for box in boxes) and not any(
            part_inside(link, _widened(word.box, _LINK_DISTANCE)) for link in near
        ):
            yield word
            return


def uncrossing(trail: Segment, words: Iterable[Word]) -> list[Segment]:
    """Return the pieces of the stroke of a move that do not cross words."""
    start, end = trail
    crossed = sorted(
        part for word in words if (part := part_inside(trail, _widened(word.box, _TRAIL_DISTANCE)))
    )
    pieces = []
    done = 0.0
    for enter, leave in (*crossed, (1.0, 1.0)):
        if (enter - done) * abs(end - start) > _SHORTEST_PIECE:
            pieces.append((start + done * (end - start), start + enter * (end - start)))
        done = max(done, leave)
    return pieces


def _overlap(box: Box, other: Box) -> bool:
    (start, end), (left, right) = box, other
    return (
        start.real < right.real
        and left.real < end.real
        and start.imag < right.imag
        and left.imag < end.imag
    )


def _widened(box: Box, distance: float) -> Box:
    corner, opposite = box
    return corner - distance * (1 + 1j), opposite + distance * (1 + 1j)
