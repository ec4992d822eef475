"""The body of a request: read completely, in a given time, before a thread takes the request."""

import asyncio
from collections.abc import AsyncIterator
from tempfile import SpooledTemporaryFile
from typing import Final

from uvicorn._types import ASGIReceiveCallable, HTTPScope

from deploy.server.limits import Limits

SPOOL_SIZE: Final = 256 << 10
"""Bytes of a body or a response in memory; a larger one is in a temporary file."""

Spool = SpooledTemporaryFile[bytes]


class Disconnected(Exception):
    """The client closed the connection before the end of the body."""


def body_length(scope: HTTPScope) -> int | None:
    """Return the length of the body, None if it is chunked."""
    length = 0
    for name, value in scope["headers"]:
        if name == b"transfer-encoding":
            return None
        if name == b"content-length":  # the parser has checked that it is one number
            length = int(value)
    return length


async def read_body(receive: ASGIReceiveCallable, limits: Limits) -> Spool:
    """Return the body; raises TimeoutError if it is too slow, or Disconnected."""
    body = Spool(SPOOL_SIZE)
    started = asyncio.get_running_loop().time() + limits.grace
    try:
        async with asyncio.timeout_at(started) as timeout:
            async for part in _parts(receive):
                body.write(part)
                timeout.reschedule(started + body.tell() / limits.rate)
    except BaseException:
        body.close()
        raise
    body.seek(0)
    return body


async def discard_body(receive: ASGIReceiveCallable, limits: Limits) -> None:
    """Read what the client still sends, for a short time."""
    try:
        async with asyncio.timeout(limits.linger):
            async for _ in _parts(receive):
                pass
    except (TimeoutError, Disconnected):
        return


async def _parts(receive: ASGIReceiveCallable) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise Disconnected
        yield message["body"]
        more = message["more_body"]
