"""Error responses: every response that is not a success is application/problem+json (RFC 9457).

A problem contains `type`, the address that describes its code, `title`, `status`, `detail`, a
stable `code`, `errors` with one JSON pointer each if several things are wrong, and the `request_id`
that is also in the log.
"""

import logging
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, OperationalError
from django.http import Http404, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import set_rollback

from games.core.errors import ApiError, flatten_messages
from games.core.formats import MAX_BODY_SIZE
from games.core.idempotency import KeyInUse
from games.database_errors import disk_full_detail, is_database_busy
from games.http.problem_types import problem_address
from games.http.request_id import request_id
from games.rules.text import Text

log = logging.getLogger("perihelion.api")
PROBLEM_JSON = "application/problem+json"
DATABASE_BUSY = Text(
    "the database did not respond in time; check whether a change was made, and try again"
)
BUSY = "the service has too many requests; nothing was changed, try again"
UNEXPECTED = "an unexpected error occurred; find it in the log by the request id"
RETRY_SECONDS = "2"
"""The header Retry-After of a 503."""


def problem_body(status: int, code: str, detail: str, **extra: Any) -> dict[str, Any]:
    """Return the body of a problem; empty values in `extra` are left out."""
    return {
        "type": problem_address(code),
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **{name: value for name, value in extra.items() if value},
        "request_id": request_id.get(),
    }


def problem_response(status: int, code: str, detail: str) -> HttpResponse:
    """Return a problem that is raised outside the API's views, for example by middleware."""
    body = problem_body(status, code, detail)
    headers = {"Retry-After": RETRY_SECONDS} if status == 503 else None
    return JsonResponse(body, status=status, content_type=PROBLEM_JSON, headers=headers)


def failure(error: Exception) -> HttpResponse:
    """Respond to an exception outside Django, and log it: 507 if the disk is full, else 500."""
    log.error("a request failed", exc_info=error)
    if detail := disk_full_detail(error):
        return problem_response(507, "disk_full", detail)
    return problem_response(500, "internal_error", UNEXPECTED)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem for an exception raised by a view; None for an unexpected exception."""
    headers: dict[str, str] = {}
    extra: dict[str, Any] = {}
    match error:
        case ApiError():
            status, code, detail = error.status, error.code, error.detail
            extra = {"errors": error.errors, **error.extra}
            if isinstance(error, KeyInUse):
                headers["Retry-After"] = str(error.wait)
        case exceptions.ValidationError():
            status, code = 422, "invalid"
            errors = list(flatten_messages(error.detail))
            first = (
                errors[0] if errors else {"pointer": "", "detail": Text("the content is invalid")}
            )
            subject = first["pointer"] or "the body"
            detail = Text("%(subject)s: %(detail)s", subject=subject, detail=first["detail"])
            extra = {"errors": errors}
        case exceptions.APIException():
            status, detail = error.status_code, str(error.detail)
            codes = error.get_codes()
            code = codes if isinstance(codes, str) else "invalid"
            if wait := getattr(error, "wait", None):
                headers["Retry-After"] = str(int(wait) + 1)
        case Http404():
            status, code, detail = 404, "not_found", Text("the requested object does not exist")
        case PermissionDenied():
            status, code, detail = 403, "forbidden", Text("you do not have permission to do this")
        case RequestDataTooBig():
            status, code = 413, "body_too_large"
            detail = Text("the body is larger than the limit of %(most)s bytes", most=MAX_BODY_SIZE)
        case SuspiciousOperation() | DataError():
            status, code = 400, "unreadable"
            detail = Text("the request contains a value that cannot be stored")
            log.warning("unreadable request: %r", error)
        case OperationalError() | OSError() if full := disk_full_detail(error):
            status, code = 507, "disk_full"
            detail = Text(
                "%(detail)s; nothing was changed, try again when there is space", detail=full
            )
            log.error("the disk is full: %r", error)
        case OperationalError() if is_database_busy(error):
            status, code, detail = 503, "database_busy", DATABASE_BUSY
            log.error("the database did not respond: %r", error)
        case _:
            return None
    if status == 503:
        headers["Retry-After"] = RETRY_SECONDS
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="Perihelion"'
    set_rollback()
    # A problem is JSON, whatever the format of the response would have been.
    context["request"].accepted_renderer = JSONRenderer()
    context["request"].accepted_media_type = "application/json"
    body = problem_body(status, code, detail, **extra)
    return Response(body, status=status, headers=headers, content_type=PROBLEM_JSON)
