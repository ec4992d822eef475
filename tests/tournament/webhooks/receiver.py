"""A real receiver of webhooks on this machine, which answers as a test tells it to."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any, Final

from standardwebhooks import Webhook as Verifier

LOOPBACK: Final = [ip_network("127.0.0.0/8")]
"""The networks that the settings of tests allow, so that the receiver can be reached."""

Answer = Callable[[socket.socket], None]


def status(code: int, body: bytes = b"fine", **headers: str) -> Answer:
    """Answer with a status, headers and a body."""
    lines = [f"HTTP/1.1 {code} X", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join([*lines, "", ""]).encode()
    return lambda connection: connection.sendall(head + body)


def close_early(connection: socket.socket) -> None:
    """Close the connection in the middle of the answer."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Le")


def drip(connection: socket.socket) -> None:
    """Send a byte of a header now and then, without an end."""
    connection.settimeout(0.1)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Drip: ")
    for _ in range(200):
        connection.sendall(b"a")
        with suppress(TimeoutError):
            connection.recv(1)


def endless(connection: socket.socket) -> None:
    """Send a body that does not end, as fast as it is read."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(100_000):
        connection.sendall(b"more " * 200)


@dataclass(slots=True)
class Received:
    """A request, with the names of its headers in small letters."""

    path: str
    headers: dict[str, str]
    body: bytes

    def verified(self, secret: str) -> Any:
        """Return the content; raises WebhookVerificationError for a wrong signature."""
        return Verifier(secret).verify(self.body, self.headers)


@dataclass
class Receiver:
    """Answers each request by the next of `answers`, and from then on by the last one."""

    answers: list[Answer] = field(default_factory=lambda: [status(200)])
    received: list[Received] = field(default_factory=list)
    port: int = 0
    names: list[str] = field(default_factory=list)
    """The host names that clients have asked for in TLS."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def contents(self, secret: str) -> list[Any]:
        """Return the verified contents in the order of their arrival."""
        return [request.verified(secret) for request in self.received]

    @property
    def ids(self) -> list[str]:
        return [request.headers["webhook-id"] for request in self.received]

    def serve(self, connection: socket.socket, certificate: ssl.SSLContext | None) -> None:
        with suppress(OSError), ExitStack() as stack:
            stack.enter_context(connection)
            if certificate is not None:
                secured = certificate.wrap_socket(connection, server_side=True)
                connection = stack.enter_context(secured)
            self.received.append(_read_request(connection))
            answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
            answer(connection)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def _read_request(connection: socket.socket) -> Received:
    content = b""
    while b"\r\n\r\n" not in content:
        content += connection.recv(65_536)
    head, _, body = content.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    pairs = (line.split(": ", 1) for line in lines)
    headers = {name.lower(): value for name, value in pairs}
    while len(body) < int(headers["content-length"]):
        body += connection.recv(65_536)
    return Received(first.split()[1], headers, body)


@contextmanager
def receiving(
    *answers: Answer, certificate: ssl.SSLContext | None = None, port: int = 0
) -> Iterator[Receiver]:
    """Run a receiver on a port of this machine, on a free one by default."""
    receiver = Receiver(list(answers) or [status(200)])
    if certificate is not None:
        certificate.sni_callback = lambda _, name, __: receiver.names.append(str(name))
    with socket.create_server(("127.0.0.1", port)) as server:
        receiver.port = server.getsockname()[1]
        is_open = True

        def accept() -> None:
            while is_open:
                with suppress(OSError):
                    connection, _ = server.accept()
                    arguments = (connection, certificate)
                    threading.Thread(target=receiver.serve, args=arguments, daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            is_open = False
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
            thread.join(5)
