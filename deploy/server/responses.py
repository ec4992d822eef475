"""The response of the application: collected completely, so that no thread waits for a client."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from uvicorn._types import ASGISendCallable, HTTPResponseBodyEvent

from deploy.disk import disk_full_detail
from deploy.server.bodies import SPOOL_SIZE, Spool
from deploy.server.problems import Headers, describe

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
log = logging.getLogger("perihelion.server")

PART_SIZE: Final = 64 << 10
"""Bytes that are read from a temporary file at a time."""

END: Final[HTTPResponseBodyEvent] = {
    "type": "http.response.body",
    "body": b"",
    "more_body": False,
}


@dataclass(frozen=True, slots=True)
class ServerResponse:
    """A complete response; a body larger than SPOOL_SIZE is in a temporary file."""

    status: int
    headers: Headers
    body: bytes | Spool


def problem_for(environ: dict[str, Any], status: int, code: str, detail: str) -> ServerResponse:
    """Return a problem that the server itself reports."""
    headers, body = describe(
        status,
        code,
        detail,
        address=environ["REMOTE_ADDR"],
        method=environ["REQUEST_METHOD"],
        path=environ["PATH_INFO"],
    )
    return ServerResponse(status, headers, body)


def failure(environ: dict[str, Any], error: Exception) -> ServerResponse:
    """Return the problem for an exception, and log it: 507 if the disk is full, otherwise 500."""
    log.error("%s failed", environ["PATH_INFO"], exc_info=error)
    if detail := disk_full_detail(error):
        return problem_for(environ, 507, "disk_full", detail)
    detail = "an unexpected error occurred; find it in the log by the request id"
    return problem_for(environ, 500, "internal_error", detail)


def run_application(application: Application, environ: dict[str, Any]) -> ServerResponse:
    """Return the response of the WSGI application."""
    try:
        return _collect(application, environ)
    except Exception as error:
        return failure(environ, error)


def _collect(application: Application, environ: dict[str, Any]) -> ServerResponse:
    started: list[Any] = []
    parts: list[bytes] = []

    def start_response(status: str, headers: Headers, _: Any = None) -> Any:
        started[:] = [int(status[:3]), list(headers)]
        return parts.append

    spool, size = None, 0
    chunks = application(environ, start_response)
    try:
        for chunk in chunks:
            parts.append(chunk)
            size += len(chunk)
            if size > SPOOL_SIZE:
                spool = spool or Spool(SPOOL_SIZE)
                spool.writelines(parts)
                parts.clear()
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    status, headers = started
    if spool is not None:
        spool.writelines(parts)
        spool.seek(0)
    has_length = any(name.lower() == "content-length" for name, _ in headers)
    if not has_length and status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
        headers.append(("Content-Length", str(size)))
    return ServerResponse(status, headers, b"".join(parts) if spool is None else spool)


async def send_response(
    response: ServerResponse, send: ASGISendCallable, *, is_last: bool = False
) -> None:
    """Send a response; `is_last` announces the end of the connection and leaves `END` to send."""
    headers = [
        (name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers
    ]
    if is_last:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    body = response.body
    if isinstance(body, bytes):
        await send({"type": "http.response.body", "body": body, "more_body": is_last})
        return
    with body:
        while part := body.read(PART_SIZE):
            await send({"type": "http.response.body", "body": part, "more_body": True})
    if not is_last:
        await send(END)
