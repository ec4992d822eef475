"""Problems: every response that is not a success is application/problem+json (RFC 9457).

A problem contains `type`, the address that describes its code, `title`, `status`, `detail`, a
stable `code`, `errors` with one JSON pointer each if several things are wrong, and the `request_id`
that is also in the log.

What each code means, and what to do about it, is in TOML files beside the apps whose code raises
them: a table for each code, with its statuses, its cause and its remedy. A code without a status is
found in `errors[]` only, as the code of a single value. A code of only some operations names them;
others belong to every operation that has their status.
"""

import logging
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final, TypedDict

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, OperationalError
from django.http import Http404, HttpResponse, JsonResponse
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import set_rollback

from games.core.errors import ApiError, NotFound, disk_full_detail, is_database_busy, request_id
from games.core.formats import MAX_BODY_SIZE
from games.core.idempotency import KeyInUse
from games.core.references import absolute_url
from games.core.tables.csv import CsvRenderer
from games.core.tables.html import HtmlRenderer
from games.core.tables.json import JsonRenderer
from games.core.tables.table import Column, ColumnKind, Heading, TableDocument
from games.core.tables.views import NegotiatedView
from games.core.tables.xlsx import XlsxRenderer
from games.core.types import described, list_of
from games.rules.text import Text

PROBLEM_FILES: Final = (
    "games/problems/*.toml",
    "ratings/problems.toml",
    "tournament/problems/*.toml",
)
EXPLANATION: Final = (
    "Every response that is not a success is a problem (RFC 9457) with one of these codes."
    " Codes without a status are those of single values, in errors[] of a problem."
)


def _in_words(statuses: Sequence[int]) -> str:
    return ", ".join(map(str, statuses))


PROBLEM_COLUMNS: Final = (
    Column("code", "Code", ColumnKind.TEXT),
    Column("statuses", "Status", ColumnKind.TEXT, of="statuses", cell=_in_words),
    Column("cause", "Cause", ColumnKind.TEXT),
    Column("remedy", "Remedy", ColumnKind.TEXT),
)

log = logging.getLogger("perihelion.api")
PROBLEM_JSON = "application/problem+json"
DATABASE_BUSY = Text(
    "the database did not respond in time; check whether a change was made, and try again"
)
UNEXPECTED = Text("an unexpected error occurred; find it in the log by the request id")
RETRY_SECONDS = "2"
"""The header Retry-After of a 503, and of a 429 that does not know better."""


class KnownProblem(TypedDict):
    """A code of problems."""

    code: str
    url: str
    statuses: Annotated[list[int], "of problems with this code; none if it is in `errors[]` only"]
    cause: str
    remedy: str


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A code, the statuses of the problems that have it, its cause and its remedy.

    `operations` are those whose problems can have it, by name; none if any can.
    """

    code: str
    statuses: tuple[int, ...]
    cause: str
    remedy: str
    operations: tuple[str, ...] = ()

    def as_json(self) -> KnownProblem:
        return {
            "code": self.code,
            "url": absolute_url(f"problems/{self.code}"),
            "statuses": list(self.statuses),
            "cause": self.cause,
            "remedy": self.remedy,
        }


def read_problem_types(path: Path) -> Iterator[ProblemType]:
    """Yield the types of a TOML file; raises ValueError for a broken one."""
    for code, table in tomllib.loads(path.read_text("utf-8")).items():
        operations = tuple(table.pop("operations", ()))
        if table.keys() != {"status", "cause", "remedy"}:
            raise ValueError(f"{path.name}: [{code}] needs status, cause and remedy")
        yield ProblemType(code, tuple(table["status"]), table["cause"], table["remedy"], operations)


@cache
def problem_types() -> dict[str, ProblemType]:
    """Return all types by code, in alphabetical order; raises ValueError for a repeated code."""
    types: dict[str, ProblemType] = {}
    for pattern in PROBLEM_FILES:
        for path in sorted(settings.BASE_DIR.glob(pattern)):
            for found in read_problem_types(path):
                if found.code in types:
                    raise ValueError(f"{path.name}: [{found.code}] is in another file too")
                types[found.code] = found
    return dict(sorted(types.items()))


def problems_document(types: Sequence[ProblemType], *, title: str, body: Any) -> TableDocument:
    """Return the table of some types; `body` is its JSON."""
    return TableDocument(
        heading=Heading(title=title, subtitle="", file_stem="problems"),
        columns=PROBLEM_COLUMNS,
        records=[found.as_json() for found in types],
        explanation=EXPLANATION,
        body=body,
    )


TITLES: Final = {413: "Content Too Large", 422: "Unprocessable Content"}
"""Reason phrases of RFC 9110, which Python has only since 3.13."""


def problem_body(status: int, code: str, detail: str, **extra: Any) -> dict[str, Any]:
    """Return the body of a problem; empty values in `extra` are left out, but not `errors`.

    A refused content has at least one error, if only of the whole body.
    """
    said = {"code": code, "detail": detail}
    errors = [said | error for error in extra.pop("errors", ())]
    if status == 422:
        errors = errors or [said]
    errors = [each if "parameter" in each else {"pointer": ""} | each for each in errors]
    return {
        "type": f"{settings.PUBLIC_URL}/api/v1/problems/{code}",
        "title": TITLES.get(status) or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "errors": errors,
        **{name: value for name, value in extra.items() if value or type(value) is int},
        "request_id": request_id.get(),
    }


def problem_response(status: int, code: str, detail: str, **extra: Any) -> HttpResponse:
    """Return a problem that is raised outside the API's views, for example by middleware."""
    body = problem_body(status, code, detail, **extra)
    headers = {"Retry-After": RETRY_SECONDS} if status in (429, 503) else None
    return JsonResponse(body, status=status, content_type=PROBLEM_JSON, headers=headers)


def wrong_method(method: str | None, valid: Sequence[str]) -> Text:
    """Return that an address has no operation with a method."""
    return Text(
        "%(method)s is not possible here; possible are: %(names)s",
        method=str(method),
        names=", ".join(valid),
    )


def failure(error: Exception) -> HttpResponse:
    """Respond to an exception outside Django, and log it: 507 if the disk is full, else 500."""
    log.error("a request failed", exc_info=error)
    if detail := disk_full_detail(error):
        return problem_response(507, "disk_full", detail)
    return problem_response(500, "internal_error", UNEXPECTED)


BEYOND_TOKEN: Final = ("scope_missing", "token_elsewhere")
"""The codes of what a token may not, though its account may."""


def _challenge(error: Exception, code: str, detail: str, request: Request) -> str:
    """Return the field `WWW-Authenticate`, with what is wrong with a token (RFC 6750, 3)."""
    found = 'Bearer realm="Perihelion"'
    is_sent = request.headers.get("Authorization", "").lower().startswith("bearer ")
    if code in BEYOND_TOKEN:
        found += ', error="insufficient_scope"'
    elif is_sent and isinstance(error, exceptions.AuthenticationFailed):
        found += ', error="invalid_token"'
    else:
        return found
    words = re.sub(r"[^ !#-\[\]-~]", "'", detail)  # the characters that RFC 6750 allows
    return f'{found}, error_description="{words}"'


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem for an exception raised by a view; None for an unexpected exception."""
    headers: dict[str, str] = {}
    extra: dict[str, Any] = {}
    # The tag of the content, which a view may have set before it raised the error.
    context["view"].headers.pop("ETag", None)
    match error:
        case ApiError():
            status, code, detail = error.status, error.code, error.detail
            extra = {"errors": error.errors, **error.extra}
            if isinstance(error, KeyInUse):
                headers["Retry-After"] = str(error.wait)
        case exceptions.NotAcceptable():
            status, code = 406, "not_acceptable"
            valid = [*dict.fromkeys(each.media_type for each in error.available_renderers or ())]
            detail = Text("the media types of this address are: %(names)s", names=", ".join(valid))
            extra = {"valid": valid}
        case exceptions.UnsupportedMediaType():
            status, code = 415, "unsupported_media_type"
            parsers = context["view"].parser_classes
            valid = [*dict.fromkeys(each.media_type for each in parsers)]
            detail = Text(
                "the media types of the body of this address are: %(names)s; texts are in UTF-8",
                names=", ".join(valid),
            )
            extra = {"valid": valid}
        case exceptions.MethodNotAllowed():
            status, code = 405, "method_not_allowed"
            valid = context["view"].allowed_methods
            detail = wrong_method(context["request"].method, valid)
            headers["Allow"] = ", ".join(valid)
            extra = {"valid": valid}
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
    if status in (429, 503):
        headers.setdefault("Retry-After", RETRY_SECONDS)
    if status == 401 or code in BEYOND_TOKEN:
        headers["WWW-Authenticate"] = _challenge(error, code, detail, context["request"])
    set_rollback()
    # A problem is JSON, whatever the format of the response would have been.
    context["request"].accepted_renderer = JSONRenderer()
    context["request"].accepted_media_type = "application/json"
    body = problem_body(status, code, detail, **extra)
    return Response(body, status=status, headers=headers, content_type=PROBLEM_JSON)


class ProblemList(NegotiatedView):
    renderer_classes = [JsonRenderer, CsvRenderer, XlsxRenderer, HtmlRenderer]

    @extend_schema(responses=list_of(KnownProblem))
    def get(self, request: Request) -> HttpResponse:
        """Return every code of a problem, with its cause and its remedy.

        A code is stable: programs compare it, and not the text in `detail`. One without a status is
        that of a single value in `errors`.
        """
        found = list(problem_types().values())
        body = {"next": None, "previous": None, "results": [each.as_json() for each in found]}
        return self.render(problems_document(found, title="Problems", body=body), "problems")


class ProblemView(NegotiatedView):
    renderer_classes = [JsonRenderer, CsvRenderer, XlsxRenderer, HtmlRenderer]

    @extend_schema(responses=described(KnownProblem))
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return the cause and the remedy of a code; `type` of a problem is this address.

        A browser gets a page. 404 for a code that no problem of this version has.
        """
        found = problem_types().get(code)
        if found is None:
            raise NotFound(
                "not_found", Text("no problem has the code %(code)s", code=f"{code[:40]!r}")
            )
        document = problems_document([found], title=code, body=found.as_json())
        return self.render(document, f"problem-{code}")
