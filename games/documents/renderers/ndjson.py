"""A document as NDJSON: one JSON object for each row."""

from games.core.tables.table import TableDocument
from games.documents.renderers.base import Context, DocumentRenderer
from games.http.ndjson import write_ndjson


class NdjsonRenderer(DocumentRenderer):
    """Render the records of a document."""

    media_type = "application/x-ndjson"
    format = "ndjson"

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        """Return a line for each record."""
        return write_ndjson(data.records)
