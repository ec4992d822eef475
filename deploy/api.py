"""How every answer that is not a success is written: application/problem+json (RFC 9457).

`type`, `title`, `status`, `detail`, a stable `code`, `errors` with a JSON pointer each where
several things are wrong, and the `request_id` that also stands in the log.
"""

import logging
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from deploy.request_id import request_id
from games.http.errors import ApiError
from games.http.parsers import LARGEST_BODY

log = logging.getLogger("perihelion.api")
PROBLEM_JSON = "application/problem+json"
LARGER_BODIES = {"/api/v1/tournaments/import/bundle": settings.LARGEST_BUNDLE}
"""Addresses that take more than others, in bytes."""


def problem_body(status: int, code: str, detail: str, **extra: Any) -> dict[str, Any]:
    """The body of one problem."""
    return {
        "type": f"{settings.PUBLIC_URL}/api/v1/docs#{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **{name: value for name, value in extra.items() if value},
        "request_id": request_id(),
    }


def problem_response(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    """A problem from outside the API's views: a wrong address, a body too large, a breakdown."""
    body = problem_body(status, code, detail)
    return JsonResponse(body, status=status, content_type=PROBLEM_JSON)


def _flattened(detail: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """A serializer's nested messages as a flat list with JSON pointers (RFC 6901)."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            step = "" if name == "non_field_errors" else f"/{name}"
            yield from _flattened(inner, pointer + step)
    elif isinstance(detail, list) and any(isinstance(one, dict) for one in detail):
        for index, inner in enumerate(detail):
            yield from _flattened(inner, f"{pointer}/{index}")
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flattened(inner, pointer)
    else:
        code = getattr(detail, "code", "invalid")
        yield {"pointer": pointer, "code": str(code), "detail": str(detail)}


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """The problem that an exception in a view stands for; None for what nobody foresaw."""
    headers: dict[str, str] = {}
    match error:
        case ApiError():
            status, code, detail = error.status, error.code, error.detail
            extra: dict[str, Any] = {"errors": error.errors, **error.extra}
        case exceptions.ValidationError():
            status, code = 422, "invalid"
            errors = list(_flattened(error.detail))
            first = errors[0] if errors else {"pointer": "", "detail": "the content is invalid"}
            detail = f"{first['pointer'] or 'the body'}: {first['detail']}"
            extra = {"errors": errors}
        case exceptions.APIException():
            status, extra = error.status_code, {}
            codes = error.get_codes()
            code = codes if isinstance(codes, str) else "invalid"
            detail = str(error.detail)
            if wait := getattr(error, "wait", None):
                headers["Retry-After"] = str(int(wait) + 1)
        case Http404():
            status, code, detail, extra = 404, "not_found", "there is no such thing here", {}
        case PermissionDenied():
            status, code, detail, extra = 403, "forbidden", "this is not for you", {}
        case RequestDataTooBig():
            status, code, extra = 413, "body_too_large", {}
            detail = f"a body has at most {LARGEST_BODY} bytes"
        case SuspiciousOperation() | DataError():
            status, code, extra = 400, "unreadable", {}
            detail = "the request holds a value that cannot be stored"
            log.warning("refused as unreadable: %r", error)
        case OperationalError():
            status, code, extra = 503, "database_busy", {}
            detail = "the database did not answer in time; nothing was changed, try again"
            log.error("the database did not answer: %r", error)
        case _:
            return None
    if status == 503:
        headers["Retry-After"] = "2"
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="Perihelion"'
    set_rollback()
    body = problem_body(status, code, detail, **extra)
    return Response(body, status=status, headers=headers, content_type=PROBLEM_JSON)


def limit_bodies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse a large body by its length, before anything reads it.

    A body that comes in chunks has no length, and WSGI would take it for an empty one.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if "Transfer-Encoding" in request.headers:
            return problem_response(
                request, 411, "length_required", "send the body whole, with Content-Length"
            )
        length = request.headers.get("Content-Length") or "0"
        if not (length.isascii() and length.isdigit()):
            return problem_response(request, 400, "unreadable", "Content-Length is no number")
        most = LARGER_BODIES.get(request.path, LARGEST_BODY)
        if len(length) > 18 or int(length) > most:
            detail = f"a body has at most {most} bytes here"
            return problem_response(request, 413, "body_too_large", detail)
        return get_response(request)

    return answer


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What an address that leads nowhere answers."""
    return problem_response(request, 404, "not_found", "there is no such address")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What a request answers that Django itself could not read."""
    return problem_response(request, 400, "unreadable", "the request could not be read")


def breakdown(request: HttpRequest) -> HttpResponse:
    """What is answered when something broke that nobody foresaw; the log has the rest."""
    return problem_response(
        request, 500, "breakdown", "something broke here; the request id finds it in the log"
    )
