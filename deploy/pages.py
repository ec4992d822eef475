"""The pages of the service itself: the front page, the README, the drawn API."""

from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """The page at `/`; it asks the database nothing."""
    return render(request, "deploy/front.html", {"version": settings.VERSION})


@require_safe
def readme(request: HttpRequest) -> FileResponse:
    """README.md as plain text, with the tour."""
    try:
        text = (settings.BASE_DIR / "README.md").open("rb")
    except FileNotFoundError as error:  # an installation may leave it out
        raise Http404 from error
    return FileResponse(text, content_type="text/plain; charset=utf-8")


class Docs(SpectacularSwaggerSplitView):
    """The API drawn; its program writes styles into the page, which its policy therefore allows."""

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Set the policy on the page and on the script that fills it."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY.replace(
            "style-src 'self'", "style-src 'self' 'unsafe-inline'"
        )
        return response
