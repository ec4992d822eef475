"""Writing a record as text, so that reading it again gives the same record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.rules.records.notation import ENDINGS, Comment

LINE_WIDTH = 80


def write_text(
    tags: Mapping[str, str], moves: Sequence[str], result: str | None, comments: Sequence[Comment]
) -> str:
    """Return the text of a record: the tags, an empty line, the moves in lines of 80."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    lines.append("")
    line = ""
    for piece in _pieces(moves, result, comments):
        if line and len(line) + 1 + len(piece) > LINE_WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {piece}" if line else piece
        if piece.startswith(";"):
            lines.append(line)
            line = ""
    if line:
        lines.append(line)
    return "\n".join(lines) + "\n"


def _pieces(moves: Sequence[str], result: str | None, comments: Sequence[Comment]) -> Iterator[str]:
    """Yield move numbers, words and comments as they stand in the text."""
    words = [*moves, result] if result is not None else list(moves)
    waiting = list(reversed(comments))
    for count, word in enumerate(words):
        while waiting and waiting[-1].after <= count:
            yield str(waiting.pop())
        is_turn = count < len(moves) and word not in ENDINGS
        yield f"{count // 2 + 1}. {word}" if is_turn and count % 2 == 0 else word
    while waiting:
        yield str(waiting.pop())


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
