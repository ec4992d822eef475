"""The front page: what runs here, and where to go from it."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """The page at `/`; it asks the database nothing."""
    return render(request, "deploy/front.html", {"version": settings.VERSION})
