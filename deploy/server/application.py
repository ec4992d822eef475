"""The ASGI application: reads a request completely, then runs the WSGI application in a thread.

A request that the WSGI application rejects by its headers (a body that is too large, or one without
a length) is passed to it without its body. The response closes the connection, because what the
client still sends is not a request.
"""

import asyncio
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, Scope

from deploy.api import RETRY_SECONDS
from deploy.server.bodies import Disconnected, body_length, discard_body, read_body
from deploy.server.connection import NO_STREAM
from deploy.server.environ import build_environ
from deploy.server.limits import Limits
from deploy.server.responses import (
    END,
    Application,
    ServerResponse,
    failure,
    problem_for,
    run_application,
    send_response,
)

LIVENESS: Final = "/health/live"
"""The path that has a thread of its own, so that it responds while all others are busy."""


class ThreadedApplication:
    """An ASGI application that runs a WSGI application in threads.

    `queued` requests may wait for one of the `threads`; `body_limit` returns the size of the
    largest body that a path accepts.
    """

    def __init__(
        self,
        application: Application,
        limits: Limits,
        *,
        threads: int,
        queued: int,
        body_limit: Callable[[str], int],
    ) -> None:
        self._application = application
        self._limits = limits
        self._body_limit = body_limit
        self._threads = ThreadPoolExecutor(threads, "request")
        self._liveness = ThreadPoolExecutor(1, "liveness")
        self._most = threads + queued
        self._unfinished = 0

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Respond to a request."""
        assert scope["type"] == "http"  # the server is started without the other types
        environ = build_environ(scope)
        if scope.get("state", {}).get(NO_STREAM):
            await send_response(_no_stream(environ), send)
            return
        length = body_length(scope)
        environ["wsgi.input"] = io.BytesIO()
        if length is None or length > self._body_limit(environ["PATH_INFO"]):
            await self._respond_last(await self._run(environ), receive, send)
        elif length:
            try:
                with await read_body(receive, self._limits) as body:
                    environ["wsgi.input"] = body
                    response = await self._run(environ)
            except Disconnected:
                return
            except TimeoutError:
                detail = "the body did not arrive in time; send it again"
                response = problem_for(environ, 408, "request_timeout", detail)
                await self._respond_last(response, receive, send)
            except OSError as error:  # the disk is full
                await self._respond_last(failure(environ, error), receive, send)
            else:
                await send_response(response, send)
        else:
            await send_response(await self._run(environ), send)

    async def _run(self, environ: dict[str, Any]) -> ServerResponse:
        """Return the response of the WSGI application, 503 if too many requests are queued."""
        loop = asyncio.get_running_loop()
        if environ["PATH_INFO"] == LIVENESS:
            return await loop.run_in_executor(
                self._liveness, run_application, self._application, environ
            )
        if self._unfinished >= self._most:
            detail = "the service has too many requests; nothing was changed, try again"
            response = problem_for(environ, 503, "busy", detail)
            response.headers.append(("Retry-After", RETRY_SECONDS))
            return response
        self._unfinished += 1
        future = loop.run_in_executor(self._threads, run_application, self._application, environ)
        future.add_done_callback(self._finish)
        return await future

    def _finish(self, _: Any) -> None:
        self._unfinished -= 1

    async def _respond_last(
        self, response: ServerResponse, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Send a response that closes the connection, and read the rest of the body meanwhile."""
        await send_response(response, send, is_last=True)
        await discard_body(receive, self._limits)
        await send(END)


def _no_stream(environ: dict[str, Any]) -> ServerResponse:
    detail = "the event stream is starting; connect again with the id of the last event"
    response = problem_for(environ, 503, "stream_unavailable", detail)
    response.headers.append(("Retry-After", RETRY_SECONDS))
    return response
