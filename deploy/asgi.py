"""The ASGI application that uvicorn serves: event streams, and Django in threads.

Django's WSGI application runs in a2wsgi's threads. A client that sends or reads slowly takes none
of them: a request is read completely before a thread gets it, and its response is collected before
it is sent. Event streams take no thread either (`deploy.streams`). The threads are given to the
clients in turn (`deploy.turns`).

A body that is too large, or has no length, is not read: Django rejects the request by its headers.
The response closes the connection; what the client still sends is read for some seconds.
"""

import asyncio
import gc
import json
import logging
import os
import resource
import signal
import sys
import threading
import uuid
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import FrameType
from typing import Any, Final

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django_application = get_wsgi_application()

# These need Django to be set up.
from django.apps import apps  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.exceptions import DisallowedHost  # noqa: E402
from django.core.handlers.asgi import ASGIRequest  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.template.loader import get_template  # noqa: E402
from django.urls import resolve  # noqa: E402

import deploy.urls  # noqa: E402, F401 (all views, which the first request would load)
from deploy.health import OUR_APPS, alive, stopping  # noqa: E402
from deploy.logs import log_start  # noqa: E402
from deploy.middleware import NO_STORE, REQUEST_ID, SAFE, body_limit  # noqa: E402
from deploy.public_reads import view_of  # noqa: E402
from deploy.readiness import Readiness  # noqa: E402
from deploy.streams import Receive, Scope, Send, Streams  # noqa: E402
from deploy.turns import MOST_WAITING, QueueFull, Turns  # noqa: E402
from deploy.views import asks_for_page, failed_page  # noqa: E402
from games.core.errors import request_id  # noqa: E402
from games.core.limits import network_of  # noqa: E402
from games.core.problems import failure, problem_response  # noqa: E402
from games.core.requests import client_address  # noqa: E402
from games.core.text import language_of  # noqa: E402
from games.core.waits import PREFER  # noqa: E402
from games.rules.text import Text  # noqa: E402
from tournament.webhooks.stream import STREAM_PATH  # noqa: E402

GRACE: Final = 10.0
RATE: Final = 8 << 10
LINGER: Final = 5.0
"""Seconds: a body may take `GRACE` and the time for its bytes at `RATE`, and so may a response; the
rest of a rejected request is read for `LINGER`."""

PATIENCE: Final = 0.5
"""Seconds in which a request may still arrive when the server stops."""

SPOOL_SIZE: Final = 256 << 10
"""Bytes of a body or a response in memory; a larger one is in a temporary file."""

PART_SIZE: Final = 64 << 10

QUEUE_FULL: Final = Text(
    "%(most)s requests from your address wait already, and no more may; nothing was changed, try"
    " again in some seconds",
    most=MOST_WAITING,
)

LIVENESS: Final = "/health/live"
"""The path that the event loop answers itself, so that it responds while all threads are busy."""
LIVE: Final = json.dumps(alive()).encode()

READINESS: Final = "/health/ready"
"""The path that the event loop answers itself, also while the database is away."""
STOPPING: Final = json.dumps(stopping()).encode()

METRICS: Final = "/health/metrics"
LONGEST_AGE: Final = 1.0
"""Seconds for which the metrics are sent to all who ask."""

Spool = SpooledTemporaryFile[bytes]
Answer = tuple[int, dict[str, str], bytes]
"""A status, the headers and a body."""


class Response:
    """A response, complete before it is sent."""

    def __init__(self, status: int = 500, headers: dict[str, str] | None = None, body: bytes = b""):
        self.status = status
        self.headers = [(n.encode(), value.encode()) for n, value in (headers or {}).items()]
        self.body = Spool(SPOOL_SIZE)
        self.body.write(body)
        self.error: Exception | None = None

    async def collect(self, message: Any) -> None:
        """Add a message of the application; an error of the disk must not stop its thread."""
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], [*message["headers"]]
        elif self.error is None:
            try:
                self.body.write(message["body"])
            except OSError as error:
                self.error = error

    async def send(self, send: Send, *, rest: Receive | None = None) -> None:
        """Send the response; with `rest` it is the last one, and what the client sends is read."""
        size, headers = self.body.tell(), self.headers
        if self.status not in (204, 304) and all(name != b"content-length" for name, _ in headers):
            headers.append((b"content-length", b"%d" % size))
        if rest is not None:
            headers.append((b"connection", b"close"))
        start = {"type": "http.response.start", "status": self.status, "headers": headers}
        self.body.seek(0)
        with suppress(TimeoutError), self.body:
            async with asyncio.timeout(GRACE + size / RATE):
                await send(start)
                while part := self.body.read(PART_SIZE):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                if rest is not None:
                    with suppress(TimeoutError, ConnectionError):
                        async with asyncio.timeout(LINGER):
                            async for _ in parts_of_body(rest):
                                pass
                await send({"type": "http.response.body", "body": b"", "more_body": False})


SWITCH_INTERVAL: Final = 0.0005
"""Seconds after which a thread that computes lets another one go on. Python's 5 ms are added each
time that a short response changes between the event loop and its thread."""


class Application:
    """Runs a WSGI application in threads."""

    def __init__(self, wsgi: Any, streams: Streams, *, threads: int) -> None:
        self._django: Any = WSGIMiddleware(wsgi, workers=threads, send_queue_size=0)
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._streams = streams
        self._readiness = Readiness()
        self._turns = Turns(threads)
        self._metrics: asyncio.Task[Answer] | None = None
        self._knows_stop = self._is_stopping = False

    def _drain_at_stop(self) -> None:
        """Let SIGTERM begin with DRAIN_SECONDS in which the server is not ready, and works on.

        Then all streams end, whose clients connect again: uvicorn waits for all responses when it
        stops, and tells the application nothing before.
        """
        loop, stop = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)

        def end(number: int) -> None:
            self._streams.end()
            if callable(stop):
                stop(number, None)

        def drain(number: int, _: FrameType | None) -> None:
            self._is_stopping = True
            loop.call_soon_threadsafe(loop.call_later, settings.DRAIN_SECONDS, end, number)

        self._knows_stop = True
        if threading.current_thread() is threading.main_thread():  # else, a server of a test
            signal.signal(signal.SIGTERM, drain)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request; uvicorn is started without the other types of a scope."""
        if not self._knows_stop:
            self._drain_at_stop()
        request_id.set(uuid.uuid4().hex)
        # WSGI could not tell X_Forwarded_For from X-Forwarded-For.
        scope["headers"] = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        is_read = scope["method"] in ("GET", "HEAD")
        hosts = sum(name == b"host" for name, _ in scope["headers"])
        if hosts > 1 or (not hosts and scope["http_version"] == "1.1"):
            problem = problem_response(400, "unreadable", "send one Host (RFC 9112, 3.2)")
            await report(scope, problem).send(send, rest=receive)
        elif is_read and scope["path"] == LIVENESS:
            await health(200, LIVE).send(send)
        elif is_read and scope["path"] == READINESS:
            state = (503, STOPPING) if self._is_stopping else await self._readiness()
            await health(*state).send(send)
        elif is_stream(scope):
            await self._streams(scope, receive, send)
        elif is_read and scope["path"] == METRICS and is_known_host(scope):
            await (await self._respond_with_metrics(scope)).send(send)
        else:
            await self._respond(scope, receive, send)

    async def _respond_with_metrics(self, scope: Scope) -> Response:
        """Return the metrics, for which all wait who ask meanwhile."""
        if self._metrics is None:
            self._metrics = asyncio.create_task(self._ask(scope))
        status, headers, body = await asyncio.shield(self._metrics)
        return Response(status, {**headers, REQUEST_ID.lower(): request_id.get()}, body)

    async def _ask(self, scope: Scope) -> Answer:
        """Ask Django, for a client of its own and without what one request says of itself."""
        host = dict(scope["headers"]).get(b"host", b"")
        asked = {"method": "GET", "query_string": b"", "headers": [(b"host", host)]}
        try:
            with Spool() as empty:
                async with self._turns.thread(METRICS, None):
                    response = await self._run(scope | asked, empty)
            with response.body as body:
                body.seek(0)
                headers = {name.decode(): value.decode() for name, value in response.headers}
                return response.status, headers, body.read()
        finally:
            asyncio.get_running_loop().call_later(LONGEST_AGE, self._forget_metrics)

    def _forget_metrics(self) -> None:
        self._metrics = None

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, and send Django's response, or why there is none."""
        request = ASGIRequest(scope, BytesIO())
        client = network_of(client_address(request))
        length = body_length(scope)
        is_readable = length is not None and length <= body_limit(scope["path"])
        rest = None if is_readable else receive
        try:
            with self._turns.place(client), Spool(SPOOL_SIZE) as body:
                if is_readable:
                    await read_body(receive, body)
                is_watched = is_readable and scope["method"] in SAFE
                watched = receive if is_watched else None
                async with self._turns.thread(client, watched, address_of_read(scope)):
                    response = await self._run(scope, body)
        except ConnectionError:  # the client has gone
            return
        except QueueFull:
            response, rest = report(scope, full_queue(request)), receive
        except TimeoutError:
            detail = "the body did not arrive in time; send it again"
            problem = problem_response(408, "request_timeout", detail)
            response, rest = report(scope, problem), receive
        except OSError as error:  # the disk is full
            response, rest = report(scope, failure(error)), receive
        await response.send(send, rest=rest)

    async def _run(self, scope: Scope, body: Spool) -> Response:
        """Return Django's response."""

        async def receive() -> dict[str, Any]:
            part = body.read(PART_SIZE)
            return {"type": "http.request", "body": part, "more_body": len(part) == PART_SIZE}

        response = Response()
        try:
            await self._django(scope, receive, response.collect)
        except Exception as error:  # outside of Django's own handling, such as a full disk
            response.error = error
        if response.error is not None:
            response.body.close()
            return report(scope, failure(response.error))
        return response


class Protocol(HttpToolsProtocol):
    """uvicorn's protocol, with the errors of the API and a gentle stop."""

    def shutdown(self) -> None:
        """Begin to stop; the server waits until all connections are closed.

        A request that is on its way on a connection without one would be lost.
        """
        self.loop.call_later(PATIENCE, super().shutdown)

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be parsed, as an address of more than 64 KB, with a problem."""
        request_id.set(uuid.uuid4().hex)
        detail = "the request is not HTTP, its method is unknown, or its address is too long"
        problem = problem_response(400, "unreadable", detail)
        logging.getLogger("perihelion.requests").info("%s %s", problem.status_code, self.client)
        headers = {
            **fields_of(problem),
            "Content-Length": str(len(problem.content)),
            "Connection": "close",
        }
        lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
        head = "".join(["HTTP/1.1 400 Bad Request\r\n", *lines, "\r\n"])
        self.transport.write(head.encode() + problem.content)
        self.transport.close()


def is_stream(scope: Scope) -> bool:
    """Return True for a request for an event stream."""
    is_read = scope["method"] == "GET" and body_length(scope) == 0
    return is_read and STREAM_PATH.fullmatch(scope["path"]) is not None


def address_of_read(scope: Scope) -> str:
    """Return the path of a read; "" for another request, and for one that waits for a task."""
    if scope["method"] not in ("GET", "HEAD"):
        return ""
    is_waiting = any(name == b"prefer" for name, _ in scope["headers"])
    is_task = is_waiting and PREFER in getattr(view_of(scope["path"])[0], "parameters", ())
    return "" if is_task else scope["path"]


def is_known_host(scope: Scope) -> bool:
    """Return False for a request that Django rejects by its host."""
    try:
        return bool(ASGIRequest(scope, BytesIO()).get_host())
    except DisallowedHost:
        return False


def body_length(scope: Scope) -> int | None:
    """Return the length of the body, None if it is chunked; uvicorn checks that it is a number."""
    headers = dict(scope["headers"])
    return None if b"transfer-encoding" in headers else int(headers.get(b"content-length", 0))


async def read_body(receive: Receive, body: Spool) -> None:
    """Write the body to a file; raise TimeoutError if it is too slow, or ConnectionError."""
    end = asyncio.get_running_loop().time() + GRACE
    async with asyncio.timeout_at(end) as timeout:
        async for part in parts_of_body(receive):
            body.write(part)
            timeout.reschedule(end + body.tell() / RATE)
    body.seek(0)


async def parts_of_body(receive: Receive) -> AsyncIterator[bytes]:
    """Yield the parts of a body as they arrive."""
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionAbortedError
        yield message["body"]
        more = message["more_body"]


def report(scope: Scope, problem: HttpResponse) -> Response:
    """Return a problem that did not come from Django, and log it."""
    log = logging.getLogger("perihelion.requests")
    log.info("%s %s %s %s", scope["method"], scope["path"], problem.status_code, scope["client"])
    return Response(problem.status_code, fields_of(problem), problem.content)


def fields_of(problem: HttpResponse) -> dict[str, str]:
    """Return the header fields of a problem that did not come from Django."""
    return {**problem.headers, "Cache-Control": NO_STORE, REQUEST_ID: request_id.get()}


def full_queue(request: HttpRequest) -> HttpResponse:
    """Return why a request may not wait: a page for a browser, else a problem."""
    if asks_for_page(request):
        return page_of_full_queue(language_of(request))
    return problem_response(429, "queue_full", QUEUE_FULL)


@cache
def page_of_full_queue(language: str) -> HttpResponse:
    """Return the page, which is written once: the event loop cannot do so for each request."""
    request = HttpRequest()
    request.path, request.META["HTTP_ACCEPT_LANGUAGE"] = "/", language
    number = request_id.set("")
    try:
        page = failed_page(request, 429, "queue_full", QUEUE_FULL)
    finally:
        request_id.reset(number)
    page.headers["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY
    return page


def health(status: int, body: bytes) -> Response:
    """Return what the event loop says of the process."""
    headers = {"content-type": "application/json", "cache-control": "no-store"}
    return Response(status, {**headers, REQUEST_ID: request_id.get()}, body)


def load_pages() -> None:
    """Load the addresses and the templates, so that the first requests do not wait for them."""
    resolve(LIVENESS)
    for app in apps.get_app_configs():
        folder = Path(app.path, "templates")
        for path in folder.rglob("*.html") if app.name in OUR_APPS else ():
            get_template(str(path.relative_to(folder)))


# Each connection is an open file; macOS may report a limit that it does not accept.
with suppress(OSError, ValueError):
    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))

application = Application(
    django_application,
    Streams(django_application, settings.LISTENERS_PER_ADDRESS),
    threads=settings.WEB_THREADS,
)
load_pages()
gc.freeze()  # a full collection took 100 ms, most of it for what was loaded at the start
log_start("web", f"{settings.PUBLIC_URL} on port {settings.PORT} of {settings.HOST}")
