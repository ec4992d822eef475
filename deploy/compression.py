"""Compression of the API's responses to reads (gzip), for clients that accept it.

A response to a session's cookie is not compressed, because another site could find out by its size
what is secret in it (BREACH: a browser sends its login with requests which another site has chosen,
and never sends a token by itself). Responses to writes, which contain new tokens and links, are not
compressed either. The pages have their own rule (games/core/pages.py).
"""

import re
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

COMPRESSED_TYPES: Final = (
    *("application/json", "application/x-ndjson", "application/vnd.oai.openapi", "image/svg+xml"),
    *("text/calendar", "text/csv", "text/html", "text/plain"),
)
"""The beginnings of the content types that become smaller."""

GZIP_REFUSED: Final = re.compile(r"\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)", re.ASCII)


class CompressReads(GZipMiddleware):
    """Compress the response to a read of the API if it has no secret to guess."""

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        """Return the response, which a cache may send only to clients that accept its encoding."""
        if request.method not in ("GET", "HEAD") or not request.path.startswith("/api/"):
            return response
        if response.status_code in (200, 304):
            patch_vary_headers(response, ["Accept-Encoding"])
        if (
            response.status_code != 200
            or settings.SESSION_COOKIE_NAME in request.COOKIES
            or GZIP_REFUSED.search(request.headers.get("Accept-Encoding", ""))
            or not response.headers["Content-Type"].startswith(COMPRESSED_TYPES)
        ):
            return response
        return super().process_response(request, response)
