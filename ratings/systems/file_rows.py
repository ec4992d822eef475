"""The rows of a file: every row is used, or the file is rejected.

The first row names the columns, in any order; white space around a cell is ignored. An error names
each line (counted from 1, as in an editor) and column that cannot be used, the first twenty at
most.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from ratings.systems.elo import RatingError

MAX_ERRORS = 20
MAX_CELL_LENGTH = 200
LONGEST_CELLS = {"handicap": 400}
"""The columns with longer cells: stones can be named on a third of the board."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

T = TypeVar("T")

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


def convert_rows(rows: Rows, convert: Callable[[Row], T]) -> list[T]:
    """Return all rows converted; raises BadFile at the end, or at the 21st error."""
    found: list[T] = []
    errors: list[CellError] = []
    try:
        for line, row in rows:
            try:
                found.append(convert(row))
            except BadCell as error:
                errors.append(CellError(line, error.column, error.detail))
                if len(errors) > MAX_ERRORS:
                    break
    except BadFile as error:
        errors += error.errors
    if errors:
        raise BadFile(errors)
    return found


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
