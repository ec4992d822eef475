"""Files of the service itself: the README, the API description and its documentation."""

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView


@require_safe
def readme(request: HttpRequest) -> FileResponse:
    """Return README.md as plain text."""
    try:
        text = (settings.BASE_DIR / "README.md").open("rb")
    except FileNotFoundError as error:  # an installation may omit it
        raise Http404 from error
    return FileResponse(text, content_type="text/plain; charset=utf-8")


class Schema(SpectacularAPIView):
    """The OpenAPI description, which takes long to compute."""

    throttle_scope = "schema"


class Docs(SpectacularSwaggerSplitView):
    """The API documentation, whose scripts and styles are files of this service."""

    template_name = "deploy/api_docs.html"
