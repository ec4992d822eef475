"""Read the first sheet of a workbook (.xlsx, .xlsm, .xlsb, .xls, .ods) as rows of text.

A workbook of some kilobytes can unpack to a table that no memory holds, and the library then ends
its process. So this file is also a program, which runs in a process of its own.
"""

import datetime
import io
import json
import subprocess
import sys
from typing import Final

from python_calamine import CalamineWorkbook, SheetVisibleEnum

from games.core.bounded import run_bounded

SIGNATURES: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
"""The first bytes of a zip archive, and of the compound files of before 2007."""
MEMORY: Final = 512 << 20
SECONDS: Final = 10
LARGEST: Final = 8 << 20
"""Characters of the rows as JSON: what the process writes is read into the memory of another."""


class UnreadableWorkbook(Exception):
    """The content is no workbook, is protected by a password, or is too large."""


def is_workbook(content: bytes) -> bool:
    """Return whether a file begins as workbooks do."""
    return content.startswith(SIGNATURES)


def read_workbook(content: bytes) -> list[list[str]]:
    """Return the rows of the first visible sheet that has some, from its first row on.

    Raises UnreadableWorkbook.
    """
    try:
        found = run_bounded(__name__, content, memory=MEMORY, seconds=SECONDS)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise UnreadableWorkbook from error
    rows: list[list[str]] = json.loads(found)
    return rows


def _rows_of(content: bytes) -> list[list[str]]:
    workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
    for sheet in workbook.sheets_metadata:
        if sheet.visible == SheetVisibleEnum.Visible:
            rows = workbook.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
            if any(value != "" for row in rows for value in row):
                return [[_text_of(value) for value in row] for row in rows]
    return []


def _text_of(value: object) -> str:
    """Return a value as a person reads it in its cell."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return str(value.date())
    return str(value)


if __name__ == "__main__":
    text = json.dumps(_rows_of(sys.stdin.buffer.read()))
    sys.exit("too large") if len(text) > LARGEST else sys.stdout.write(text)
