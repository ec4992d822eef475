"""A document as aligned plain text, for a terminal."""

from games.core.tables.table import ColumnKind, TableDocument
from games.core.tables.text import printable
from games.documents.renderers.base import Context, DocumentRenderer


class TextRenderer(DocumentRenderer):
    """Render the columns of the layout `csv`, aligned by spaces."""

    media_type = "text/plain"
    format = "txt"

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        """Return a line of column names and a line for each row."""
        columns, rows = data.select(data.csv)
        lines = [[column.name for column in columns]]
        lines += [[printable(str(cell)) for cell in row] for row in rows]
        widths = [max(map(len, texts)) for texts in zip(*lines, strict=True)]
        return "".join(
            "  ".join(
                text.ljust(width) if column.kind is ColumnKind.TEXT else text.rjust(width)
                for text, width, column in zip(line, widths, columns, strict=True)
            ).rstrip()
            + "\n"
            for line in lines
        )
