"""Child processes: start them in order, restart them when they die, stop them in reverse order.

A child that cannot start is started again and again, with pauses of up to 30 seconds, and stops no
other: it starts when its cause is gone, for example when a full disk has space again.

Each child leads its own process group, so Ctrl-C in a terminal reaches only the parent, and a
child's own children can be killed with it. On Linux the kernel terminates the children of a parent
that was killed with SIGKILL. There, children that run modules of Python are forked from the parent,
which has loaded these: they start at once, and share their memory.

No supervisor on PyPI gives this last guarantee. supervisord and circus leave their children running
when they are killed (pull request 199 of Supervisor, which would change this, was closed); circus
also brings ZeroMQ and tornado. honcho stops everything when a child dies, and restarts nothing.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from deploy.forks import CAN_FORK, Fork, die_with_parent, fork_program

PAUSES: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds between a death and the next start, after one death, two in a row, and so on."""

STARTED_AFTER: Final = 10.0
"""Seconds; a child that runs for so long has started, and its deaths are counted anew."""

LOG_CHECK_PERIOD: Final = 60.0
"""Seconds between two checks of the size of logs."""

LARGEST_LOG: Final = 10 << 20
"""Bytes; a larger log is moved to `.1`, replacing the earlier one."""


@dataclass(slots=True)
class Child:
    """A child process; `grace` is the number of seconds that it may take to stop.

    `deaths` counts those in a row. `start_at` is the time of the next start, None while it runs.
    Times are those of the monotonic clock. `main` is what the command does, if the process can be
    forked from this one instead.
    """

    name: str
    command: list[str]
    log: Path
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    main: Callable[[], object] | None = None
    grace: float = 8.0
    process: subprocess.Popen[bytes] | Fork | None = None
    started_at: float = 0.0
    start_at: float | None = None
    deaths: int = 0

    def start(self) -> None:
        """Start the process; its output is appended to the log.

        Raises OSError if the process cannot be created.
        """
        self.started_at, self.start_at, self.process = time.monotonic(), None, None
        self.rotate_log()
        prepare = die_with_parent(os.getpid(), self.name)
        with self._open_log() as output:
            if self.main is not None and CAN_FORK:
                self.process = fork_program(
                    self.main,
                    folder=self.folder,
                    environment=self.environment,
                    output=output,
                    prepare=prepare,
                )
                return
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=prepare,
            )

    def _open_log(self) -> BinaryIO:
        try:
            return self.log.open("ab")
        except OSError:  # the log cannot be created on a full disk
            return Path(os.devnull).open("ab")

    @property
    def status(self) -> int | None:
        """The exit status (negative: the number of the signal), None while it is running."""
        return self.process.poll() if self.process else 0

    def is_broken(self, now: float) -> bool:
        """Return True if the child died at least twice in a row and has not started since."""
        return self.deaths > 1 and (
            self.start_at is not None or now - self.started_at < STARTED_AFTER
        )

    def note_death(self, now: float) -> float:
        """Count a death, set the time of the next start, and return the pause before it."""
        self.deaths = 1 if now - self.started_at >= STARTED_AFTER else self.deaths + 1
        pause = PAUSES[min(self.deaths, len(PAUSES)) - 1]
        self.start_at = now + pause
        return pause

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
        self.process.kill()  # a fork that does not lead its group yet
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
        """Copy a log that is too large to `.1` and truncate it; the child keeps its open file.

        On a full disk, the log stays as it is.
        """
        with suppress(OSError):
            if self.log.stat().st_size > LARGEST_LOG:
                shutil.copyfile(self.log, self.log.with_name(self.log.name + ".1"))
                os.truncate(self.log, 0)


class Children:
    """The children in the order of their start.

    `say` prints a message; `report_broken` gets the number of deaths of each broken child whenever
    it changes.
    """

    def __init__(
        self, say: Callable[[str], None], report_broken: Callable[[Mapping[str, int]], None]
    ) -> None:
        self._say = say
        self._report_broken = report_broken
        self._children: list[Child] = []
        self._broken: dict[str, int] = {}

    def start(self, child: Child) -> None:
        """Start another child."""
        self._children.append(child)
        self._start(child)

    def restart_dead(self) -> None:
        """Restart every child that died, each after its pause."""
        now = time.monotonic()
        for child in self._children:
            if child.start_at is None and child.status is not None:
                self._note_death(child, now, f"died (status {child.status})")
            if child.start_at is not None and child.start_at <= now:
                self._start(child)
        broken = {child.name: child.deaths for child in self._children if child.is_broken(now)}
        if broken != self._broken:
            self._broken = broken
            self._report_broken(broken)

    def watch_until(self, condition: Callable[[], bool], *, seconds: float = float("inf")) -> None:
        """Watch the children until the condition is true, or for this time."""
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            self.restart_dead()
            time.sleep(0.05)

    def watch(self) -> None:
        """Watch the children until a signal raises an exception."""
        logs_checked = time.monotonic()
        while True:
            time.sleep(0.25)
            self.restart_dead()
            if time.monotonic() - logs_checked > LOG_CHECK_PERIOD:
                logs_checked = time.monotonic()
                for child in self._children:
                    child.rotate_log()

    def stop(self) -> None:
        """Stop all children but the first together, then the first: the others need the broker."""
        for group in (self._children[1:], self._children[:1]):
            _stop_together(group)
        self._children.clear()

    def _start(self, child: Child) -> None:
        try:
            child.start()
        except OSError as error:
            self._note_death(child, time.monotonic(), f"cannot be started ({error})")

    def _note_death(self, child: Child, now: float, cause: str) -> None:
        child.kill_group()
        pause = child.note_death(now)
        if pause == 0:
            self._say(f"the {child.name} {cause} and is restarted")
        else:
            self._say(
                f"the {child.name} {cause}, {child.deaths} times in a row, and is restarted in"
                f" {pause:g} s; last error: {child.last_error()} (log: {child.log})"
            )


def _stop_together(children: Sequence[Child]) -> None:
    for child in children:
        child.terminate()
    started = time.monotonic()
    for child in children:
        child.wait(started + child.grace)
