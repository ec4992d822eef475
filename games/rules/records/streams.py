"""Many records, one after the other, from a text or a stream.

A record starts at the first tag, or at the first tag after moves or a result; a tag inside a
comment does not count. Games in SGF and links, each at the start of a line, are records too. At
most one record is held in memory, however long the stream is. A record that is too long ends the
reading, because the start of the next one is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import TextIO

from games.rules.errors import RecordError
from games.rules.records.foreign.reader import is_foreign, is_game
from games.rules.records.foreign.tree import GameEnd
from games.rules.records.notation import BYTE_ORDER_MARK, LONGEST_RECORD, TAG_LINE, WHITE_SPACE
from games.rules.records.record import Record
from games.rules.records.verdict import Verdict

_COMMENT_START = re.compile("[{;]")


def parse_records(source: str | TextIO) -> Iterator[Record | RecordError]:
    """Yield the records of a text or a stream in order, an error in place of an unreadable one.

    A source without a record gives one error. Exceptions of the stream are passed on.
    """
    for text, first_line in split_records(source):
        try:
            yield Record.parse(text, first_line=first_line)
        except RecordError as error:
            yield error


def judge_records(source: str | TextIO) -> Iterator[Verdict]:
    """Yield a verdict for each record of a text or a stream; never raise a RecordError."""
    for record in parse_records(source):
        yield judge(record)


def judge(record: Record | RecordError | str | object) -> Verdict:
    """Return the verdict on a record, its error, its text or its decoded JSON, valid or not."""
    try:
        if isinstance(record, RecordError):
            raise record
        if isinstance(record, str):
            record = Record.parse(record)
        elif not isinstance(record, Record):
            record = Record.from_json(record)
        return record.replay()
    except RecordError as error:
        return Verdict(errors=(error,))


def split_records(source: str | TextIO) -> Iterator[tuple[str, int]]:
    """Yield the text of each record with the number of its first line.

    A record longer than the limit is cut off there and ends the stream. A source without a record
    is yielded once, as it is.
    """
    stream = StringIO(source) if isinstance(source, str) else source
    lines: list[str] = []
    first_line = number = 1
    size = 0
    has_moves = in_comment = has_record = False
    rest_of_line = ""
    while line := rest_of_line or stream.readline(LONGEST_RECORD + 1):
        rest_of_line = ""
        # The byte order mark stays in the text, where a second one is an error.
        content = line.lstrip(BYTE_ORDER_MARK) if number == 1 else line
        if not in_comment and is_foreign(content):
            if _has_content(lines):
                yield "".join(lines), first_line
            text, rest_of_line = _take_foreign(line, stream)
            yield text, number
            if len(text) > LONGEST_RECORD:
                return
            number += text.count("\n")
            lines, size, has_moves, first_line, has_record = [], 0, False, number, True
            continue
        if not in_comment and content.lstrip(" \t").startswith("["):
            if has_moves:
                yield "".join(lines), first_line
                lines, size, has_moves, first_line = [], 0, False, number
            tag = TAG_LINE.match(content)
            rest = content[tag.end() :] if tag else ""
        else:
            rest = content
        # Once there are moves, further plain moves change nothing.
        if in_comment or "{" in rest or not (has_moves or not rest.strip(WHITE_SPACE)):
            are_moves, in_comment = _scan(rest, in_comment=in_comment)
            has_moves = has_moves or are_moves
        lines.append(line)
        size += len(line)
        if size > LONGEST_RECORD:
            break
        number += line.endswith("\n")
    if _has_content(lines) or (not has_record and (lines or first_line == 1)):
        yield "".join(lines), first_line


def _has_content(lines: Iterable[str]) -> bool:
    """Return True if a line is not blank."""
    return any(line.strip(WHITE_SPACE) for line in lines)


def _take_foreign(line: str, stream: TextIO) -> tuple[str, str]:
    """Return the text of a link, or of a game in SGF, and the rest of its last line."""
    if not is_game(line.lstrip(BYTE_ORDER_MARK)):
        return line, ""
    end, size = GameEnd(), 0
    lines: list[str] = []
    while line and size <= LONGEST_RECORD:
        offset = end.find(line)
        if offset is not None and _has_content([line[offset:]]):
            return "".join(lines) + line[:offset], line[offset:]
        lines.append(line)
        size += len(line)
        line = "" if offset is not None else stream.readline(LONGEST_RECORD + 1)
    return "".join(lines), ""


def _scan(line: str, *, in_comment: bool) -> tuple[bool, bool]:
    """Return whether a line has content other than comments, and whether it ends in a comment."""
    has_content = False
    offset = 0
    while True:
        if in_comment:
            offset = line.find("}", offset) + 1
            if not offset:
                return has_content, True
            in_comment = False
        start = _COMMENT_START.search(line, offset)
        has_content = has_content or bool(line[offset : start and start.start()].strip(WHITE_SPACE))
        if start is None or start[0] == ";":
            return has_content, False
        offset, in_comment = start.end(), True
