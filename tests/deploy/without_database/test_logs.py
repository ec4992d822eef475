"""The logs of all programs: a line at each start, JSON alone, one id from request to task."""

import gzip
import json
import logging
import os
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.conf import settings

from deploy.logs import LINK_OF_A_MESSAGE, logging_settings, without_link, without_secrets
from tests.deploy.clients import start_event
from tests.deploy.service import Service, new_service
from tests.processes import ROOT, eventually, run_python

LOGS = {
    "web-server": "web", "worker": "worker", "imports": "imports", "analyses": "analyses",
    "scheduler": "beat",
}  # fmt: skip


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The service, with all lines of its logs, in JSON."""
    with new_service(LOG_FORMAT="json", LOG_LEVEL="debug") as service:
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


@pytest.mark.long
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
    assert found["imports"]["serves"] == "the queues imports"
    assert found["analyses"]["serves"] == "the queues analyses"
    assert found["beat"]["serves"].endswith(" periodic tasks")


@pytest.mark.long
@pytest.mark.processes
def test_the_id_of_a_request_is_in_the_lines_of_its_tasks(service: Service) -> None:
    game, _ = start_event(service)
    names = {"Content-Type": "application/json", "X-Request-ID": "request-4711"}
    ruling = json.dumps({"result": "1-0", "reason": "seen"}).encode()

    status, _ = service.post(f"/api/v1/games/{game}/rule", ruling, names | {"Prefer": "wait=30"})

    assert status == 200
    # The line of the ruling in the journal may have sent the task of the webhooks, too.
    settled = {"logger": "perihelion.tasks", "message": "games.tasks.settle_game SUCCESS"}
    for log, members in (("web-server", {"logger": "perihelion.requests"}), ("worker", settled)):
        assert written(service, log, **members, request_id="request-4711")["level"] == "INFO"


@pytest.mark.long
@pytest.mark.processes
def test_a_periodic_task_has_an_id_in_the_lines_of_scheduler_and_worker(service: Service) -> None:
    def done_and_sent() -> list[list[str]]:
        """The ids in both logs; a task that is sent between the two looks is not done in them."""
        return [
            [
                line["request_id"]
                for line in lines(service, log)
                if line["message"] == f"games.tasks.settle_due {state}"
            ]
            for log, state in (("worker", "SUCCESS"), ("scheduler", "is sent"))
        ]

    done, sent = eventually(lambda: all(found := done_and_sent()) and found)

    assert set(done) <= set(sent)
    assert len(set(sent)) == len(sent)


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


KEYS = ("MQ-d0vrao-34b6f0c1d2e3f4a5", "Mg:1wXy:abcdefghijklmnopqrstuv", "a" * 43)


@pytest.mark.parametrize("page", ["/password/", "/sign-up/confirm/", "/invitations/", "/mail/"])
@pytest.mark.parametrize("key", KEYS)
def test_a_line_has_no_key_of_a_link_in_a_message(page: str, key: str) -> None:
    """Neither ours nor Django's, of what was not found."""
    record = logging.makeLogRecord({"msg": "%s: %s %s", "args": ("GET", page + key, 404)})
    record.path = page + key

    for name in logging_settings("plain", "INFO")["handlers"]["console"]["filters"]:
        logging_settings("plain", "INFO")["filters"][name]["()"]().filter(record)

    assert record.getMessage() == f"GET: {page}… 404"
    assert record.path == f"{page}…"


@pytest.mark.parametrize(
    "path", ["/password/sent", "/players/7", "/e/password/standings-of-all-the-games"]
)
def test_other_addresses_are_whole_in_the_logs(path: str) -> None:
    assert without_link(path) == path


@pytest.mark.parametrize("proxy", ["nginx.conf", "Caddyfile"])
def test_the_logs_of_a_proxy_leave_the_same_links_out(proxy: str) -> None:
    pages = re.search(r"\(\?:(.+?)\)", LINK_OF_A_MESSAGE.pattern)[1]  # type: ignore[index]

    lines = [line for line in (ROOT / "deploy" / proxy).read_text().splitlines() if pages in line]

    assert any("[^/?]{20,}" in line for line in lines)


FAILURE = """
import django; django.setup()
from django.test import Client
import sentry_sdk
print(Client(raise_request_exception=False).get("/players/7?q=geheim").status_code)
sentry_sdk.flush()
"""
"""A request that fails, because the database has no tables."""


class Receiver(BaseHTTPRequestHandler):
    """Takes reports as Sentry does."""

    received: list[str]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        self.received.append(f"{self.path}\n{body.decode()}")
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_an_error_is_reported_without_data_of_people(tmp_path: Path) -> None:
    received: list[str] = []
    handler = type("Reports", (Receiver,), {"received": received})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        variables = {
            "STATE_DIR": str(tmp_path),
            "DATABASE_URL": "",
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "ALLOWED_HOSTS": "testserver",
            "SENTRY_DSN": f"http://key@127.0.0.1:{server.server_port}/1",
        }
        done = run_python("-c", FAILURE, environment=os.environ | variables)
        server.shutdown()

    assert done.stdout == "500\n"
    report = next(text for text in received if "no such table" in text)
    assert report.startswith("/api/1/envelope/")
    assert f'"release":"{settings.VERSION}"' in report
    assert '"request_id":"' in report
    assert "geheim" not in report
    assert "/players/7" not in report


def test_a_wrong_address_of_reports_stops_the_start(tmp_path: Path) -> None:
    variables = {"STATE_DIR": str(tmp_path), "SENTRY_DSN": "https://example.org"}

    done = run_python("manage.py", "doctor", environment=os.environ | variables)

    assert done.returncode == 1
    assert re.fullmatch(r"perihelion: SENTRY_DSN: .+\.\n", done.stderr)
