"""The logs of all programs: a line at each start, JSON alone, one id from request to task."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from deploy.logs import without_secrets
from tests.deploy.service import Service, running
from tests.deploy.test_away import start_event
from tests.processes import eventually

LOGS = {"web-server": "web", "worker": "worker", "analyses": "analyses", "scheduler": "beat"}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The service, with logs in JSON."""
    with (
        tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as outer,
        running(Service(Path(outer, "var"), LOG_FORMAT="json")) as service,
    ):
        yield service


def lines(service: Service, log: str) -> list[dict[str, Any]]:
    """The lines of a program's log, all of which are JSON."""
    text = (service.folder / "log" / f"{log}.log").read_text()
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def written(service: Service, log: str, **members: str) -> dict[str, Any]:
    """The only line with these members, when it is written."""

    def find() -> list[dict[str, Any]]:
        return [line for line in lines(service, log) if members.items() <= line.items()]

    [line] = eventually(find)
    return line


@pytest.mark.processes
def test_each_program_says_at_its_start_what_it_serves(service: Service) -> None:
    found = {}
    for log, program in LOGS.items():
        line = found[program] = written(service, log, logger="perihelion.start")
        facts = (line["program"], line["version"], line["database"])
        assert facts == (program, settings.VERSION, "SQLite")
        assert line["broker"].endswith("valkey.sock")
        assert line["message"].startswith(f"{program} of version {settings.VERSION} starts: ")
        assert line["serves"] in line["message"]

    assert f"port {service.port} of " in found["web"]["serves"]
    assert found["worker"]["serves"] == "the queues mail, ratings, results, webhooks"
    assert found["analyses"]["serves"] == "the queues analyses"
    assert found["beat"]["serves"].endswith(" periodic tasks")


@pytest.mark.processes
def test_the_id_of_a_request_is_in_the_lines_of_its_tasks(service: Service) -> None:
    game, _ = start_event(service)
    names = {"Content-Type": "application/json", "X-Request-ID": "request-4711"}
    ruling = json.dumps({"result": "1-0", "reason": "seen"}).encode()

    status, _ = service.post(f"/api/v1/games/{game}/rule", ruling, names | {"Prefer": "wait=30"})

    assert status == 200
    for log, logger in (("web-server", "perihelion.requests"), ("worker", "perihelion.tasks")):
        assert written(service, log, logger=logger, request_id="request-4711")["level"] == "INFO"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("redis://:s3cret@host:6379/1", "redis://host:6379/1"),
        ("rediss://name:s3@cret@[::1]:6379", "rediss://[::1]:6379"),
        ("redis://host:6379/1?password=s3cret", "redis://host:6379/1"),
        ("unix://:s3cret@/run/valkey.sock?db=2", "unix:/run/valkey.sock"),
    ],
)
def test_the_line_of_a_start_has_no_password(address: str, shown: str) -> None:
    assert without_secrets(address) == shown
