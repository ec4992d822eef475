"""The files that a command reads; a file that cannot be used ends the command with status 2."""

from collections.abc import Callable, Iterator
from itertools import dropwhile
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import CommandError

from games.core.errors import BadRequest
from games.core.uploads.csv import list_text, parse_rows, read_heading
from games.core.uploads.encodings import decode_utf8
from ratings.systems.file_rows import BadFile, CellError, Row, Rows

T = TypeVar("T")


def read_bytes(path: Path) -> bytes:
    """Return the content of a file; raises CommandError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unusable(path, str(error.strerror)) from None


def parse_file(path: Path, read: Callable[[Rows], T]) -> T:
    """Return what `read` makes of the rows of a file; raises CommandError."""
    try:
        return read(rows_of_file(read_bytes(path)))
    except BadFile as error:
        raise unusable(path, *str(error).splitlines()) from None


def rows_of_file(content: bytes) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a list: CSV in UTF-8 or UTF-16, or the first sheet of a workbook.

    Raises BadFile with the line that is not text or not CSV.
    """
    try:
        text = list_text(content, decode_utf8)
        text, _, delimiter = read_heading(text)
        rows = parse_rows(text, delimiter=delimiter)
        yield from dropwhile(lambda numbered: not any(map(str.strip, numbered[1])), rows)
    except BadRequest as error:
        found: dict[str, Any] = {"line": 1, "detail": error.detail}
        found |= error.errors[0] if error.errors else {}
        raise BadFile([CellError(found["line"], "", found["detail"])]) from None


def unusable(path: Path, *lines: str) -> CommandError:
    """Return the error of a file that cannot be used, with the path before each line."""
    return CommandError("\n".join(f"{path}: {line}" for line in lines), returncode=2)
