"""A document as JSON, and as NDJSON: one JSON object for each row, on a line of its own."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

from games.core.tables.table import Context, DocumentRenderer, TableDocument


class JsonRenderer(DocumentRenderer, JSONRenderer):
    """Render the body of a document."""

    media_type = "application/json"
    format = "json"
    charset = None
    disposition = ""
    shows_notes = True

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> bytes:
        """Return the JSON, indented if the media type has a parameter `indent`."""
        return JSONRenderer.render(self, data.body, media_type, context)


def write_ndjson(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a line for each row, with values as in the JSON of the API."""
    lines = (json.dumps(row, cls=JSONEncoder, ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines)


class NdjsonRenderer(DocumentRenderer):
    """Render the records of a document."""

    media_type = "application/x-ndjson"
    format = "ndjson"

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        return write_ndjson(data.records)
