"""Views that render a document in the format that the client prefers, and single files."""

from typing import Any

from django.http import HttpResponse

from games.http.views import ApiView
from tournament.documents.renderers.base import DocumentRenderer


class NegotiatedView(ApiView):
    """A view that renders a document in the format that the client prefers."""

    def render(self, document: object, file_stem: str, **context: Any) -> HttpResponse:
        """Return the rendered document; errors of the renderer become problems of this view."""
        renderer = self.request.accepted_renderer
        assert isinstance(renderer, DocumentRenderer)
        content = renderer.render(document, renderer.media_type, context)
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        response = HttpResponse(content, content_type=f"{renderer.media_type}{charset}")
        if renderer.disposition:
            file_name = f"{file_stem}.{renderer.extension or renderer.format}"
            response["Content-Disposition"] = f'{renderer.disposition}; filename="{file_name}"'
        if renderer.security_policy:
            response["Content-Security-Policy"] = renderer.security_policy
        return response


def suffix_pattern(view: type[NegotiatedView]) -> str:
    """Return the end of an address with an optional suffix, one of the view's formats."""
    formats = "|".join(str(renderer.format) for renderer in view.renderer_classes)
    return rf"(?:\.(?P<format>{formats}))?$"


def file_response(
    content: str | bytes, media_type: str, file_name: str, *, disposition: str = "attachment"
) -> HttpResponse:
    """Return a file that a browser saves, or displays if it is `inline`."""
    content_type = f"{media_type}; charset=utf-8" if isinstance(content, str) else media_type
    headers = {"Content-Disposition": f'{disposition}; filename="{file_name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
