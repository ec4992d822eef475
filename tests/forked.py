"""Programs of Python in processes that are forked from one that has loaded the libraries.

To load them takes more than a second of CPU at each start. One server loads them once for all
processes of a test session (tests/fork_server.py), and has no settings: a program reads them from
its own variables, and loads the apps, as in any other installation.
"""

import atexit
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from deploy.forks import Fork
from tests.fork_server import ROOT

SERVER = "PERIHELION_FORK_SERVER"
"""The variable with the address of the server, if a process of the session has started it."""


@dataclass(slots=True)
class ForkedProcess:
    """A process that the server has forked, with what `Fork` reads of a process."""

    name: str
    pid: int
    connection: Connection
    status: int | None = None

    @property
    def exitcode(self) -> int | None:
        """Its exit status (negative: the number of the signal), None while it runs."""
        if self.status is None and self.connection.poll():
            self.status = self.connection.recv()
        return self.status

    def join(self, timeout: float | None) -> None:
        """Wait for its end."""
        if self.status is None:
            self.connection.poll(timeout)


def start_server() -> str:
    """The address of the server, after starting it if the session has none; it ends with us."""
    if address := os.environ.get(SERVER):
        return address
    folder = TemporaryDirectory(prefix="perihelion-", dir="/tmp")
    address = f"{folder.name}/fork.sock"
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.fork_server", address],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C reaches only the tests
    )
    assert server.stdout is not None
    server.stdout.readline()  # it listens
    os.environ[SERVER] = address

    def stop() -> None:
        server.communicate()
        folder.cleanup()

    atexit.register(stop)
    return address


def start_forked(
    arguments: list[str], *, environment: Mapping[str, str], output: Path, errors: Path
) -> Fork:
    """Start what Python runs with these arguments: `-m` and a module, `-c` and code, or a path.

    It runs in the project's folder, leads a session, and appends what it prints to the files.
    """
    connection = Client(start_server(), "AF_UNIX")
    connection.send((arguments, dict(environment), output, errors))
    process = ForkedProcess(arguments[0], connection.recv(), connection)
    with suppress(ProcessLookupError):  # it has ended
        while os.getpgid(process.pid) != process.pid:
            time.sleep(0.002)
    fork = Fork(process)
    atexit.register(fork.kill)  # otherwise the session would wait for one that is left over
    return fork


def run_forked(
    *arguments: str, environment: Mapping[str, str], seconds: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run a program as `start_forked` does until its end; its status and what it has printed."""
    with TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        fork = start_forked([*arguments], environment=environment, output=output, errors=errors)
        try:
            status = fork.wait(seconds)
        finally:
            fork.kill()
        return subprocess.CompletedProcess(
            arguments, status, output.read_text(), errors.read_text()
        )
