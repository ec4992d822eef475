"""Middleware: send a stored response to a stranger's read of what has not changed.

A response is stored in Django's cache under its address, the headers that it depends on, and the
heads of the journals of the event and of the site, so that nothing has to be deleted when something
changes; a list of the whole site under those of all journals but casual games'; the page of a game
that is followed also under the version of its record. Requests with a
login or a token always reach the view, and the cookie of no session is none. What belongs to one
request is made anew: the fields of the rate limit, which counts every request, the request id and
the line in the log.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from time import time
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.cache import caches
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import NotAcceptable
from rest_framework.request import Request

from deploy.middleware import GZIP_REFUSED
from games.core.authentication import TOKEN, BearerAuthentication
from games.core.errors import is_database_busy
from games.core.formats import ByQuality
from games.core.limits import AnonymousThrottle
from games.core.pages import DONE
from games.core.preconditions import TYPES_WITHOUT_ETAG, has_current_tag
from games.core.text import language_of
from games.core.views import PUBLIC_READ
from games.core.waits import PREFER
from games.models.streams import LIVE_FEED, TOURNAMENT_STREAM, live_game_of
from tournament.core.heads import site_state, state_of_game, state_with_live_boards, stream_state

GetResponse = Callable[[HttpRequest], HttpResponse]

KNOWN_VARIES: Final = {"accept", "accept-encoding", "accept-language", "authorization", "cookie"}
PERIOD: Final = 900
"""Seconds. Days begin at a full quarter of an hour of UTC in all time zones, and some pages depend
on the day at the place of the event."""

LIVE_PERIOD: Final = 30
"""Seconds for which a page shows boards that are being played as they were; its script follows."""

USUAL: Final = 128 << 10
LARGEST: Final = 12 << 20
"""Bytes of a usual response, and of the largest that is stored: the record sheets of 900 players
have 9 MB. Those that are larger than usual have a cache of their own."""

PDF: Final = "application/pdf"
GZIP: Final = re.compile(r"\bgzip\b")

GAME: Final = "game_id"
"""The `public_read` of the page of a game, which is stored while its record is being kept."""

WHOLE: Final = "site"
"""The `public_read` of a list of the whole site."""

SHARED: Final = "public, max-age=0, s-maxage=2"
"""A proxy may send a response again for two seconds; a browser asks each time."""

OF_A_REQUEST: Final = ("RateLimit", "RateLimit-Policy")
OF_A_CONTENT: Final = ("Content-Type", "Content-Encoding", "Content-Length")


def answer_public_reads(get_response: GetResponse) -> GetResponse:
    """Answer a stranger's read from the stored responses if its event has not changed."""

    def respond(request: HttpRequest) -> HttpResponse:
        leave_known_parameters(request)
        state = state_of(request) if settings.STORED_RESPONSES else None
        if state is None:
            return get_response(request)
        key = _key(state, request)
        if response := _stored_response(request, key):
            return response
        response = get_response(request)
        if is_for_all_strangers(request, response):
            if not response.headers.get("Cache-Control", "").startswith("public"):
                response.headers["Cache-Control"] = SHARED
            patch_vary_headers(response, ["Cookie", "Authorization", "Accept-Language"])
            size = len(response.content)
            is_whole = response.status_code == 200 and size <= LARGEST
            if is_whole and state_of(request) == state:
                headers = {n: v for n, v in response.headers.items() if n not in OF_A_REQUEST}
                cache = caches["responses" if size <= USUAL else "large_responses"]
                cache.set(key, (response.content, headers))
        return response

    return respond


def stream_of(request: HttpRequest) -> str | None:
    """Return the stream that a stranger's read depends on, or WHOLE; None for another request.

    A cookie of no login is removed: the response is that of a stranger.
    """
    view, part = view_of(request.path_info)
    read = getattr(view, "public_read", "")
    if read == "tournament_slug":
        part = str(request.GET.get("tournament_slug", ""))
    if not (part or read == WHOLE) or request.method not in ("GET", "HEAD"):
        return None
    if "Prefer" in request.headers and PREFER in view.parameters:  # it waits for a task
        return None
    # A page knows its readers by their sessions only.
    has_token = bool(request.headers.get("Authorization", "").strip())
    if (has_token and BearerAuthentication in view.authentication_classes) or has_login(request):
        return None
    if DONE in request.GET and DONE in request.COOKIES:
        return None  # the page says what this browser has just done
    request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
    if read == WHOLE:
        return WHOLE
    return f"{LIVE_FEED if read == GAME else TOURNAMENT_STREAM}{part}"


@lru_cache(maxsize=4096)
def view_of(path: str) -> tuple[Any, str]:
    """Return the class of the view at a path, and what the path of a public read names."""
    try:
        match = resolve(path)
    except Resolver404:
        return None, ""
    view = getattr(match.func, "cls", None)
    return view, str(match.kwargs.get(getattr(view, "public_read", ""), ""))


def leave_known_parameters(request: HttpRequest) -> None:
    """Remove from the query of a page what the page does not read; the API refuses such parameters.

    Each would otherwise be another response, since a page has its own address in its links. What is
    given twice stays, and is refused (`RefuseRepetitions`).
    """
    view, _ = view_of(request.path_info)
    is_page = getattr(view, "public_read", "") and hasattr(view, "query_names")
    if not is_page or request.method not in ("GET", "HEAD"):
        return
    known = {*view.query_names, DONE} if view.actions else {*view.query_names}
    given = request.GET.lists()
    unknown = [name for name, values in given if name not in known and len(values) == 1]
    if not unknown:
        return
    kept = request.GET.copy()
    for name in unknown:
        del kept[name]
    # `GET` is a cached property of requests; the address is made from the other.
    request.GET = kept  # type: ignore[assignment]
    request.META["QUERY_STRING"] = kept.urlencode()


def has_login(request: HttpRequest) -> bool:
    """Return True if the cookie is that of a session with a login; one query if there is one."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if key is None:
        return False
    session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return SESSION_KEY in session or TOKEN in session


def _key(state: list[Any], request: HttpRequest) -> str:
    encoding = request.headers.get("Accept-Encoding", "")
    is_compressed = bool(GZIP.search(encoding)), bool(GZIP_REFUSED.search(encoding))
    address = request.build_absolute_uri(request.path), sorted(request.GET.lists())
    parts = [state, address, language_of(request), _accepted(request), is_compressed]
    return blake2b(repr(parts).encode(), digest_size=20).hexdigest()


def _accepted(request: HttpRequest) -> str:
    """Return the media type that `Accept` chooses, "" where it chooses nothing."""
    path = request.path_info
    if "." in path.rpartition("/")[2] or not path.startswith("/api/"):
        return ""
    view, _ = view_of(path)
    try:
        offered = [each() for each in view.renderer_classes]
        return ByQuality().select_renderer(Request(request), offered)[1]
    except NotAcceptable:
        return ""


def state_of(request: HttpRequest) -> list[Any] | None:
    """Return the state that the response to a stranger depends on; None if it is unknown.

    It is unknown for another request, if the event has no line, and if the database fails: the view
    then meets the same error, and says what it means. Raises that of a database which does not
    respond, for which the view would wait as long again.
    """
    try:
        stream = stream_of(request)
        if stream is None:
            return None
        heads = heads_of(request, stream)
    except DatabaseError as error:
        if is_database_busy(error):
            raise
        return None
    has_lines = stream == WHOLE or any(head[0] == stream for head in heads)
    return [int(time() // PERIOD), *heads] if has_lines else None


def heads_of(request: HttpRequest, stream: str) -> list[Any]:
    """Return the heads of the journals that a read depends on.

    With boards that are being played, which no journal contains, it has a time too.
    """
    if stream == WHOLE:
        return site_state()
    if game := live_game_of(stream):
        return state_of_game(game)
    view, _ = view_of(request.path_info)
    if not view.shows_live_boards:
        return stream_state(stream)
    heads = state_with_live_boards(stream)
    is_followed = any(head[-1] for head in heads)
    return [*heads, (int(time() // LIVE_PERIOD),)] if is_followed else heads


def is_for_all_strangers(request: HttpRequest, response: HttpResponse) -> bool:
    """Return True if a response is the same for all strangers until the state changes."""
    varies = response.headers.get("Vary", "").replace(",", " ").lower().split()
    content_type = response.headers.get("Content-Type", "")
    is_sheet = content_type.startswith(PDF)
    return (
        PUBLIC_READ in request.META
        and response.status_code in (200, 304)
        and not response.streaming
        and not response.cookies
        and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
        and (is_sheet or "ETag" in response.headers)
        and (is_sheet or not content_type.startswith(TYPES_WITHOUT_ETAG))
        and KNOWN_VARIES.issuperset(varies)
    )


def _stored_response(request: HttpRequest, key: str) -> HttpResponse | None:
    """Return a stored response or 304; None without one, and if the caller is above the limit."""
    stored = caches["responses"].get(key) or caches["large_responses"].get(key)
    if stored is None:
        return None
    throttle = AnonymousThrottle()
    use = throttle.count(throttle.get_ident(request))
    if use.wait:
        return None
    content, headers = stored
    headers = {**headers, **use.fields}
    if "ETag" not in headers or not has_current_tag(request, headers["ETag"]):
        return HttpResponse(content, headers=headers)
    kept = {name: value for name, value in headers.items() if name not in OF_A_CONTENT}
    return HttpResponseNotModified(headers=kept)
