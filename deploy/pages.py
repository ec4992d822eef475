"""Pages of the service itself: the description of the API and its documentation."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request


class Schema(SpectacularAPIView):
    """The OpenAPI description, which takes long to compute: a process writes it once in each form.

    It depends on the code, the language, and the version that a request may name.
    """

    throttle_scope = "schema"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return the description; the usual forms are stored when they are written."""
        form = (get_language() or "", request.accepted_media_type)
        if form in _stored and not request.GET:
            content, content_type, disposition = _stored[form]
            return HttpResponse(
                content, content_type=content_type, headers={"Content-Disposition": disposition}
            )
        describe: Any = super().get
        response = describe(request, *args, **kwargs)
        if not request.GET and form[1] == request.accepted_renderer.media_type:
            response.add_post_render_callback(partial(_store, form))
        return response


Form = tuple[str, str]
"""The language and the media type of a description."""

_stored: dict[Form, tuple[bytes, str, str]] = {}


def _store(form: Form, response: HttpResponse) -> None:
    """Store a written description as its content, its type and the name of its file."""
    headers = response.headers
    _stored[form] = response.content, headers["Content-Type"], headers["Content-Disposition"]


class Docs(SpectacularSwaggerSplitView):
    """The API documentation, whose scripts and styles are files of this service."""

    template_name = "deploy/api_docs.html"
