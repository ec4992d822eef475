"""What every request passes: its id and its line in the log, and the content policy."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from deploy import request_id

Answer = Callable[[HttpRequest], HttpResponse]

log = logging.getLogger("perihelion.requests")


def trace(get_response: Answer) -> Answer:
    """Give the request an id (a sent `X-Request-ID` is kept), return it, log one line."""

    def answer(request: HttpRequest) -> HttpResponse:
        began = time.monotonic()
        identifier = request_id.begin(request.headers.get(request_id.HEADER, ""))
        request.request_id = identifier  # type: ignore[attr-defined] # Django's own way to extend
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
                    "milliseconds": round((time.monotonic() - began) * 1000, 1),
                },
            )
        finally:
            request_id.end()
        return response

    return answer


def content_policy(get_response: Answer) -> Answer:
    """Set the Content-Security-Policy, unless the view has set one of its own."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response

    return answer
