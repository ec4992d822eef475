"""Processes that are forked from this one, and share the modules that it has loaded.

To load them takes more than a second of CPU, which a fork saves at the start and at each restart.
This process must have no threads and no connections when it forks. On other systems than Linux,
libraries of the system may fail in a process that is forked and runs no other program.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import TextIOWrapper
from multiprocessing import get_context
from pathlib import Path
from typing import Any, BinaryIO, Final

CAN_FORK: Final = sys.platform == "linux"

PR_SET_PDEATHSIG: Final = 1

PR_SET_NAME: Final = 15

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(slots=True)
class Fork:
    """A forked process, with the methods of `subprocess.Popen` that `processes.Child` calls."""

    process: Any

    @property
    def pid(self) -> int:
        """Return its number."""
        return int(self.process.pid)

    def poll(self) -> int | None:
        """Return the exit status (negative: the number of the signal), None while it runs."""
        status: int | None = self.process.exitcode
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL if it runs."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status; raises subprocess.TimeoutExpired after so many seconds."""
        self.process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired(self.process.name, timeout or 0.0)
        return status


def fork(main: Callable[[], object]) -> Fork:
    """Return a new process that runs `main`, with the files and signals of this one.

    Its status is 1 if `main` raises an exception, whose traceback is printed; `sys.exit(message)`
    prints the message only. Raises OSError if the process cannot be created.
    """
    process = get_context("fork").Process(target=main, daemon=True)
    process.start()
    return Fork(process)


def fork_program(
    main: Callable[[], object],
    *,
    folder: Path,
    environment: Mapping[str, str],
    output: BinaryIO,
    prepare: Callable[[], None],
) -> Fork:
    """Return a new process that runs `main` as if it were a program of its own.

    It leads a session, is in `folder`, has the variables of `environment` and the usual signals,
    writes each line to `output` at once, and calls `prepare` first.
    """

    def run() -> None:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(folder)
        os.environ.update(environment)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(output.fileno(), stream.fileno())
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(line_buffering=True)
        prepare()
        main()

    return fork(run)


def run_apart(step: Callable[[], object]) -> None:
    """Run a step in a forked process, so that its threads and connections are not in this one.

    It ends with this process. Raises SystemExit if it fails; it has printed why.
    """
    if not CAN_FORK:
        step()
        return
    prepare = die_with_parent(os.getpid(), "start")

    def run() -> None:
        prepare()
        step()

    process = fork(run)
    try:
        status = process.wait()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
    if status:
        sys.exit(1)


def die_with_parent(parent: int, name: str) -> Callable[[], None]:
    """Return what a child runs before its program: ask the kernel for a SIGTERM at parent death.

    `ps -o comm` and `top` show the name of a fork.
    """

    def prepare() -> None:
        if _libc is None:
            return
        _libc.prctl(PR_SET_NAME, name.encode())
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return prepare
