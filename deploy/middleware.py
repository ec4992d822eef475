"""Middleware: the request id, one log line per request, and the Content-Security-Policy."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from deploy import request_id

GetResponse = Callable[[HttpRequest], HttpResponse]

log = logging.getLogger("perihelion.requests")


def log_requests(get_response: GetResponse) -> GetResponse:
    """Set the request id (a valid `X-Request-ID` is reused), return it, log one line."""

    def respond(request: HttpRequest) -> HttpResponse:
        started = time.monotonic()
        identifier = request_id.begin(request.headers.get(request_id.HEADER, ""))
        try:
            response = get_response(request)
            response[request_id.HEADER] = identifier
            log.info(
                "%s %s %s",
                request.method,
                request.path,
                response.status_code,
                extra={
                    "method": request.method,
                    "path": request.path,
                    "status": response.status_code,
                    "milliseconds": round((time.monotonic() - started) * 1000, 1),
                },
            )
        finally:
            request_id.end()
        return response

    return respond


def set_content_policy(get_response: GetResponse) -> GetResponse:
    """Set the Content-Security-Policy, unless the view has set its own."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response

    return respond
