"""Middleware: the request id, the log, what may be stored, sizes, repetitions, CSP, compression.

Responses to reads of the API are compressed for clients that accept it. A response to a session's
cookie is not, because another site could find out by its size what is secret in it (BREACH: a
browser sends its login with requests which another site has chosen, and never sends a token by
itself). Responses to writes, which contain new tokens and links, are not compressed either. The
pages have their own rule (games/core/pages.py).
"""

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from deploy.views import asks_for_page, failed_page
from games.core.errors import Unprocessable, request_id
from games.core.formats import MAX_BODY_SIZE
from games.core.pages import RejectedPage
from games.core.problems import problem_response, wrong_method
from games.core.requests import client_address
from games.core.text import language_of
from games.rules.text import Text

GetResponse = Callable[[HttpRequest], HttpResponse]

log = logging.getLogger("perihelion.requests")
REQUEST_ID = "X-Request-ID"
VALID_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
LARGER_BODIES = {"/api/v1/tournaments/import/bundle": settings.LARGEST_BUNDLE}
"""Addresses that accept larger bodies than the others, with their limits in bytes."""


def log_requests(get_response: GetResponse) -> GetResponse:
    """Set the request id (a valid `X-Request-ID` is reused), return it, log one line."""

    def respond(request: HttpRequest) -> HttpResponse:
        started = time.monotonic()
        sent = request.headers.get(REQUEST_ID, "")
        identifier = sent if VALID_ID.fullmatch(sent) else uuid.uuid4().hex
        request_id.set(identifier)
        request.request_id = identifier  # type: ignore[attr-defined]  # for lines after this
        try:
            response = get_response(request)
            response[REQUEST_ID] = identifier
            address, account = client_address(request), _account_id(request)
            log.info(
                "%s %s %s %s account=%s",
                request.method,
                request.path,
                response.status_code,
                address,
                account or "-",
                extra={
                    "method": request.method,
                    "path": request.path,
                    "status": response.status_code,
                    "milliseconds": round((time.monotonic() - started) * 1000, 1),
                    "address": address,
                    "account": account,
                },
            )
        finally:
            request_id.set("")
        return response

    return respond


def _account_id(request: HttpRequest) -> int | None:
    """Return the id of the account, if the request has needed it: no query is made for the log."""
    user = getattr(request, "_cached_user", None) or getattr(request, "user", None)
    return None if isinstance(user, SimpleLazyObject) else getattr(user, "pk", None)


NO_STORE: Final = "private, no-store"
SAFE: Final = ("GET", "HEAD", "OPTIONS")


def store_nothing_private(get_response: GetResponse) -> GetResponse:
    """Forbid browsers and proxies to store what is answered to a session or a token.

    So is what begins a session, and the answer to a write, which may have a new token or link.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        cookie = settings.SESSION_COOKIE_NAME
        if (
            request.method not in SAFE
            or "Authorization" in request.headers
            or cookie in request.COOKIES
            or cookie in response.cookies
        ) and not request.path.startswith(settings.STATIC_URL):
            response.headers["Cache-Control"] = NO_STORE
        return response

    return respond


def describe_errors(get_response: GetResponse) -> GetResponse:
    """Return a problem for an error that Django answers without a body, such as a 405."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code < 400 or response.streaming or response.content:
            return response
        if response.status_code == 405:
            allowed = response.headers["Allow"]
            valid = allowed.split(", ")
            detail = wrong_method(request.method, valid)
            problem = problem_response(405, "method_not_allowed", detail, valid=valid)
            problem.headers["Allow"] = allowed
            return problem
        if response.status_code == 412:
            return problem_response(412, "stale", "the content has not the tag of If-Match")
        return problem_response(response.status_code, "rejected", response.reason_phrase)

    return respond


def body_limit(path: str) -> int:
    """Return the size of the largest body that a path accepts."""
    return LARGER_BODIES.get(path, MAX_BODY_SIZE)


def limit_bodies(get_response: GetResponse) -> GetResponse:
    """Reject a body that is too large by its Content-Length, or compressed, before it is read.

    A chunked body has no length, and a WSGI application would read it as an empty body.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        if "Transfer-Encoding" in request.headers:
            detail = "send the body in one piece, with a Content-Length header"
            return problem_response(411, "length_required", detail)
        limit, length = body_limit(request.path), request.headers.get("Content-Length") or "0"
        if not (length.isascii() and length.isdigit()):
            return problem_response(400, "unreadable", "Content-Length is not a number")
        if len(length) > 18 or int(length) > limit:
            if asks_for_page(request):
                words = Text("what you sent is larger than %(most)s KiB", most=limit // 1024)
                return failed_page(request, 413, "body_too_large", words)
            detail = Text("the body is larger than the limit of %(most)s bytes", most=limit)
            return problem_response(413, "body_too_large", detail)
        encoding = request.headers.get("Content-Encoding", "").strip().lower()
        if int(length) and encoding not in ("", "identity"):
            detail = Text("bodies are not decoded; send this one without Content-Encoding")
            refusal = problem_response(415, "unsupported_encoding", detail, valid=["identity"])
            refusal.headers["Accept-Encoding"] = "identity"  # RFC 9110, 12.5.3
            return refusal
        return get_response(request)

    return respond


class RefuseRepetitions:
    """Refuse a parameter, or a field of a form, that is given twice and has one value.

    Programs do not agree about which one counts: what one of them has checked would not be what
    another one does. A view names in `repeatable` the parameters of its address that are lists. In
    a form, the name of a list ends with `[]`, and a checkbox sends `false` before it sends `true`.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Return a problem with the names that are given twice, or a page; None without any."""
        repeatable = getattr(getattr(view, "cls", None), "repeatable", ())
        if request.path in OWN_ERRORS and request.method == "POST":
            return None
        is_page = not request.path.startswith("/api")
        twice = [name for name, values in request.GET.lists() if len(values) > 1]
        names = [name for name in twice if name not in repeatable]
        if is_page and request.method == "POST":
            names += [name for name, values in request.POST.lists() if is_repeated(name, values)]
            names += [name for name, files in request.FILES.lists() if len(files) > 1]
        if not names:
            return None
        shown = [name[:40] for name in names]
        details = [Text("%(name)s is given twice; give one value", name=f"{n!r}") for n in shown]
        if is_page:
            return RejectedPage.as_view(error=Unprocessable("given_twice", details[0]))(request)
        errors = [
            {"parameter": name, "code": "given_twice", "detail": detail}
            for name, detail in zip(shown, details, strict=True)
        ]
        return problem_response(422, "given_twice", details[0], parameter=shown[0], errors=errors)


OWN_ERRORS: Final = ("/oauth/token", "/oauth/revoke")
"""Addresses that refuse repetitions in the form of their standard."""


def is_repeated(name: str, values: list[Any]) -> bool:
    """Return True if a field of a form has several values but should have one."""
    return len(values) > 1 and not name.endswith("[]") and values != ["false", "true"]


def set_content_policy(get_response: GetResponse) -> GetResponse:
    """Set the Content-Security-Policy, unless the view has set its own."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response

    return respond


ACCOUNT_PAGES: Final = ("/login", "/sign-up", "/password", "/account/")
"""The beginnings of the addresses of allauth's pages."""


def translate_account_pages(get_response: GetResponse) -> GetResponse:
    """Respond to allauth's pages in the language of the reader, as all pages do."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(ACCOUNT_PAGES):
            return get_response(request)
        language = language_of(request)
        with translation.override(language):
            response = get_response(request)
        response.headers["Content-Language"] = language
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return respond


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
        if request.method not in ("GET", "HEAD") or not request.path.startswith("/api"):
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
