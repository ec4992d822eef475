"""Middleware: send a stored response to a stranger's read of an event that has not changed.

A response is stored for one address with its query, host and the headers that it depends on
(`VARIES`), together with the last journal lines of the event and of the site. Requests with a login
or a token always reach the view. What belongs to one request is made anew: the fields of the rate
limit, which counts every request, the request id and the line in the log.
"""

import re
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from games.http.etags import ETAG, TYPES_WITHOUT_ETAG
from games.http.languages import language_of
from games.http.public_reads import MARK, PublicRead
from games.http.rate_limits import count_units, network_of
from games.http.request import client_address
from games.state_cache import StateCache
from tournament.queries.heads import stream_state

GetResponse = Callable[[HttpRequest], HttpResponse]

VARIES: Final = ("Accept", "Accept-Encoding")
"""Headers that a stored response may depend on, besides the language and the session."""

KNOWN_VARIES: Final = {name.lower() for name in VARIES} | {"cookie", "accept-language"}
STORED_ADDRESS: Final = re.compile(r"/(?:e/|api/v1/tournaments/|api/v1/games$)")
"""The addresses that can be public reads."""

LONGEST_KEY: Final = 1_000
"""Characters of the address and the headers of a request whose response is stored."""

PERIOD: Final = 900
"""Seconds. Days begin at a full quarter of an hour of UTC in all time zones, and some pages depend
on the day at the place of the event."""

NOT_STORED: Final = frozenset({"RateLimit", "RateLimit-Policy", "ETag"})
OVERHEAD: Final = 2_000
"""Bytes that a stored response takes besides its content, about."""


@dataclass(frozen=True, slots=True)
class StoredContent:
    """The content, the headers and the tag of a response (200)."""

    content: bytes
    headers: tuple[tuple[str, str], ...]
    tag: str


responses: StateCache[StoredContent] = StateCache(settings.RESPONSE_CACHE)
"""The responses that this process has stored; their size is in bytes."""


def answer_public_reads(get_response: GetResponse) -> GetResponse:
    """Answer a stranger's read from the stored responses if its event has not changed."""

    def respond(request: HttpRequest) -> HttpResponse:
        stream = stream_of(request) if responses.capacity else ""
        key = key_of(request) if stream else None
        state = state_of(stream) if key else None
        if state is None:
            return get_response(request)
        found = responses.find(key, state)
        if found is None:
            arrived_at = time.monotonic()
            with responses.computing(key, arrived_at=arrived_at) as computation:
                found = computation.shared_since(arrived_at)
                if found is None:
                    state = state_of(stream)
                    found = responses.find(key, state)
                if found is None:
                    began_at = time.monotonic()
                    response = get_response(request)
                    if stored := _store(request, response, key, stream, state):
                        computation.share(stored, began_at=began_at)
                    return response
        return stored_response(request, found) or get_response(request)

    return respond


def stream_of(request: HttpRequest) -> str:
    """Return the stream that a stranger's read depends on, empty if it is another request."""
    if request.method != "GET" or not STORED_ADDRESS.match(request.path_info):
        return ""
    if "HTTP_AUTHORIZATION" in request.META or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return ""
    read, slug = public_read(request.path_info)
    if read == PublicRead.ADDRESS:
        return f"tournament/{slug}"
    stream = str(request.GET.get("stream", "")) if read == PublicRead.QUERY else ""
    return stream if stream.startswith("tournament/") else ""


@lru_cache(maxsize=4096)
def public_read(path: str) -> tuple[PublicRead, str]:
    """Return where the read of this path names its event, and the slug in the path."""
    try:
        match = resolve(path)
    except Resolver404:
        return PublicRead.NONE, ""
    view: Any = getattr(match.func, "cls", None)
    return getattr(view, "public_read", PublicRead.NONE), match.kwargs.get("slug", "")


def key_of(request: HttpRequest) -> Hashable:
    """Return what a response depends on besides its state; None if that is unusually long."""
    meta = request.META
    is_page = request.path_info.startswith("/e/")
    varies = VARIES[1:] if is_page else VARIES  # a page ignores `Accept`
    headers = [meta.get(f"HTTP_{name.upper().replace('-', '_')}", "") for name in varies]
    texts = (request.path_info, meta.get("QUERY_STRING", ""), *headers)
    if sum(map(len, texts)) > LONGEST_KEY:
        return None
    return (request.scheme, request.get_host(), language_of(request), *texts)


def state_of(stream: str) -> Hashable:
    """Return the state that the responses about a stream depend on; None if it is unknown.

    It is unknown if the stream has no line, and if the database fails: the view then meets the
    same error, and says what it means.
    """
    try:
        heads = stream_state(stream)
    except DatabaseError:
        return None
    has_lines = any(head[0] == stream for head in heads)
    return (int(time.time() // PERIOD), *heads) if has_lines else None


def _store(
    request: HttpRequest, response: HttpResponse, key: Hashable, stream: str, state: Hashable
) -> StoredContent | None:
    """Store a response if nothing has changed since its state; None if it is not for others.

    The content for all strangers is returned in any case.
    """
    if not (state and can_be_stored(request, response)):
        return None
    kept = tuple((n, v) for n, v in response.headers.items() if n not in NOT_STORED)
    content = StoredContent(response.content, kept, response.headers["ETag"])
    if state_of(stream) == state:
        responses.store(key, state, content, size=len(response.content) + OVERHEAD)
    return content


def can_be_stored(request: HttpRequest, response: HttpResponse) -> bool:
    """Return True if a response is the same for all strangers until the state changes."""
    varies = response.headers.get("Vary", "").replace(",", " ").lower().split()
    return (
        MARK in request.META
        and response.status_code == 200
        and not response.streaming
        and not response.cookies
        and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
        and "ETag" in response.headers
        and not response.headers.get("Content-Type", "").startswith(TYPES_WITHOUT_ETAG)
        and KNOWN_VARIES.issuperset(varies)
    )


def stored_response(request: HttpRequest, stored: StoredContent) -> HttpResponse | None:
    """Return a stored response or 304; None if the caller has used up the limit."""
    use = count_units("anonymous", network_of(client_address(request)), 1)
    if not use.is_allowed:
        return None
    headers = {**dict(stored.headers), **use.fields, "ETag": stored.tag}
    known = request.META.get("HTTP_IF_NONE_MATCH", "")
    if known and (known.strip() == "*" or ETAG.findall(stored.tag)[0] in ETAG.findall(known)):
        for name in ("Content-Type", "Content-Encoding", "Content-Length"):
            headers.pop(name, None)
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(stored.content, headers=headers)
