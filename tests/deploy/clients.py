"""Clients of a running service: one that starts an event, and those that are slow or rejected."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from typing import Any

from tests.deploy.service import LIVE, Service
from tests.events import SET_UP

HALF_BODY = (
    b"POST /api/v1/rules/referee HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\nhalf"
)
REJECTED = [
    ("POST", "/api/v1/players", {}, 401),
    ("POST", "/api/v1/players", {"Authorization": "Bearer peri_unknown"}, 401),
    ("DELETE", "/api/v1/players", {}, 405),
    ("POST", "/nowhere", {}, 404),
    ("POST", "/api/v1/tokens", {"Content-Type": "text/unknown"}, 401),
    ("POST", "/api/v1/rules/referee", {"Content-Length": "2000000"}, 413),
    ("POST", "/api/v1/players", {"Transfer-Encoding": "chunked"}, 411),
]
"""Requests with a body that the application rejects without reading it."""


JOURNAL = (
    b"GET /api/v1/tournaments/lantern-masters/journal.ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n"
)
"""A request with a response that Django streams."""


@contextmanager
def slow_clients(
    service: Service, *, half_bodies: int, idle: int, not_reading: int = 0
) -> Iterator[None]:
    """Connections from 50 addresses: some with half a body, some idle, some that do not read.

    The latter wait until their responses begin: only their computation takes threads.
    """
    with ExitStack() as stack:
        readers = [stack.enter_context(socket.socket()) for _ in range(not_reading)]
        for client in readers:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", service.port))
            client.sendall(JOURNAL)
        for client in readers:
            client.recv(1, socket.MSG_PEEK)
        for number in range(half_bodies + idle):
            source = (f"127.0.1.{number % 50 + 1}", 0)
            client = socket.create_connection(("127.0.0.1", service.port), 20, source)
            stack.enter_context(client)
            if number < half_bodies:
                client.sendall(HALF_BODY)
        yield


def count_lost(service: Service, *, rounds: int) -> int:
    """Send rejected requests, each followed by one on the same connection unless it is closed.

    Return how many of the later requests had no response of their own.
    """
    connection = HTTPConnection("localhost", service.port, timeout=20)
    with closing(connection):
        return sum(is_next_lost(connection, REJECTED[n % len(REJECTED)]) for n in range(rounds))


def is_next_lost(
    connection: HTTPConnection, rejected: tuple[str, str, dict[str, str], int]
) -> bool:
    """Send a rejected request and another one; return True if the other has no response."""
    method, path, headers, status = rejected
    is_chunked = "Transfer-Encoding" in headers
    connection.request(method, path, b"x" * 300, headers, encode_chunked=is_chunked)
    response = connection.getresponse()
    response.read()
    assert response.status == status, (path, response.status)
    try:
        connection.request("GET", "/health/live")
        following = connection.getresponse()
        return (following.status, following.read()) != (200, LIVE)
    except OSError:
        connection.close()
        return True


def post(service: Service, path: str, body: Any = None, token: str = "") -> dict[str, Any]:
    """Return the answer to a POST of JSON by the organiser, or with a token."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    status, text = service.post(f"/api/v1/{path}", json.dumps(body or {}).encode(), headers)
    assert status < 300, text
    answer: dict[str, Any] = json.loads(text)
    return answer


def start_event(service: Service, slug: str = "away") -> tuple[int, list[str]]:
    """Start an event of two players; return its game and the tokens of its seats."""
    path = f"tournaments/{slug}"
    post(service, "tournaments", SET_UP | {"slug": slug, "name": "Away"})
    post(service, f"{path}/open")
    tokens = {}
    for name in ("Ada", "Ben"):
        player = post(service, "players", {"name": f"{name} {slug}"})["id"]
        entry = post(service, f"{path}/entries", {"player_id": player})["id"]
        tokens[player] = post(service, f"{path}/entries/{entry}/token")["token"]
    post(service, f"{path}/start")
    post(service, f"{path}/rounds/1/pair")
    post(service, f"{path}/rounds/1/publish")
    (row,) = json.loads(service.get(f"/api/v1/{path}/rounds/1/pairings")[1])["rows"]
    return row["game_id"], [tokens[row[seat]["player"]["id"]] for seat in ("first", "second")]
