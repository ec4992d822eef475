"""Time a page with and without listeners of the event stream.

    python -m tests.bench.stream

The running service (`manage.py up`, SQLite) answers requests for a page on one connection, in turns
with and without 500 idle listeners. Compared is the processor time of all its processes during the
requests, heartbeats and background tasks included, which other programs do not lengthen; the time
on the clock is printed too. The listeners are in one process beside the service, so its own time is
included.
"""

import socket
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection

import psutil

from tests.deploy.service import Service, new_service
from tests.processes import eventually

LISTENERS = 500
TURNS, REQUESTS = 5, 150
PAGE = "/e/lantern-masters/standings"
EVENTS = "/api/v1/tournaments/lantern-masters/stream"
SLOWER = 1.1
"""The goal: a page may take so many times as long."""


@contextmanager
def listening(service: Service, count: int = LISTENERS) -> Iterator[list[socket.socket]]:
    """Open the listeners, and wait until each has its first lines."""
    request = f"GET {EVENTS} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with ExitStack() as stack:
        clients = []
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", service.port), 60)
            clients.append(stack.enter_context(client))
            client.sendall(request)
        for client in clients:
            received = b""
            while b"retry: " not in received:
                part = client.recv(65536)
                assert part, received
                received += part
        yield clients


def processor_seconds(service: Service) -> float:
    """Return the processor time of all processes of the service so far."""
    times = [process.cpu_times() for process in service.children()]
    return sum(one.user + one.system for one in times)


def is_idle(service: Service) -> bool:
    """Return True if the service has nothing more to do because of clients that came or left."""
    before = processor_seconds(service)
    time.sleep(0.5)
    return processor_seconds(service) - before < 0.03


def page_seconds(service: Service) -> tuple[list[float], float]:
    """Request the page, after once that is not counted.

    Return the seconds of each request, and the processor time of all.
    """
    connection = HTTPConnection("127.0.0.1", service.port, timeout=60)
    eventually(lambda: is_idle(service), seconds=60)
    seconds, used = [], 0.0
    for number in range(REQUESTS + 1):
        if number == 1:
            used = processor_seconds(service)
        start = time.perf_counter()
        connection.request("GET", PAGE, headers={"Host": "localhost"})
        response = connection.getresponse()
        response.read()
        seconds.append(time.perf_counter() - start)
        assert response.status == 200
    used = processor_seconds(service) - used
    connection.close()
    return seconds[1:], used


def memory(process: psutil.Process) -> float:
    """Return the MiB that only this process uses."""
    return process.memory_full_info().uss / 2**20


def measure_pages(service: Service) -> int:
    """Compare the page with and without listeners; return 1 if the goal is missed."""
    clock: dict[str, list[float]] = {"without": [], "with": []}
    processor = {"without": 0.0, "with": 0.0}

    def add(name: str) -> None:
        seconds, used = page_seconds(service)
        clock[name] += seconds
        processor[name] += used

    page_seconds(service)
    stream = service.child("web server")
    before = after = memory(stream)
    for _ in range(TURNS):
        add("without")
        with listening(service):
            add("with")
            after = memory(stream)
    print(f"{TURNS * REQUESTS} requests for a page, each with and without {LISTENERS} listeners")
    for name in clock:
        median = statistics.median(clock[name]) * 1000
        used = processor[name] / (TURNS * REQUESTS) * 1000
        print(
            f"  {name:<8} {used:6.2f} ms of the processors   {median:6.1f} ms on the clock (median)"
        )
    ratio = processor["with"] / processor["without"]
    print(f"  {ratio:.2f} times as long; goal: {SLOWER}")
    print(f"event stream: {before:.0f} MiB without, {after:.0f} MiB with {LISTENERS} listeners")
    return int(ratio > SLOWER)


def main() -> int:
    """Measure a service of its own; return 1 if a goal is missed."""
    limits = {"RATE_LIMIT_ANONYMOUS": "1000000", "LISTENERS_PER_ADDRESS": str(2 * LISTENERS)}
    with new_service(LOG_LEVEL="WARNING", **limits) as service:
        eventually(lambda: service.get(f"{EVENTS}?after=999999")[0] == 422, seconds=60)
        return measure_pages(service)


if __name__ == "__main__":
    sys.exit(main())
