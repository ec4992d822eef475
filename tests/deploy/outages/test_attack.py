"""Who sends many requests and goes away makes nobody wait."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import httpx
import pytest
from pytest_django import DjangoDbBlocker

from tests.deploy.event_checks import connected_to
from tests.deploy.service import Service
from tests.events import make_running
from tests.people import make_person
from tests.processes import Program

pytestmark = [pytest.mark.processes, pytest.mark.long]

ATTACKER, VISITOR = "127.0.0.2", "127.0.0.3"
ABANDONER = """
import socket, sys, time
from contextlib import ExitStack

port, source, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
while True:
    with ExitStack() as stack:
        for number in range(200):
            address = ("127.0.0.1", port)
            client = stack.enter_context(socket.create_connection(address, 20, (source, 0)))
            head = f"GET {path}?at={time.time()} HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"
            client.sendall(head.encode())
    time.sleep(1)
"""
"""A process that abandons 200 requests every second."""

PATHS = ("/", "/players", "/api/v1/tournaments/lantern-masters/standings")


@pytest.fixture(scope="module")
def large(service: Service, database: str, django_db_blocker: DjangoDbBlocker) -> str:
    """The address of a page that takes long: the table of an event of 900 players."""
    with django_db_blocker.unblock(), connected_to(service, database):
        make_running(make_person("Olga"), 900, slug="large", rounds=9)
    path = "/e/large/standings"
    assert service.get(path)[0] == 200
    return path


@contextmanager
def abandoning(service: Service, path: str) -> Iterator[None]:
    """Send requests that are never stored, again and again, and close the connections at once."""
    command = [sys.executable, "-c", ABANDONER, str(service.port), ATTACKER, path]
    log = service.folder / "attack.log"
    attack = Program(["nice", *command], log=log, environment={}).start()
    try:
        time.sleep(5)
        yield
        assert attack.running, attack.output()
    finally:
        attack.kill()


def visit(service: Service, rounds: int) -> list[float]:
    """The seconds of a visitor's requests, none of which is refused."""
    times = []
    transport = httpx.HTTPTransport(local_address=VISITOR)
    with httpx.Client(
        base_url=f"http://127.0.0.1:{service.port}", transport=transport, timeout=60
    ) as http:
        for _ in range(rounds):
            for path in PATHS:
                start = time.monotonic()
                response = http.get(path, headers={"Host": "localhost"})
                assert response.status_code == 200, response.text
                times.append(time.monotonic() - start)
    return times


def test_abandoned_requests_make_no_visitor_wait(service: Service, large: str) -> None:
    visit(service, 2)
    alone = visit(service, 10)
    with abandoning(service, large):
        beside = visit(service, 10)

    assert median(beside) < 5 * median(alone), (sorted(alone), sorted(beside))
    assert max(beside) < max(1, 5 * max(alone)), (sorted(alone), sorted(beside))
