"""A document as JSON."""

from rest_framework.renderers import JSONRenderer

from games.core.tables.table import TableDocument
from games.documents.renderers.base import Context, DocumentRenderer


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
