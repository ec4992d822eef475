"""Files of the service itself: the README, the API description and its documentation."""

from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response


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
    """The API documentation; its script writes inline styles, so its policy allows them."""

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Set the policy on the page and on its script."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY.replace(
            "style-src 'self'", "style-src 'self' 'unsafe-inline'"
        )
        return response
