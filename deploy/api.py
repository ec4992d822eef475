"""The responses to errors outside the views: problems, and pages in a browser."""

import sys

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from games.core.errors import is_database_busy
from games.core.pages import unknown_page
from games.core.problems import DATABASE_BUSY, UNEXPECTED, problem_response
from games.rules.text import Text

NO_PAGES = ("/api/", "/health/", "/static/")
"""Addresses below which nothing is a page."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Respond to an address that does not exist, in a browser with a page that leads further."""
    if "text/html" in request.headers.get("Accept", "") and not request.path.startswith(NO_PAGES):
        return unknown_page(request)
    return problem_response(404, "not_found", Text("this address does not exist"))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Respond to a request that Django cannot read."""
    detail = "the request could not be read"
    if isinstance(exception, DisallowedHost):
        host = request.META.get("HTTP_HOST", "")[:100]
        detail = (
            f"this service is not known as {host!r}; its address is {settings.PUBLIC_URL}"
            " (the setting ALLOWED_HOSTS has its other names)"
        )
    return problem_response(400, "unreadable", detail)


def internal_error(request: HttpRequest) -> HttpResponse:
    """Respond after an unexpected exception; the log contains the traceback."""
    if is_database_busy(sys.exception()):  # of a page
        return problem_response(503, "database_busy", DATABASE_BUSY)
    return problem_response(500, "internal_error", UNEXPECTED)
