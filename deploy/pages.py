"""Pages of the service itself: the description of the API and its documentation."""

from functools import cache
from typing import Any

from django.http import HttpResponse
from django.utils.translation import override
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request


class Schema(SpectacularAPIView):
    """The OpenAPI description, which takes long to compute: a process writes it once in each form.

    With parameters (`lang`, `version`) it is computed anew.
    """

    throttle_scope = "schema"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return the description."""
        renderer: Any = request.accepted_renderer
        if request.GET:
            compute: Any = super().get
            return compute(request, *args, **kwargs)
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        content_type = f"{request.accepted_media_type}{charset}"
        response = HttpResponse(describe(renderer.__class__), content_type)
        response.headers["Content-Disposition"] = f'inline; filename="Perihelion.{renderer.format}"'
        return response


@cache
def describe(renderer: Any) -> bytes:
    """Return the description as a file in English."""
    generator: Any = Schema.generator_class()
    with override(None):
        content: bytes = renderer().render(generator.get_schema(public=True), renderer_context={})
    return content


class Docs(SpectacularSwaggerSplitView):
    """The API documentation, whose scripts and styles are files of this service."""

    template_name = "deploy/api_docs.html"
