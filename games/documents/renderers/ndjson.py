"""A document as NDJSON: one JSON object for each row."""

import json

from games.documents.document import TableDocument
from games.documents.renderers.base import Context, DocumentRenderer


class NdjsonRenderer(DocumentRenderer):
    """Render the records of a document."""

    media_type = "application/x-ndjson"
    format = "ndjson"

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        """Return a line for each record."""
        lines = (json.dumps(record, ensure_ascii=False) for record in data.records)
        return "".join(f"{line}\n" for line in lines)
