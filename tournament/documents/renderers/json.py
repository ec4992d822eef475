"""A document as JSON."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer

from tournament.documents.document import TableDocument
from tournament.documents.renderers.base import DocumentRenderer


class JsonRenderer(DocumentRenderer, JSONRenderer):
    """Render the body of a document."""

    media_type = "application/json"
    format = "json"
    charset = None
    disposition = ""
    shows_notes = True

    def render(
        self,
        data: TableDocument,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the JSON, indented if the media type has a parameter `indent`."""
        return JSONRenderer.render(self, data.body, accepted_media_type, renderer_context)
