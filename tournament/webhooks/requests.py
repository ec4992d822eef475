"""Send one request of a webhook: to an address that was checked, within limits.

The request goes to nowhere else: redirects are not followed and proxies of the environment are not
used. The certificate must be that of the host in the address. The whole attempt has a time limit,
whatever the receiver sends or does not send, and only the beginning of its response is read.
"""

import ssl
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any

import httpcore
from django.utils import timezone

from games.rules.text import Text
from tournament.webhooks.addresses import AddressRefused, Resolve, check_url, find_allowed, resolve

CONNECT_TIMEOUT, TOTAL_TIMEOUT = 5.0, 10.0
"""Seconds to connect, and of the whole attempt after the name is resolved."""
LARGEST_READ_RESPONSE = 2048
"""Bytes of a response that are read."""
LONGEST_EXCERPT, LONGEST_REASON = 500, 180


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """What an attempt led to: the status, if there was a response, and why it failed.

    `retry_after` are the seconds that the receiver asked to wait.
    """

    status: int | None = None
    problem: str = ""
    excerpt: str = ""
    retry_after: float = 0.0

    @property
    def is_success(self) -> bool:
        """Return True for a status from 200 to 299."""
        return self.status is not None and 200 <= self.status < 300


class _LimitedStream(httpcore.NetworkStream):
    """A connection of which no operation ends after a deadline (of `time.monotonic`)."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def _limit(self, timeout: float | None) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout(Text("the attempt took too long"))
        return left if timeout is None else min(left, timeout)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._limit(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._limit(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        limit = min(self._limit(timeout), CONNECT_TIMEOUT)
        stream = self._stream.start_tls(ssl_context, server_hostname, limit)
        return _LimitedStream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _CheckedNetwork(httpcore.SyncBackend):
    """A network in which a host is reached at an address that was checked, and only so."""

    def __init__(self, scheme: str, resolve: Resolve) -> None:
        self._scheme, self._resolve = scheme, resolve

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = find_allowed(host, port, self._scheme, self._resolve)
        deadline = time.monotonic() + TOTAL_TIMEOUT
        connect_until = time.monotonic() + CONNECT_TIMEOUT
        for address in addresses:
            limit = max(connect_until - time.monotonic(), 0.1)
            try:
                stream = super().connect_tcp(address, port, limit, socket_options=socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if address == addresses[-1] or time.monotonic() >= connect_until:
                    raise
            else:
                return _LimitedStream(stream, deadline)
        raise httpcore.ConnectError(Text("there is no address"))


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Return the context with the trusted certificates, which take a while to load."""
    return httpcore.default_ssl_context()


def send_request(
    url: str,
    body: bytes,
    headers: Mapping[bytes | str, bytes | str],
    *,
    resolve: Resolve = resolve,
    certificates: ssl.SSLContext | None = None,
) -> DeliveryOutcome:
    """Send a body by POST and return the outcome; a failure is one, and nothing is raised for it.

    `certificates` are by default those of the public authorities.
    """
    try:
        parts = check_url(url)
        with (
            httpcore.ConnectionPool(
                ssl_context=certificates or _certificates(),
                network_backend=_CheckedNetwork(parts.scheme, resolve),
            ) as pool,
            pool.stream("POST", url, headers=dict(headers), content=body) as response,
        ):
            status = response.status
            excerpt = _read_beginning(response)
            headers_received = {name.lower(): value for name, value in response.headers}
            retry_after = _seconds_of(headers_received.get(b"retry-after", b""))
    except (AddressRefused, OSError, httpcore.TimeoutException) as error:
        return DeliveryOutcome(problem=_describe(error))
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        return DeliveryOutcome(problem=_describe(error))
    problem = ""
    if 300 <= status < 400:
        problem = Text(
            "the response has the status %(status)s; redirects are not followed", status=status
        )
    elif not 200 <= status < 300:
        problem = Text("the response has the status %(status)s", status=status)
    return DeliveryOutcome(status, problem, excerpt, retry_after)


def _read_beginning(response: httpcore.Response) -> str:
    """Return the beginning of a response as text; the status counts even if the rest fails."""
    content = b""
    try:
        for chunk in response.iter_stream():
            content += chunk
            if len(content) >= LARGEST_READ_RESPONSE:
                break
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException):
        pass
    text = content[:LARGEST_READ_RESPONSE].decode(errors="replace")
    return "".join(char if char.isprintable() else " " for char in text)[:LONGEST_EXCERPT]


def _describe(error: Exception) -> str:
    """Return what failed in words."""
    if isinstance(error, httpcore.ConnectTimeout):
        return Text("no connection within %(seconds)s seconds", seconds=f"{CONNECT_TIMEOUT:.0f}")
    if isinstance(error, httpcore.TimeoutException):
        return Text("no response within %(seconds)s seconds", seconds=f"{TOTAL_TIMEOUT:.0f}")
    if isinstance(error, AddressRefused):
        return str(error)
    reason = (str(error) or type(error).__name__)[:LONGEST_REASON]
    return Text("no response: %(detail)s", detail=reason)


def _seconds_of(value: bytes) -> float:
    """Return the seconds of a `Retry-After` header, a number or a date; 0 if there is none."""
    text = value.decode("latin-1").strip()
    if text.isdecimal() and text.isascii():
        return float(text[:9])
    try:
        return max((parsedate_to_datetime(text) - timezone.now()).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return 0.0
