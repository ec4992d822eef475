"""Child processes: start them in order, restart them when they die, stop them in reverse order.

Each child leads its own process group, so Ctrl-C in a terminal reaches only the parent, and a
child's own children can be killed with it. On Linux the kernel terminates the children of a parent
that was killed with SIGKILL.

No supervisor on PyPI gives this last guarantee. supervisord and circus leave their children running
when they are killed (pull request 199 of Supervisor, which would change this, was closed); circus
also brings ZeroMQ and tornado. honcho stops everything when a child dies, and restarts nothing.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

MAX_RESTARTS: Final = 5
RESTART_PERIOD: Final = 60.0
"""Seconds; the service stops if a child dies more than MAX_RESTARTS times in this period."""

LARGEST_LOG: Final = 10 << 20
"""Bytes; a larger log is moved to `.1`, replacing the earlier one."""

PR_SET_PDEATHSIG: Final = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class ChildFailed(Exception):
    """A child died too often, or did not start in time."""


@dataclass(slots=True)
class Child:
    """A child process; `grace` is the number of seconds that it may take to stop."""

    name: str
    command: list[str]
    log: Path
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    grace: float = 8.0
    process: subprocess.Popen[bytes] | None = None
    deaths: deque[float] = field(default_factory=deque)

    def start(self) -> None:
        """Start the process; its output is appended to the log."""
        self.rotate_log()
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_die_with_parent(os.getpid()),
            )

    @property
    def status(self) -> int | None:
        """The exit status (negative: the number of the signal), None while it is running."""
        return self.process.poll() if self.process else 0

    def terminate(self) -> None:
        """Send SIGTERM if the process is running."""
        if self.process is not None and self.status is None:
            self.process.send_signal(signal.SIGTERM)

    def wait(self, deadline: float) -> None:
        """Wait for the end of the process until the deadline, then kill its group."""
        if self.process is None:
            return
        try:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0.0, deadline - time.monotonic()))
        finally:
            self.kill_group()

    def kill_group(self) -> None:
        """Kill every process that is left in the group."""
        if self.process is None:
            return
        # Raised if the group is empty; on macOS also if it contains only zombies.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def last_error(self) -> str:
        """Return the last line of the log that contains an error, else the last line."""
        try:
            lines = self.log.read_text(errors="replace").strip().splitlines()
        except OSError:
            return ""
        errors = [line for line in lines if "Error" in line]
        return (errors or lines or [""])[-1].strip()

    def rotate_log(self) -> None:
        """Copy a log that is too large to `.1` and truncate it; the child keeps its open file."""
        if self.log.exists() and self.log.stat().st_size > LARGEST_LOG:
            shutil.copyfile(self.log, self.log.with_name(self.log.name + ".1"))
            os.truncate(self.log, 0)


class Children:
    """The running children in the order of their start; `say` prints a message."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._children: list[Child] = []

    def start(self, child: Child) -> None:
        """Start another child."""
        self._children.append(child)
        child.start()

    def restart_dead(self) -> None:
        """Restart every child that died; raises ChildFailed if one died too often."""
        for child in self._children:
            if child.status is not None:
                self._restart(child)

    def watch_until(self, condition: Callable[[], bool], *, seconds: float, name: str) -> None:
        """Watch the children until the condition is true; raises ChildFailed after the time."""
        end = time.monotonic() + seconds
        while not condition():
            self.restart_dead()
            if time.monotonic() > end:
                raise ChildFailed(f"{name} did not start within {seconds:.0f} s.")
            time.sleep(0.05)

    def watch(self) -> None:
        """Watch the children until a signal raises an exception."""
        logs_checked = time.monotonic()
        while True:
            time.sleep(0.25)
            self.restart_dead()
            if time.monotonic() - logs_checked > RESTART_PERIOD:
                logs_checked = time.monotonic()
                for child in self._children:
                    child.rotate_log()

    def stop(self) -> None:
        """Stop all children but the first together, then the first: the others need the broker."""
        for group in (self._children[1:], self._children[:1]):
            _stop_together(group)
        self._children.clear()

    def _restart(self, child: Child) -> None:
        status = child.status
        now = time.monotonic()
        while child.deaths and now - child.deaths[0] > RESTART_PERIOD:
            child.deaths.popleft()
        child.deaths.append(now)
        if len(child.deaths) > MAX_RESTARTS:
            raise ChildFailed(
                f"the {child.name} died {len(child.deaths)} times within a minute; "
                f"last error: {child.last_error()} (log: {child.log})"
            )
        child.kill_group()
        time.sleep(0.2 * (len(child.deaths) - 1))
        child.start()
        self._say(
            f"the {child.name} died (status {status}) and was restarted, "
            f"{len(child.deaths)} of at most {MAX_RESTARTS} times a minute"
        )


def _stop_together(children: Sequence[Child]) -> None:
    for child in children:
        child.terminate()
    started = time.monotonic()
    for child in children:
        child.wait(started + child.grace)


def _die_with_parent(parent: int) -> Callable[[], None] | None:
    """Return what a child runs before its program: ask the kernel for a SIGTERM at parent death."""
    if _libc is None:
        return None
    prctl = _libc.prctl

    def prepare() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return prepare
