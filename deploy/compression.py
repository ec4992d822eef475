"""Compression of the API's responses to reads (gzip), for clients that accept it.

Compressed is what contains no secret that another site could find out by its size (BREACH): the
attack needs a browser that sends its login with requests which another site has chosen, so
responses to a session's cookie are not compressed. A token is never sent by a browser itself. The
responses to writes are not compressed either: these contain new tokens and links. Besides,
Django's compression adds a random number of bytes. The pages have their own rule
(games/pages/views.py).

The ETag of a compressed response is weak (RFC 9110, 8.8.1), and equal to the strong one in a
comparison of reads.
"""

import re
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse | StreamingHttpResponse]

LEAST_SIZE: Final = 1000
"""Bytes; a smaller response would hardly be shorter."""

COMPRESSED_TYPES: Final = (
    "application/json",
    "application/x-ndjson",
    "application/vnd.oai.openapi",
    "text/",
    "image/svg+xml",
)
"""The beginnings of the content types that become smaller."""

GZIP_REFUSED: Final = re.compile(r"\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)", re.ASCII)


def compress_reads(get_response: GetResponse) -> GetResponse:
    """Compress the response to a read of the API if it is large, and has no secret to guess."""
    gzip = GZipMiddleware(get_response)

    def respond(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        response = get_response(request)
        if request.method not in ("GET", "HEAD") or not request.path.startswith("/api/"):
            return response
        if response.status_code in (200, 304):
            patch_vary_headers(response, ["Accept-Encoding"])
        if not _is_compressible(request, response):
            return response
        compressed = gzip.process_response(request, response)
        assert isinstance(compressed, HttpResponse | StreamingHttpResponse)
        return compressed

    return respond


def _is_compressible(request: HttpRequest, response: HttpResponse | StreamingHttpResponse) -> bool:
    """Return True if a compressed response is accepted, shorter, and does not help to guess."""
    accepted = request.headers.get("Accept-Encoding", "")
    if "gzip" not in accepted or GZIP_REFUSED.search(accepted):
        return False
    if response.status_code != 200 or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return False
    content_type = response.headers["Content-Type"]
    if not content_type.startswith(COMPRESSED_TYPES) or content_type.startswith(
        "text/event-stream"
    ):
        return False
    return isinstance(response, StreamingHttpResponse) or len(response.content) >= LEAST_SIZE
