"""Views that render a document in the format that the client prefers, and single files."""

from typing import Any

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.documents.renderers.base import DocumentRenderer


class NegotiatedView(APIView):
    """A view that renders a document in the format that the client prefers."""

    @property
    def renderer(self) -> DocumentRenderer:
        """Return the negotiated renderer."""
        renderer = self.request.accepted_renderer
        assert isinstance(renderer, DocumentRenderer)
        return renderer

    def handle_exception(self, exc: Exception) -> Response:
        """Return a problem as JSON, whatever the format of the document."""
        self.request.accepted_renderer = JSONRenderer()
        self.request.accepted_media_type = "application/json"
        return super().handle_exception(exc)

    def render(self, document: object, file_stem: str, **context: Any) -> HttpResponse:
        """Return the rendered document; errors of the renderer become problems of this view."""
        renderer = self.renderer
        content = renderer.render(document, renderer.media_type, context)
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        content_type = f"{renderer.media_type}{charset}"
        headers = renderer.headers(file_stem)
        return HttpResponse(content, content_type=content_type, headers=headers)


def suffix_pattern(view: type[NegotiatedView]) -> str:
    """Return the end of an address with an optional suffix, one of the view's formats."""
    formats = "|".join(str(renderer.format) for renderer in view.renderer_classes)
    return rf"(?:\.(?P<format>{formats}))?$"


def file_response(
    content: str | bytes, media_type: str, file_name: str, *, is_inline: bool = False
) -> HttpResponse:
    """Return a file that a browser saves, or displays if it is inline."""
    content_type = f"{media_type}; charset=utf-8" if isinstance(content, str) else media_type
    disposition = content_disposition_header(not is_inline, file_name) or ""
    headers = {"Content-Disposition": disposition}
    return HttpResponse(content, content_type=content_type, headers=headers)
