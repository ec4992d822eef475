"""The rows of a file: every row is used, or the file is rejected.

The first row names the columns, in any order; white space around a cell is ignored. An error names
each line (counted from 1, as in an editor) and column that cannot be used, the first twenty at
most.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ratings.systems.elo import RatingError

MAX_ERRORS = 20
MAX_CELL_LENGTH = 200
LONGEST_CELLS = {"handicap": 400}
"""The columns with longer cells: stones can be named on a third of the board."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

Row: TypeAlias = Sequence[str]
Rows: TypeAlias = Iterable[tuple[int, Row]]
"""The rows of a file with the number of their first line. It may raise BadFile."""


@dataclass(frozen=True, slots=True)
class CellError:
    """An error in a file: its line, and the name of its column unless it is of the whole line."""

    line: int
    column: str
    detail: str

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.detail}"


class BadFile(RatingError):
    """A file cannot be used; `errors` lists at most twenty of the places."""

    def __init__(self, errors: Sequence[CellError]) -> None:
        self.errors = tuple(errors[:MAX_ERRORS])
        lines = [str(error) for error in self.errors]
        if len(errors) > MAX_ERRORS:
            lines.append("and more: reading stopped here")
        super().__init__("\n".join(lines))


class BadCell(Exception):
    """A cell that cannot be used, or a whole row if there is no column."""

    def __init__(self, column: str, detail: str) -> None:
        super().__init__(detail)
        self.column = column
        self.detail = detail


def read_header(rows: Iterator[tuple[int, Row]], required: Row, optional: Row) -> list[str]:
    """Read the first row and return the names of the columns; raises BadFile."""
    header = next(rows, None)
    if header is None:
        detail = f"the file is empty; its header is {','.join(required)}"
        raise BadFile([CellError(1, "", detail)])
    names = [cell.strip() for cell in header[1]]
    known = (*required, *optional)
    errors = [
        CellError(1, name[:60] or str(number), f"no such column; valid are: {', '.join(known)}")
        for number, name in enumerate(names, start=1)
        if name not in known
    ]
    errors += [
        CellError(1, name, "is in the header twice") for name in known if names.count(name) > 1
    ]
    errors += [CellError(1, name, "is missing") for name in required if name not in names]
    if errors:
        raise BadFile(errors)
    return names


def convert_rows(rows: Rows, convert: Callable[[list[Row]], None], *, chunk_size: int) -> None:
    """Convert all rows in chunks; raises BadFile at the end, or at the 21st error.

    The rows of a chunk that raises BadCell are converted one by one, so that each error is found;
    what `convert` has stored until then is of no use, because the file is rejected.
    """
    errors: list[CellError] = []
    try:
        for chunk in _chunks(rows, chunk_size):
            try:
                convert([row for _, row in chunk])
            except BadCell:
                errors += _find_errors(chunk, convert)
            if len(errors) > MAX_ERRORS:
                break
    except BadFile as error:
        errors += error.errors
    if errors:
        raise BadFile(errors)


def _chunks(rows: Rows, size: int) -> Iterator[list[tuple[int, Row]]]:
    """Yield the rows in chunks, also those before the line for which `rows` raises BadFile."""
    chunk: list[tuple[int, Row]] = []
    try:
        for row in rows:
            chunk.append(row)
            if len(chunk) == size:
                yield chunk
                chunk = []
    except BadFile:
        yield chunk
        raise
    yield chunk


def _find_errors(
    chunk: Sequence[tuple[int, Row]], convert: Callable[[list[Row]], None]
) -> list[CellError]:
    errors: list[CellError] = []
    for line, row in chunk:
        try:
            convert([row])
        except BadCell as error:
            errors.append(CellError(line, error.column, error.detail))
            if len(errors) > MAX_ERRORS:
                break
    return errors


def check_length(row: Row, names: Sequence[str]) -> None:
    """Raise BadCell if a row has not as many cells as the header."""
    if not row:
        raise BadCell("", "is empty")
    if len(row) != len(names):
        raise BadCell("", f"has {len(row)} cells, the header has {len(names)}")


def strip_cell(column: str, cell: str) -> str:
    """Return a cell without the white space around it; raises BadCell if it is not plain text."""
    text = cell.strip()
    longest = LONGEST_CELLS.get(column, MAX_CELL_LENGTH)
    if len(text) > longest:
        raise BadCell(column, f"is longer than {longest} characters")
    if CONTROL.search(text):
        raise BadCell(column, "contains a control character or a line break")
    return text


def check_player(column: str, name: str) -> str:
    """Return the name of a player; raises BadCell if it is empty."""
    if not name:
        raise BadCell(column, "names no player")
    return name
