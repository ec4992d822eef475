"""Positions from their text pictures: the inverse of `str(position)`.

A picture is the tags of the conditions, an empty line, the values that the stones do not show
(`ply 12`, `first x`, one a line), and the board line by line: `x` for the colour that moves first,
`o` for the other, a dot for an empty cell. Blanks between cells are ignored; the labels at the left
are not.
"""

from __future__ import annotations

from games.rules.boards.lines import BLACK, EMPTY_MARK, WHITE, TextLine
from games.rules.errors import UnreadableRecord
from games.rules.position import Position
from games.rules.records.notation import RecordText
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game
from games.rules.text import Text

MOST_PICTURE_PLIES = 10_000


def parse_position(text: str) -> Position:
    """Return the position that a picture shows; raise a RecordError if it is not a picture."""
    tags, _, rest = text.strip("\n").partition("\n\n")
    conditions = read_conditions(RecordText(tags).tags)
    start = find_game(conditions.game).start(conditions)
    board_lines = start.board.lines
    lines = rest.split("\n")
    cut = len(lines) - len(board_lines)
    if cut < 0:
        raise UnreadableRecord(Text("this board has %(count)s lines", count=len(board_lines)))
    state = dict(line.partition(" ")[::2] for line in lines[:cut])
    stones = {BLACK: 0, WHITE: 0}
    for line, drawn in zip(board_lines, lines[cut:], strict=True):
        for cell, sign in zip(line.cells, _signs(line, drawn), strict=True):
            if sign != EMPTY_MARK:
                stones[sign] |= 1 << cell
    try:
        position = start.with_picture(stones, state)
    except (KeyError, ValueError) as error:
        raise UnreadableRecord(
            Text("the picture lacks or misstates %(names)s", names=error)
        ) from error
    if not 0 <= position.plies <= MOST_PICTURE_PLIES:
        raise UnreadableRecord(Text("a ply is a number up to %(most)s", most=MOST_PICTURE_PLIES))
    return position


def _signs(line: TextLine, drawn: str) -> str:
    label, _, cells = drawn.strip().partition(" ")
    signs = "".join(cells.split())
    if (
        label != line.label
        or len(signs) != len(line.cells)
        or set(signs) - {BLACK, WHITE, EMPTY_MARK}
    ):
        raise UnreadableRecord(
            Text(
                "line %(line)s of the board has %(count)s cells",
                line=line.label,
                count=len(line.cells),
            )
        )
    return signs
