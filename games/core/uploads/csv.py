"""CSV, read and written: the only module that knows its dialects and its formulas.

Read: a text becomes rows, separated by commas, semicolons, tabs or bars, or by what a first line
`sep=;` names; LF, CRLF or CR. Write: UTF-8, commas, LF, quotes only where needed.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from games.core.errors import BadRequest
from games.core.uploads.encodings import decode_text, unreadable
from games.core.uploads.workbook import UnreadableWorkbook, is_workbook, read_workbook
from games.rules.text import Text

DELIMITERS: Final = ",;\t|"
FORMULA_PREFIXES = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r")
"""The characters that begin a formula in a spreadsheet, the first four also full-width."""
LINE_END = re.compile(r"\r\n|\r|\n")
SEPARATOR_LINE: Final = re.compile(
    r"\A\s*\"?sep=(\t|[^\s\w\"])\"?[\s;,]*?(?=[\r\n])", re.IGNORECASE
)
"""A first line that names the delimiter of the columns, as spreadsheets write it."""


def escape_formula(text: str) -> str:
    """Return text that no spreadsheet runs: an apostrophe precedes a formula.

    Text that is already escaped gets another apostrophe, so `unescape_formula` is the inverse. A
    carriage return elsewhere becomes a space, because readers of CSV disagree about it.
    """
    escaped = f"'{text}" if _is_formula(text) else text
    return escaped.replace("\r", " ")


def unescape_formula(text: str) -> str:
    """Return what `escape_formula` escaped: `'=SUM(A1)` becomes `=SUM(A1)`."""
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    return text.lstrip("'").startswith(FORMULA_PREFIXES)


def write_csv(
    rows: Iterable[Sequence[object]], *, delimiter: str = ",", byte_order_mark: bool = False
) -> str:
    """Return rows as CSV; escape text from users with `escape_formula` first."""
    output = io.StringIO()
    csv.writer(output, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return ("\ufeff" if byte_order_mark else "") + output.getvalue()


def list_text(content: bytes, decode: Callable[[bytes], str] = decode_text) -> str:
    """Return the text of a list: that of the file, or the first sheet of a workbook as CSV.

    The line of an error is then the row of the sheet. Raises BadRequest, and what `decode` raises.
    """
    if content.startswith(b"%PDF-"):
        detail = Text(
            "the file is a PDF, a picture of a list; export the list as CSV or as a workbook"
        )
        raise BadRequest("unreadable_csv", detail)
    if not is_workbook(content):
        return decode(content)
    try:
        rows = read_workbook(content)
    except UnreadableWorkbook as error:
        detail = Text(
            "the workbook cannot be read: it is damaged, protected by a password or too large; "
            "save the sheet as CSV"
        )
        raise BadRequest("unreadable_workbook", detail) from error
    return write_csv([[" ".join(value.split()) for value in row] for row in rows])


def read_heading(text: str) -> tuple[str, str, str]:
    """Return a list, its first line that is not empty, and the delimiter of its columns.

    The first line names the columns. One before it that names the delimiter, as spreadsheets read
    it (`sep=;`), becomes empty, so that the others keep their numbers.
    """
    separator = SEPARATOR_LINE.match(text)
    text = text[separator.end() :] if separator else text
    first_line = next((line for line in LINE_END.split(text) if line.strip()), "")
    delimiter = separator[1] if separator else max(DELIMITERS, key=first_line.count)
    return text, first_line, delimiter


def parse_rows(text: str, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a text, each with the number of its first line, counted from 1.

    Raises BadRequest, with the line, where the text is not CSV.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for values in reader:
            yield line, values
            line = reader.line_num + 1
    except csv.Error as error:
        detail = Text("not CSV: %(reason)s", reason=error)
        raise unreadable("unreadable_csv", line, detail) from error
