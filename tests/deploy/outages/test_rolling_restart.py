"""A rolling restart of the web servers behind nginx, under load: no request is lost."""

import signal
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any
from urllib.request import urlopen

import httpx
import psutil
import pytest
from httpx_sse import SSEError, connect_sse

from deploy import __version__
from tests.deploy.listeners import writing
from tests.deploy.proxy import Proxy
from tests.deploy.service import LIVE, Service
from tests.processes import Program, eventually, free_port

pytestmark = [pytest.mark.processes, pytest.mark.long]

EVENT = "/api/v1/tournaments/lantern-masters"
STREAM = "tournament/lantern-masters"
CLIENTS = 6
ROUNDS = 3
"""How often each web server is restarted."""


class WebServer(Program):
    """`manage.py run web` with the data of a service, on a port of its own."""

    def __init__(self, service: Service, **environment: str) -> None:
        self.port = free_port()
        variables = service.environment | {"PORT": str(self.port)} | environment
        log = service.folder / f"web-{self.port}.log"
        super().__init__([*service.command[:2], "run", "web"], log=log, environment=variables)

    def answers(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/health/live", timeout=20) as response:
                return response.read() == LIVE
        except OSError:
            return False

    def restart(self, proxy: Proxy) -> None:
        """End it as systemd and containers do, start it, and wait until it responds."""
        proxy.leave_out(self.port)
        self.send(signal.SIGTERM)
        assert self.wait() in (0, -signal.SIGTERM), self.output()
        self.start()
        eventually(self.answers)
        proxy.take_back(self.port)

    def reload(self, _: Proxy) -> None:
        """Let it replace its processes, each when the new one has loaded."""
        assert self.process is not None
        before = self.workers()
        self.send(signal.SIGHUP)
        eventually(lambda: not before & self.workers(), seconds=180)

    def workers(self) -> set[int]:
        """Return the processes that serve requests."""
        assert self.process is not None
        found = set()
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):  # it has ended
                if "spawn_main" in " ".join(child.cmdline()):
                    found.add(child.pid)
        return found


class Load:
    """Clients that read and write through the proxy, and one that listens to an event."""

    def __init__(self, proxy: Proxy, token: str) -> None:
        self.proxy, self.token = proxy, token
        self.ended = threading.Event()
        self.statuses: Counter[tuple[str, Any]] = Counter()
        self.heard: list[int] = []

    def read_and_write(self, name: str) -> None:
        """Send requests, each on a connection of its own, until the load ends."""
        number = 0
        while not self.ended.is_set():
            number += 1
            self._note("GET", f"{EVENT}/standings")
            self._note("POST", "/api/v1/players", {"name": f"Nat {name} {number}"})

    def listen(self) -> None:
        """Follow the journal of the event as a browser does, from the last line that it has."""
        while not self.ended.is_set():
            try:
                self._listen_once()
            except (httpx.HTTPError, SSEError) as error:
                self.statuses["stream", repr(error)] += 1
            sleep(1)

    def _listen_once(self) -> None:
        last = {"Last-Event-ID": str(self.heard[-1] if self.heard else 0)}
        with (
            self._client() as http,
            connect_sse(http, "GET", f"{EVENT}/stream", headers=last) as stream,
        ):
            self.statuses["stream", stream.response.status_code] += 1
            for event in stream.iter_sse():
                if event.data:
                    self.heard.append(int(event.id))
                if self.ended.is_set():
                    return

    def _client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(
            base_url=self.proxy.address, verify=False, trust_env=False, timeout=60, headers=headers
        )

    def _note(self, method: str, path: str, body: Any = None) -> None:
        try:
            with self._client() as http:
                found: Any = http.request(method, path, json=body).status_code
        except httpx.HTTPError as error:
            found = repr(error)
        self.statuses[method, found] += 1


@contextmanager
def under_load(service: Service, servers: list[WebServer]) -> Iterator[Load]:
    """Start nginx before the servers, and the load; wait until each has been answered."""
    with (
        tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder,
        ThreadPoolExecutor(CLIENTS + 1) as threads,
    ):
        proxy = Proxy(Path(folder), *(each.port for each in servers)).start()
        load = Load(proxy, service.token)
        try:
            running = [threads.submit(load.read_and_write, str(n)) for n in range(CLIENTS)]
            running.append(threads.submit(load.listen))
            eventually(lambda: load.statuses["POST", 201] > CLIENTS and load.heard)
            yield load
        finally:
            load.ended.set()
            for future in running:
                future.result()
            proxy.send(signal.SIGTERM)
            proxy.wait()


@pytest.fixture
def limits() -> dict[str, str]:
    return {"RATE_LIMIT_TOKEN": "1000000", "BEHIND_PROXY": "1", "ALLOWED_HOSTS": "*"}


def get(address: str) -> httpx.Response:
    return httpx.get(address, trust_env=False, timeout=60)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_server_that_is_to_stop_is_not_ready_and_works_on(
    service: Service, processes: str
) -> None:
    server = WebServer(service, WEB_PROCESSES=processes, DRAIN_SECONDS="10").start()
    ready = f"http://127.0.0.1:{server.port}/health/ready"
    try:
        eventually(server.answers)
        eventually(lambda: get(ready).status_code == 200)
        server.send(signal.SIGTERM)
        response = eventually(lambda: (found := get(ready)).status_code == 503 and found)
        assert response.json() == {
            "status": "broken",
            "version": __version__,
            "broken": ["web"],
            "parts": {"web": "this web server is being stopped; send requests to another one"},
        }
        assert get(ready.replace("health/ready", "api/v1")).is_success
        assert server.answers()
        assert server.wait() in (0, -signal.SIGTERM), server.output()
    finally:
        server.kill()


@pytest.mark.parametrize(
    ("count", "processes", "restart"),
    [(2, "1", WebServer.restart), (1, "2", WebServer.reload)],
    ids=["two programs", "one program of two processes"],
)
def test_no_request_is_lost(
    service: Service,
    limits: dict[str, str],
    count: int,
    processes: str,
    restart: Callable[[WebServer, Proxy], None],
) -> None:
    servers = [WebServer(service, WEB_PROCESSES=processes, **limits) for _ in range(count)]
    written: list[int] = []
    try:
        for server in servers:
            server.start()
        for server in servers:
            eventually(server.answers)
        with under_load(service, servers) as load, writing(service) as writer:
            for server in servers * ROUNDS:
                restart(server, load.proxy)
                written.append(writer.write(STREAM))
            eventually(lambda: load.heard[-1] == written[-1])
            written.append(writer.write(STREAM))  # which the listener waits for
            eventually(lambda: load.heard[-1] == written[-1])
            load.ended.set()
            writer.write(STREAM)
    finally:
        for server in servers:
            server.kill()

    lost = {key: count for key, count in load.statuses.items() if key[1] not in (200, 201)}
    assert lost == {}, load.statuses
    assert [number for number in load.heard if number in written] == written
