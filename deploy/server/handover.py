"""Hand the connections of event streams over to the process that sends them.

A listener needs a connection for hours and no thread, so another process has it: it gets the socket
of the client over a Unix socket, with the head of the request. The client and its address stay the
same, and nothing is copied between the two processes afterwards.
"""

import logging
import re
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Final

log = logging.getLogger("perihelion.server")

EVENT_STREAM_PATH: Final = re.compile(rb"/api/v1/tournaments/[^/?#]+/events")
"""The path of a stream, as it is sent."""

LARGEST_HEAD: Final = 64 << 10
"""Bytes; the web server refuses heads of half this size."""

Headers = Sequence[tuple[bytes, bytes]]


def is_stream(method: bytes, path: bytes, headers: Headers) -> bool:
    """Return True for a request that the stream process answers: a GET without a body."""
    has_body = any(name in (b"content-length", b"transfer-encoding") for name, _ in headers)
    return method == b"GET" and EVENT_STREAM_PATH.fullmatch(path) is not None and not has_body


def hand_over(receiver: Path, descriptor: int, url: bytes, headers: Headers) -> bool:
    """Send a connection and the head of its request; return False if nobody receives it.

    Each has a connection of its own to the receiver, which ends with it. This never waits: the
    receiver's queue has room, or the request is answered with an error.
    """
    lines = [b"GET " + url + b" HTTP/1.1", *(name + b": " + value for name, value in headers)]
    head = b"\r\n".join([*lines, b"", b""])
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.setblocking(False)
        try:
            connection.connect(str(receiver))
            return socket.send_fds(connection, [head], [descriptor]) == len(head)
        except OSError as error:
            log.warning("a listener could not be handed over to the event stream: %s", error)
            return False
