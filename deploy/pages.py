"""The front page: what runs here, and where to go from it."""

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


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
