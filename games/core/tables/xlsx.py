"""A document as a workbook, whose numbers and dates can be computed with.

The first sheet has the table, a second one the notes, if there are any.

Text is always text, so that no name is a formula or a link. A row is written as soon as it is read:
the memory does not grow with the table. The same document gives the same bytes.
"""

import io
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from xlsxwriter import Workbook

from games.core.errors import Unprocessable
from games.core.tables.table import (
    CellType,
    Column,
    ColumnKind,
    Context,
    DocumentRenderer,
    TableDocument,
)
from games.rules.text import Text

MOST_ROWS: Final = 1_048_575
"""Below the header; a sheet has 2 ** 20."""

LONGEST: Final = 32_767
"""Characters of a cell."""

WIDEST: Final = 60
NUMBER: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]+)?(e-[0-9]{1,3})?")
CREATED: Final = datetime(2000, 1, 1)
OPTIONS: Final = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


class XlsxRenderer(DocumentRenderer):
    """Render the columns of the layout `csv`, with a bold header that stays in view."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    format = "xlsx"
    charset = None
    render_style = "binary"

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> bytes:
        """Return the workbook; raises Unprocessable for more rows than a sheet has."""
        columns, rows = data.select(data.csv)
        file = io.BytesIO()
        with Workbook(file, OPTIONS) as workbook:
            workbook.set_properties({"created": CREATED})
            sheet = workbook.add_worksheet()
            sheet.freeze_panes(1, 0)
            bold = workbook.add_format({"bold": True})
            writers = [_writer_of(column, workbook, sheet) for column in columns]
            widths = [len(column.name) for column in columns]
            for place, column in enumerate(columns):
                sheet.write_string(0, place, column.name, bold)
            for line, row in enumerate(rows, start=1):
                if line > MOST_ROWS:
                    detail = Text(
                        "a sheet has at most %(most)s rows; csv and ndjson have no limit",
                        most=MOST_ROWS,
                    )
                    raise Unprocessable("too_many_rows", detail)
                for place, (write, cell) in enumerate(zip(writers, row, strict=True)):
                    text = str(cell)[:LONGEST]
                    if text:
                        write(line, place, text)
                        widths[place] = max(widths[place], len(text))
            for place, width in enumerate(widths):
                sheet.set_column(place, place, min(width, WIDEST) + 2)
            if notes := [note for note in (data.explanation, *data.notes) if note]:
                page = workbook.add_worksheet("Notes")
                for line, note in enumerate(notes):
                    page.write_string(line, 0, note[:LONGEST])
        return file.getvalue()


WriteCell = Callable[[int, int, str], Any]


def _writer_of(column: Column, workbook: Any, sheet: Any) -> WriteCell:
    """Return what writes the texts of a column in its type."""
    if column.cell_type is CellType.DATE:
        day = workbook.add_format({"num_format": "yyyy-mm-dd"})
        time = workbook.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})

        def write_date(line: int, place: int, text: str) -> None:
            at = datetime.fromisoformat(text).replace(tzinfo=None)
            sheet.write_datetime(line, place, at, time if "T" in text else day)

        return write_date
    if column.cell_type is CellType.CODE or column.kind is not ColumnKind.NUMBER:
        write_text: WriteCell = sheet.write_string
        return write_text

    def write_number(line: int, place: int, text: str) -> None:
        if NUMBER.fullmatch(text):
            sheet.write_number(line, place, float(text))
        else:
            sheet.write_string(line, place, text)

    return write_number
