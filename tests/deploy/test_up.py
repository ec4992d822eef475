"""`manage.py up`: starting, stopping, killed processes, wrong settings."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from deploy import embedded
from deploy.embedded import CannotStart
from deploy.environment import Environment, socket_address
from deploy.valkey import socket_of
from tests.deploy.clients import count_lost, slow_clients
from tests.processes import ROOT, Broker, Service, eventually, running

pytestmark = pytest.mark.processes


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as outer:
        yield Path(outer, "var")


@pytest.fixture
def state(bootstrapped: Path, folder: Path) -> Path:
    """A copy of the bootstrapped folder."""
    return shutil.copytree(bootstrapped, folder)


def all_ended(processes: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(processes, timeout=10)[1]


def wait_until_ready(service: Service) -> None:
    """Wait for the first tick of the worker, which starts slowly on a busy machine."""
    eventually(lambda: '"status": "ok"' in service.get("/health/ready")[1], seconds=60)


def test_a_first_and_a_second_start(folder: Path) -> None:
    with running(Service(folder)) as service:
        status, page = service.get("/")
        assert (status, "Lantern Masters" in page) == (200, True)
        assert service.get("/api/v1/tournaments/lantern-masters/standings")[0] == 200
        wait_until_ready(service)
        password, token = service.password, service.token
        assert len(password) >= 16
        assert service.get("/api/v1/me", token=token)[0] == 200
        for name in ("organiser-token", "secret-key"):
            assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
        secret = (folder / "secret-key").read_text()
        children = service.children()
        assert len(children) >= 4

        assert service.interrupt() == 0

        assert all_ended(children)
        assert "stopped" in service.output()

    with running(service):
        assert service.password == ""
        assert password not in service.output()
        assert service.get("/api/v1/me", token=token)[0] == 200
        assert (folder / "secret-key").read_text() == secret


@pytest.mark.parametrize(
    "word", ["--pool=threads", "beat --pidfile", "deploy.server", "valkey-server"]
)
def test_a_killed_child_is_restarted(service: Service, word: str) -> None:
    child = service.child(word)
    others = child.children(recursive=True)

    child.kill()

    eventually(lambda: "and is restarted" in service.output())
    eventually(lambda: service.has_child(word))
    assert all_ended(others)
    assert service.child(word).pid != child.pid
    wait_until_ready(service)


@pytest.fixture(scope="module")
def shared(bootstrapped: Path) -> Iterator[Service]:
    with (
        tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as outer,
        running(Service(shutil.copytree(bootstrapped, Path(outer, "var")))) as service,
    ):
        yield service


@pytest.fixture
def service(shared: Service) -> Service:
    shared.log.write_bytes(b"")
    return shared


def test_slow_and_idle_clients_delay_nobody(service: Service) -> None:
    with slow_clients(service, half_bodies=50, idle=500):
        for path in ("/health/live", "/", "/api/v1/tournaments/lantern-masters/standings"):
            assert service.get(path)[0] == 200


def test_no_request_is_lost_after_a_rejected_one(service: Service) -> None:
    assert count_lost(service, rounds=70) == 0


def test_requests_that_wait_for_tasks_leave_threads_to_others(service: Service) -> None:
    worker = service.child("--pool=threads")
    headers = {"Content-Type": "text/csv", "Prefer": "wait=30"}
    worker.suspend()
    with ThreadPoolExecutor(9) as clients:
        waiting = [
            clients.submit(service.post, "/api/v1/players/import", b"name\nAda\n", headers)
            for _ in range(9)
        ]
        eventually(lambda: sum(future.done() for future in waiting) >= 7, seconds=20)
        assert [service.get(path)[0] for path in ("/health/live", "/")] == [200, 200]
        worker.resume()

        assert {future.result()[0] for future in waiting} == {201, 202}


def test_a_locked_database_delays_writes_fails_them_later_and_delays_no_reads(
    service: Service,
) -> None:
    headers = {"Content-Type": "application/json"}
    path = service.folder / "perihelion.sqlite3"
    with closing(sqlite3.connect(path, check_same_thread=False)) as database:
        database.execute("BEGIN IMMEDIATE")

        status, body = service.post("/api/v1/players", b'{"name": "Ben"}', headers)

        assert (status, json.loads(body)["code"]) == (503, "database_busy")
        assert service.get("/")[0] == 200

        threading.Timer(2, database.rollback).start()
        assert service.post("/api/v1/players", b'{"name": "Ben"}', headers)[0] == 201


def test_after_sigkill_no_child_is_left_and_a_new_start_works(state: Path) -> None:
    state = state.rename(state.with_name("long name " * 12 + "var"))  # too long for a socket
    with running(Service(state, WEB_PROCESSES="2")) as service:
        children = service.children()
        assert sum("deploy.server" in child.cmdline() for child in children) == 2

        service.child("deploy.server").kill()
        service.send(signal.SIGKILL)

        assert all_ended(children)
    with running(service):
        wait_until_ready(service)
        assert service.interrupt() == 0
    assert not socket_of(socket_address(state)).parent.exists()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path).start()
    yield broker
    broker.kill()


def test_with_redis_url_no_broker_is_started_and_a_child_that_dies_often_is_named(
    state: Path, broker: Broker
) -> None:
    with running(Service(state, REDIS_URL=broker.address)) as service:
        wait_until_ready(service)
        assert not service.has_child("valkey-server")

        for _ in range(3):
            eventually(lambda: service.has_child("beat --pidfile"))
            service.child("beat --pidfile").kill()
            eventually(lambda: not service.has_child("beat --pidfile"))

        health = eventually(
            lambda: "in a row" in (page := service.get("/health/ready")[1]) and json.loads(page)
        )
        assert health["broken"] == ["children"]
        assert re.fullmatch(r"the scheduler died [23] times in a row", health["parts"]["children"])


def test_a_second_instance_and_a_taken_port_are_refused(service: Service) -> None:
    assert f"(process {service.process.pid}) uses" in start_error(Service(service.folder))

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with tempfile.TemporaryDirectory() as folder:
            assert (
                f"port {port} of 127.0.0.1 cannot be used (Address already in use)"
                in start_error(Service(Path(folder, "var"), PORT=port))
            )


@pytest.mark.parametrize(
    ("variables", "line"),
    [
        ({"STATE_DIR": "/dev/null/var"}, "the state folder /dev/null/var cannot be written"),
        ({"SECRET_KEY": "secret"}, "SECRET_KEY can be guessed"),
    ],
)
def test_an_invalid_setting_is_reported_in_one_line(
    folder: Path, variables: dict[str, str], line: str
) -> None:
    assert line in start_error(Service(folder, **variables))


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql:///db?host=/nowhere", "the database cannot be used"),
        ("sqlite:////nowhere/db", "the database cannot be used: unable to open"),
        (f"sqlite:///{ROOT}/LICENSE", "the database cannot be used: file is not a database"),
    ],
)
def test_an_unusable_database(
    monkeypatch: pytest.MonkeyPatch,
    django_db_blocker: DjangoDbBlocker,
    address: str,
    message: str,
) -> None:
    database = Environment({"DB": address}).database("DB", "", folder=ROOT)
    with closing(ConnectionHandler({"default": database})["default"]) as connection:
        monkeypatch.setattr(embedded, "connection", connection)
        with django_db_blocker.unblock(), pytest.raises(CannotStart, match=message):
            embedded.check_database()


def test_an_unusable_broker(settings: Any) -> None:
    settings.REDIS_URL, settings.REDIS_EMBEDDED = "unix:///nowhere.sock", False

    with pytest.raises(CannotStart, match="no Redis or Valkey responds"):
        embedded.broker_program()


def test_an_impossible_port(settings: Any) -> None:
    settings.PORT = 70000

    with pytest.raises(CannotStart, match=r"port 70000 of 127\.0\.0\.1 cannot be used"):
        embedded.check_port(seconds=0)


def start_error(service: Service) -> str:
    """The only line of output of a service that cannot start."""
    done = subprocess.run(
        service.command,
        cwd=ROOT,
        env=os.environ | service.environment,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("perihelion: ")
    return line
