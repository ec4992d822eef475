"""`manage.py up`: one installation from its first start, over kills, to a stop."""

import json
import signal
import sqlite3
import stat
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from deploy.valkey import socket_address, socket_of
from tests.deploy.clients import count_lost, slow_clients, start_event
from tests.deploy.documentation import blocks, checkout, page, printed_by
from tests.deploy.service import Service, running, start_error
from tests.processes import Broker, eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

PAGES = ("tutorial.md", "howto/organise.md")


@dataclass(frozen=True, slots=True)
class Secrets:
    """What a first start creates."""

    password: str
    token: str
    key: str


@pytest.fixture(scope="module")
def new_service() -> Iterator[Service]:
    """The service at its first start, in a folder whose name is too long for a socket."""
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as outer:
        service = Service(Path(outer, "long name " * 12 + "var"))
        with running(service):
            yield service


@pytest.fixture(scope="module")
def secrets(new_service: Service) -> Secrets:
    key = (new_service.folder / "secret-key").read_text()
    return Secrets(new_service.password, new_service.token, key)


@pytest.fixture(scope="module")
def service(new_service: Service, secrets: Secrets) -> Iterator[Service]:
    """The service at its second start."""
    new_service.kill()
    for path in (new_service.folder, *new_service.folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)  # as a careless copy has made them
    with running(Service(new_service.folder)) as service:
        yield service


def all_ended(processes: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(processes, timeout=60)[1]


def wait_until_ready(service: Service) -> None:
    """Wait for the first tick of the worker, which starts slowly on a busy machine."""
    eventually(lambda: '"status": "ok"' in service.get("/health/ready")[1])


def test_a_first_start(new_service: Service, secrets: Secrets) -> None:
    status, page = new_service.get("/")
    assert (status, "Lantern Masters" in page) == (200, True)
    assert new_service.get("/api/v1/tournaments/lantern-masters/standings")[0] == 200
    wait_until_ready(new_service)
    assert len(secrets.password) >= 16
    assert new_service.get("/api/v1/me", token=secrets.token)[0] == 200


def modes(folder: Path) -> dict[str, int]:
    """The modes of the folder and of all that is in it."""
    paths = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.lstat().st_mode) for path in paths}


def test_nobody_else_may_use_the_files(new_service: Service) -> None:
    found = modes(new_service.folder)

    assert {name: oct(mode) for name, mode in found.items() if mode not in (0o600, 0o700)} == {}
    files = {name for name, mode in found.items() if mode == 0o600}
    written = {"organiser-token", "secret-key", "up.lock", "log/worker.log", "perihelion.sqlite3"}
    assert written | {"perihelion.sqlite3-wal", "perihelion.sqlite3-shm"} <= files
    assert {name for name in files if name.startswith("valkey/")}
    assert {name for name in files if name.startswith("static/")}
    socket = socket_of(socket_address(new_service.folder))
    assert (modes(socket.parent)["."], modes(socket.parent)[socket.name]) == (0o700, 0o600)


def test_a_second_instance_is_refused(new_service: Service) -> None:
    assert new_service.process is not None
    assert f"(process {new_service.process.pid}) uses" in start_error(Service(new_service.folder))


def test_ctrl_c_stops_all(new_service: Service) -> None:
    children = new_service.children()
    assert len(children) >= 4

    assert new_service.interrupt() == 0

    assert all_ended(children)
    assert "stopped" in new_service.output()
    assert not socket_of(socket_address(new_service.folder)).parent.exists()


def test_a_start_takes_the_files_from_others(service: Service) -> None:
    assert oct(modes(service.folder)["."]) == oct(0o700)
    found = modes(service.folder)
    assert {name: oct(mode) for name, mode in found.items() if mode not in (0o600, 0o700)} == {}


def test_a_second_start_uses_the_secrets_of_the_first(service: Service, secrets: Secrets) -> None:
    assert service.password == ""
    assert secrets.password not in service.output()
    assert service.get("/api/v1/me", token=secrets.token)[0] == 200
    assert (service.folder / "secret-key").read_text() == secrets.key
    wait_until_ready(service)


@pytest.mark.parametrize("name", PAGES)
def test_commands_print_what_their_page_says(service: Service, name: str) -> None:
    text = page(name)
    with checkout() as folder:
        (folder / "var").symlink_to(service.folder)
        printed = printed_by(blocks(text, "sh"), folder, PORT=str(service.port))

    assert printed == blocks(text, "text")


@pytest.mark.parametrize("word", ["web server", "scheduler", "worker", "analyses", "valkey-server"])
def test_a_killed_child_is_restarted(service: Service, word: str) -> None:
    restarts = service.output().count("and is restarted")
    child = service.child(word)
    others = child.children(recursive=True)

    child.kill()

    eventually(lambda: service.output().count("and is restarted") > restarts)
    eventually(lambda: service.has_child(word))
    assert all_ended(others)
    assert service.child(word).pid != child.pid
    wait_until_ready(service)


def test_slow_and_idle_clients_delay_nobody(service: Service) -> None:
    with slow_clients(service, half_bodies=50, idle=500):
        for path in ("/health/live", "/", "/api/v1/tournaments/lantern-masters/standings"):
            assert service.get(path)[0] == 200


def test_no_request_is_lost_after_a_rejected_one(service: Service) -> None:
    assert count_lost(service, rounds=70) == 0


def is_suspended_between_writes(process: psutil.Process, service: Service) -> bool:
    """Suspend a process; let it run on if it may hold the lock of the database."""
    process.suspend()
    eventually(lambda: process.status() == psutil.STATUS_STOPPED)
    path = service.folder / "perihelion.sqlite3"
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(path, timeout=0)) as database:
        database.execute("BEGIN IMMEDIATE")
        return True
    process.resume()
    return False


def test_requests_that_wait_for_tasks_leave_threads_to_others(service: Service) -> None:
    game, _ = start_event(service)
    worker = service.child("worker")
    headers = {"Content-Type": "application/json", "Prefer": "wait=30"}
    ruling = json.dumps({"result": "1-0", "reason": "seen"}).encode()
    eventually(lambda: is_suspended_between_writes(worker, service))
    with ThreadPoolExecutor(9) as clients:
        waiting = [
            clients.submit(service.post, f"/api/v1/games/{game}/rule", ruling, headers)
            for _ in range(9)
        ]
        eventually(lambda: sum(future.done() for future in waiting) >= 7)
        assert [service.get(path)[0] for path in ("/health/live", "/")] == [200, 200]
        worker.resume()

        assert {future.result()[0] for future in waiting} == {200, 202}


def test_a_locked_database_delays_writes_fails_them_later_and_delays_no_reads(
    service: Service,
) -> None:
    headers = {"Content-Type": "application/json"}
    path = service.folder / "perihelion.sqlite3"
    with closing(sqlite3.connect(path, check_same_thread=False)) as database:
        database.execute("BEGIN IMMEDIATE")

        status, body = service.post("/api/v1/players", b'{"name": "Fay"}', headers)

        assert (status, json.loads(body)["code"]) == (503, "database_busy")
        assert service.get("/")[0] == 200

        threading.Timer(2, database.rollback).start()
        assert service.post("/api/v1/players", b'{"name": "Fay"}', headers)[0] == 201


def test_after_sigkill_no_child_is_left(service: Service) -> None:
    children = service.children()
    assert len(children) >= 9

    for word in ("web server", "worker", "imports", "analyses"):
        service.child(word).kill()
    service.send(signal.SIGKILL)

    assert all_ended(children)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path).start()
    yield broker
    broker.kill()


def test_with_redis_url_no_broker_is_started_and_a_child_that_dies_often_is_named(
    service: Service, broker: Broker
) -> None:
    service.kill()
    with running(Service(service.folder, REDIS_URL=broker.address)) as service:
        wait_until_ready(service)
        assert not service.has_child("valkey-server")

        def has_ended_often() -> bool:
            """Kill the child, unless it has ended often without running for a while."""
            if ", 3 times in a row, and is restarted in 1 s" in service.output():
                return True
            worker = service.child("analyses")
            worker.kill()
            assert all_ended([worker])
            return False

        eventually(has_ended_often)
