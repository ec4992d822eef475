"""A connection: uvicorn's, with deadlines for heads and responses, and limits."""

import struct
from math import inf
from pathlib import Path
from socket import SO_LINGER, SOL_SOCKET
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from deploy.server.connections import Connections
from deploy.server.handover import hand_over, is_stream
from deploy.server.problems import format_problem
from games.http.rate_limits import network_of

NO_STREAM = "no_stream"
"""The member of a request's state that is set if the stream process could not be reached."""

NOT_HTTP = 400, "unreadable", "the request is not HTTP/1.1"


class Connection(HttpToolsProtocol):
    """A connection of a client; all methods run in the event loop.

    uvicorn's `cycle` is the latest request and its response. `stream_socket` is where connections
    of event streams are handed over, None if they stay.
    """

    def __init__(
        self, connections: Connections, stream_socket: Path | None = None, **arguments: Any
    ) -> None:
        super().__init__(**arguments)
        self.stream_socket = stream_socket
        self.open_connections = connections
        self.limits = connections.limits
        self.address = self.network = ""
        self.deadline = inf  # of a head, or of the end after a rejection
        self.problem = NOT_HTTP  # why the parser stops
        self.is_rejected = False  # ignores what the client sends
        self.has_partial_head = False
        self.head_size = 0
        self.unsent = 0  # bytes of the response, at `unsent_since`
        self.unsent_since = 0.0

    # --- Called by the event loop -------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        """Register the connection."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.network = network_of(self.address)
        self.deadline = self.loop.time() + self.limits.head
        self.open_connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.is_rejected = True
        self.open_connections.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what the client sent."""
        if self.is_rejected:
            return
        super().data_received(data)
        if self.is_rejected:
            return
        if self.has_partial_head:
            self.head_size += len(data)
            self._check_head()
        elif self.is_unused and self.deadline == inf:  # empty lines before a request
            self.deadline = self.loop.time() + self.limits.head

    # --- Called by the parser -----------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Begin to read a head."""
        super().on_message_begin()
        self.has_partial_head, self.head_size = True, 0
        self.deadline = self.loop.time() + self.limits.head

    def on_headers_complete(self) -> None:
        """Begin the request; an exception makes uvicorn call `send_400_response`."""
        self.has_partial_head, self.deadline = False, inf
        self.head_size = len(self.url) + sum(len(n) + len(v) + 4 for n, v in self.headers)
        self._check_head()
        if self.is_rejected or len(self.pipeline) >= self.limits.pipelined:
            raise ValueError(self.problem)
        if self.stream_socket is not None and self._is_stream():
            self._hand_over(self.stream_socket)
        super().on_headers_complete()

    # --- Called by uvicorn --------------------------------------------------------------------

    def send_400_response(self, msg: str) -> None:
        """Reject a request that cannot be parsed."""
        self._reject()

    def on_response_complete(self) -> None:
        """Count the connection as the latest one that was used."""
        self.open_connections.add(self)
        super().on_response_complete()

    def shutdown(self) -> None:
        """Close when the present response is sent; at once if the client is too slow for that."""
        if self.is_waiting and not self.is_unused:
            self.drop()
        else:
            super().shutdown()

    def _unsupported_upgrade_warning(self) -> None:
        self.cycle.keep_alive = False  # the parser does not read another request

    # --- Called by `Connections` --------------------------------------------------------------

    @property
    def is_unused(self) -> bool:
        """True if no request is running."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def is_waiting(self) -> bool:
        """True while the server waits for the client."""
        return self.is_unused or self.cycle.more_body or self.flow.write_paused

    def close_if_slow(self, now: float) -> bool:
        """Close the connection if its client is too slow; return True if it was."""
        if self._is_reading_slowly(now):
            self.drop()
            return True
        if now <= self.deadline:
            return False
        if self.has_partial_head and not self.transport.is_closing():
            seconds = self.limits.head
            detail = f"the request line and the headers did not arrive within {seconds:g} s"
            self.problem = 408, "request_timeout", detail
            self._reject()
        else:
            self.drop()
        return True

    def drop(self) -> None:
        """Close the connection at once; the system does not store what is left of a response."""
        self.is_rejected = True
        self.open_connections.remove(self)
        linger = struct.pack("ii", 1, 0)
        self.transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, linger)
        self.transport.abort()

    # --- Steps --------------------------------------------------------------------------------

    def _is_reading_slowly(self, now: float) -> bool:
        """Return True if too little of a response was sent since `unsent_since`."""
        unsent = self.transport.get_write_buffer_size()
        if unsent and self.cycle is not None:
            unsent += self.cycle.expected_content_length
        if not unsent or not self.unsent or unsent > self.unsent:  # nothing, or another response
            self.unsent, self.unsent_since = unsent, now
        elif now - self.unsent_since > self.limits.grace:
            if self.unsent - unsent < self.limits.grace * self.limits.rate:
                return True
            self.unsent, self.unsent_since = unsent, now
        return False

    def _is_stream(self) -> bool:
        """Return True if the request can go to the stream process, with the whole connection."""
        is_free = self.is_unused and not self.transport.get_write_buffer_size()
        if not is_free or self.parser.should_upgrade() or self.parser.get_http_version() != "1.1":
            return False
        return is_stream(self.parser.get_method(), self.url.partition(b"?")[0], self.headers)

    def _hand_over(self, receiver: Path) -> None:
        """Give the connection away; the exception ends the parser, and what it has left is dropped.

        Without a receiver, the request stays, and the application says that there is no stream.
        """
        descriptor = self.transport.get_extra_info("socket").fileno()
        if hand_over(receiver, descriptor, self.url, self.headers):
            self.is_rejected = True
            self.transport.close()  # only this process's descriptor of the socket
            raise ValueError("the connection was handed over")
        self.scope["state"][NO_STREAM] = True

    def _check_head(self) -> None:
        if self.head_size > self.limits.head_size:
            detail = f"the request line and the headers may have {self.limits.head_size} bytes"
            self.problem = 431, "headers_too_large", detail
            self._reject()

    def _reject(self) -> None:
        """Send `problem`, and close when the client has read it; after a response that is due."""
        if self.is_rejected:
            return
        self.is_rejected, self.has_partial_head = True, False
        if not self.is_unused:
            self.cycle.keep_alive, self.deadline = False, inf
            return
        self.deadline = self.loop.time() + self.limits.linger
        self._unset_keepalive_if_required()
        self.transport.write(format_problem(*self.problem, address=self.address))
        self.transport.write_eof()
