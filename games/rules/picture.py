"""Reading positions from their pictures: the other way of `str(position)`.

A picture is the tags of the conditions, an empty line, what the stones do not show (`ply 12`,
`first x`, one a line), and the board line by line, `x` for the colour that moves first, `o` for
the other, a dot for an empty cell. Blanks between cells mean nothing when read; the labels at the
left do.
"""

from __future__ import annotations

from games.rules import find_game
from games.rules.boards.lines import BLACK, EMPTY, WHITE, Line
from games.rules.errors import Unreadable
from games.rules.position import Position
from games.rules.records.notation import RecordText
from games.rules.records.tags import read_conditions

MOST_PLIES = 10_000


def parse_position(text: str) -> Position:
    """Return the position of a picture; raises a RecordError when it is none."""
    tags, _, rest = text.strip("\n").partition("\n\n")
    conditions = read_conditions(RecordText(tags).tags)
    start = find_game(conditions.game).start(conditions)
    lines = rest.split("\n")
    cut = len(lines) - len(start.lines)
    if cut < 0:
        raise Unreadable(f"this board has {len(start.lines)} lines")
    state = dict(line.partition(" ")[::2] for line in lines[:cut])
    stones = {BLACK: 0, WHITE: 0}
    for line, drawn in zip(start.lines, lines[cut:], strict=True):
        for cell, sign in zip(line.cells, _signs(line, drawn), strict=True):
            if sign != EMPTY:
                stones[sign] |= 1 << cell
    try:
        position = start.pictured(stones, state)
    except (KeyError, ValueError) as error:
        raise Unreadable(f"the picture lacks or misstates {error}") from error
    if not 0 <= position.plies <= MOST_PLIES:
        raise Unreadable(f"a ply is a number up to {MOST_PLIES}")
    return position


def _signs(line: Line, drawn: str) -> str:
    label, _, cells = drawn.strip().partition(" ")
    signs = "".join(cells.split())
    if label != line.label or len(signs) != len(line.cells) or set(signs) - {BLACK, WHITE, EMPTY}:
        raise Unreadable(f"line {line.label} of the board shows {len(line.cells)} cells")
    return signs
