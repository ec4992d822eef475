"""CORS: the scripts of other sites may read the API, and write to it if their site is listed.

A read is allowed to any origin (`Access-Control-Allow-Origin: *`), but not with the cookies of the
reader: a browser hides the response to such a request, because no response allows credentials. Only
the origins in `CORS_ORIGINS` may send what needs a token: the header `Authorization`, and a write.
https://fetch.spec.whatwg.org/#http-cors-protocol
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse]

API: Final = "/api/"
"""The beginning of the addresses that other sites may use."""

SHARED_METHODS: Final = ("GET", "HEAD")
WRITES: Final = ("POST", "PUT", "PATCH", "DELETE")
SAFE_HEADERS: Final = (
    "Accept", "Accept-Language", "Content-Language", "If-None-Match", "Last-Event-ID", "Prefer",
    "X-Request-ID",
)  # fmt: skip
"""Headers that any site may send."""

TOKEN_HEADERS: Final = ("Authorization", "Content-Type", "Idempotency-Key", "If-Match")
"""Headers that only the listed origins may send."""

EXPOSED_HEADERS: Final = ", ".join(
    ("Content-Disposition", "ETag", "Idempotent-Replayed", "Link", "Location", "RateLimit",
     "RateLimit-Policy", "Retry-After", "X-Request-ID")
)  # fmt: skip
"""Headers of a response that a script may read."""

MAX_AGE: Final = "7200"
"""Seconds for which a browser remembers what is allowed."""


def allow_other_origins(get_response: GetResponse) -> GetResponse:
    """Answer the preflight requests of browsers, and say which origins may read a response."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(API):
            return get_response(request)
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return _answer_preflight(request)
        response = get_response(request)
        if request.method in SHARED_METHODS and settings.CORS_READS == "anyone":
            response.headers["Access-Control-Allow-Origin"] = "*"
        elif settings.CORS_ORIGINS:
            patch_vary_headers(response, ["Origin"])
            if not _is_listed(request):
                return response
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        else:
            return response
        response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        return response

    return respond


def _is_listed(request: HttpRequest) -> bool:
    return request.headers.get("Origin") in settings.CORS_ORIGINS


def _answer_preflight(request: HttpRequest) -> HttpResponse:
    """Return the methods and headers that the origin may send; without any, none is allowed."""
    response = HttpResponse(status=204, headers={"Vary": "Origin"})
    methods, headers = [*SHARED_METHODS], [*SAFE_HEADERS]
    if _is_listed(request):
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        methods, headers = [*SHARED_METHODS, *WRITES], [*SAFE_HEADERS, *TOKEN_HEADERS]
    elif settings.CORS_READS == "anyone":
        response.headers["Access-Control-Allow-Origin"] = "*"
    else:
        return response
    response.headers["Access-Control-Allow-Methods"] = ", ".join(methods)
    response.headers["Access-Control-Allow-Headers"] = ", ".join(headers)
    response.headers["Access-Control-Max-Age"] = MAX_AGE
    return response
