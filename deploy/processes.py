"""Child processes: started in order, started again when they die, ended in the opposite order.

Each child leads a process group of its own, so that Ctrl-C in a terminal reaches the parent alone
and a child's own children can be ended with it. On Linux the kernel ends a child whose parent was
killed outright.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

MOST_RESTARTS: Final = 5
WITHIN: Final = 60.0
"""A child that dies more often than this in so many seconds is given up."""

LARGEST_LOG: Final = 10 << 20
"""Bytes; a longer log is moved to `.1`, and the one before that forgotten."""

PR_SET_PDEATHSIG: Final = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class GivenUp(Exception):
    """A child died too often, or never came up."""


@dataclass(slots=True)
class Child:
    """One child: what to run, where its output goes, how long it may take to end (seconds)."""

    name: str
    command: list[str]
    log: Path
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    grace: float = 8.0
    process: subprocess.Popen[bytes] | None = None
    deaths: deque[float] = field(default_factory=deque)

    def start(self) -> None:
        """Start it, with its output appended to its log."""
        self.trim_log()
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with(os.getpid()),
            )

    @property
    def status(self) -> int | None:
        """The exit status (negative: the signal that killed it), None while it runs."""
        return self.process.poll() if self.process else 0

    def ask_to_end(self) -> None:
        """Send SIGTERM, if it runs."""
        if self.process is not None and self.status is None:
            self.process.send_signal(signal.SIGTERM)

    def end(self, deadline: float) -> None:
        """Wait for its end until the deadline, then kill what is left of its group."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass
        finally:
            self.kill_group()

    def kill_group(self) -> None:
        """Kill whatever still runs in its process group."""
        if self.process is None:
            return
        # Raised when nobody is left; by macOS also when only the dead are.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def last_words(self) -> str:
        """The last line of its log that names an error, else the last line."""
        try:
            lines = self.log.read_text(errors="replace").strip().splitlines()
        except OSError:
            return ""
        errors = [line for line in lines if "Error" in line]
        return (errors or lines or [""])[-1].strip()

    def trim_log(self) -> None:
        """Move a log that has grown too long aside; the child goes on writing to the same file."""
        if self.log.exists() and self.log.stat().st_size > LARGEST_LOG:
            shutil.copyfile(self.log, self.log.with_name(self.log.name + ".1"))
            os.truncate(self.log, 0)


class Children:
    """The children in the order in which they are started; `say` tells the person what happens."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._children: list[Child] = []

    def start(self, child: Child) -> None:
        """Start one more child."""
        self._children.append(child)
        child.start()

    def watch(self) -> None:
        """Start again what has died; raises GivenUp for a child that dies too often."""
        for child in self._children:
            if child.status is not None:
                self._revive(child)

    def watch_until(self, true: Callable[[], bool], *, seconds: float, what: str) -> None:
        """Watch until something has become true; raises GivenUp when the time is over."""
        end = time.monotonic() + seconds
        while not true():
            self.watch()
            if time.monotonic() > end:
                raise GivenUp(f"{what} did not come up within {seconds:.0f} s.")
            time.sleep(0.05)

    def watch_for_ever(self) -> None:
        """Watch until an exception (a signal's) ends it."""
        looked_at_logs = time.monotonic()
        while True:
            time.sleep(0.25)
            self.watch()
            if time.monotonic() - looked_at_logs > WITHIN:
                looked_at_logs = time.monotonic()
                for child in self._children:
                    child.trim_log()

    def stop(self) -> None:
        """End all but the first together, then the first, which the others need: the broker."""
        for group in (self._children[1:], self._children[:1]):
            _end_together(group)
        self._children.clear()

    def _revive(self, child: Child) -> None:
        status = child.status
        now = time.monotonic()
        while child.deaths and now - child.deaths[0] > WITHIN:
            child.deaths.popleft()
        child.deaths.append(now)
        if len(child.deaths) > MOST_RESTARTS:
            raise GivenUp(
                f"the {child.name} died {len(child.deaths)} times within a minute; "
                f"its last words: {child.last_words()} (all: {child.log})"
            )
        child.kill_group()
        time.sleep(0.2 * (len(child.deaths) - 1))
        child.start()
        self._say(
            f"the {child.name} died (status {status}) and was started again, "
            f"{len(child.deaths)} of at most {MOST_RESTARTS} times a minute"
        )


def _end_together(children: Iterable[Child]) -> None:
    ending = list(children)
    for child in ending:
        child.ask_to_end()
    began = time.monotonic()
    for child in ending:
        child.end(began + child.grace)


def _end_with(parent: int) -> Callable[[], None] | None:
    """What a child does before it begins: ask the kernel for SIGTERM when the parent is gone."""
    if _libc is None:
        return None
    prctl = _libc.prctl

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return ask
