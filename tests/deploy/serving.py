"""The web server with a small application, and clients that write raw HTTP."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from uvicorn import Config, Server

from deploy import asgi
from games.core.formats import MAX_BODY_SIZE as LARGEST_BODY

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
THREADS = 2


class Application:
    """Responds with what it received; `/wait…` and `?wait` until `released`, `/pause` in a second.

    `served` are the paths in the order in which their requests had a thread.
    """

    def __init__(self) -> None:
        self.released = threading.Event()
        self.served: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        path = environ["PATH_INFO"]
        self.served.append(path)
        if path.startswith("/wait") or environ["QUERY_STRING"] == "wait":
            self.released.wait(30)
        if path == "/pause":
            time.sleep(1)
        if path == "/fail":
            raise RuntimeError
        if path == "/large":
            start_response("200 OK", [])
            return [b"x" * (1 << 20)] * 16
        if path == "/unchanged":
            start_response("304 Not Modified", [])
            return []
        is_too_large = int(environ.get("CONTENT_LENGTH") or 0) > LARGEST_BODY
        start_response("413 Too Large" if is_too_large else "200 OK", [])
        received = {
            name: value
            for name, value in environ.items()
            if name in ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING", "REMOTE_ADDR")
            or name.startswith("HTTP_X_")
        }
        body = environ["wsgi.input"].read().decode()
        return [json.dumps({**received, "body": body}).encode()]


class Client:
    """A connection; `source` is the address that it comes from."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(
            ("127.0.0.1", port), timeout=20, source_address=(source, 0)
        )
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def send(self, data: bytes) -> "Client":
        self.socket.sendall(data)
        return self

    def response(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the next response."""
        status = int(self.file.readline().split()[1])
        headers = {}
        while line := self.file.readline().strip().decode():
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        return status, headers, self.file.read(int(headers.get("content-length", 0)))

    def get(self, request: bytes = GET) -> int:
        """Send a request and return the status of its response."""
        return self.send(request).response()[0]

    def is_closed(self) -> bool:
        """Wait for the end of the connection."""
        try:
            return self.file.read(1) == b""
        except ConnectionResetError:
            return True


@contextmanager
def serving(application: Application, *, threads: int = THREADS, **limits: float) -> Iterator[int]:
    """Run uvicorn with some threads for an application, and with other limits; its port."""
    config = Config(
        asgi.Application(application, None, threads=threads),
        http=asgi.Protocol,
        lifespan="off",
        ws="none",
        access_log=False,
        proxy_headers=False,
        log_config=None,
    )
    server = Server(config)
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as listener:
        for name, value in limits.items():
            patch.setattr(asgi, name.upper(), value)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            application.released.set()
            server.should_exit = True
            thread.join()
