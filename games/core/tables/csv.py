"""A document as CSV with stable columns; text is escaped so that no spreadsheet runs it."""

from games.core.tables.table import ColumnKind, Context, DocumentRenderer, TableDocument
from games.core.uploads.csv import escape_formula, write_csv


class CsvRenderer(DocumentRenderer):
    """Render the columns of the layout `csv`, with a byte order mark if the context asks for it."""

    media_type = "text/csv"
    format = "csv"

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        columns, rows = data.select(data.csv)
        header = [column.name for column in columns]
        is_number = [column.kind is ColumnKind.NUMBER for column in columns]
        lines = (
            [
                cell if is_safe else escape_formula(str(cell))
                for cell, is_safe in zip(row, is_number, strict=True)
            ]
            for row in rows
        )
        has_mark = bool((context or {}).get("byte_order_mark"))
        return write_csv([header, *lines], byte_order_mark=has_mark)
