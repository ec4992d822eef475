"""Real processes for tests: a Valkey, a Celery worker, and how to wait for what they do."""

import math
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

from celery import Celery, Task
from django.conf import settings
from django.test import override_settings

from deploy import valkey
from deploy.celery import app
from deploy.tasks import TICK
from deploy.valkey import celery_address
from games.core.broker import connect

ROOT = Path(__file__).parent.parent
Seen = TypeVar("Seen")


def eventually(look: Callable[[], Seen], *, seconds: float = 180) -> Seen:
    """What `look` returns once that is true; fails when it is still not after the time.

    The time is long because a test that waits in vain is rare, and a busy machine is not. A longer
    wait looks less often, because looking takes the processor from what it waits for.
    """
    start = time.monotonic()
    while not (seen := look()):
        waited = time.monotonic() - start
        assert waited < seconds, f"not so after {seconds} s: {look}"
        time.sleep(min(max(0.02, waited / 20), 0.1))
    return seen


def eventually_swept(sweep: Task, look: Callable[[], Seen]) -> Seen:
    """As `eventually`, while the worker gets the message of a sweep every second.

    A single sweep may skip a row whose lock or lease another task, or a killed one, still holds.
    """
    swept_at = -math.inf

    def sweep_and_look() -> Seen:
        nonlocal swept_at
        if time.monotonic() > swept_at + 1:
            sweep.delay()
            swept_at = time.monotonic()
        return look()

    return eventually(sweep_and_look)


def run_python(*arguments: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run what Python runs with these arguments, in the project's folder."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )


class Program:
    """A child process whose output goes to a file; killed at the latest when its test ends."""

    def __init__(self, command: list[str], *, log: Path, environment: Mapping[str, str]) -> None:
        self.command = command
        self.log = log
        self.environment = dict(environment)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Start it; it leads a process group of its own."""
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=os.environ | self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return self

    @property
    def running(self) -> bool:
        """Whether it has been started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process, not to its children."""
        assert self.process is not None
        self.process.send_signal(number)

    def wait(self, *, seconds: float = 60) -> int:
        """Wait for its end; the exit status."""
        assert self.process is not None
        return self.process.wait(seconds)

    def kill(self) -> None:
        """Kill the whole group, as a power cut would."""
        if self.process is not None:
            if self.running:
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def output(self) -> str:
        """What it has written so far."""
        return self.log.read_text(errors="replace")


class Broker(Program):
    """A real Valkey on a socket in a folder, keeping its messages over `kill` and `start`.

    It leaves the file to the operating system: on a slow disk, it would wait for that for seconds.
    """

    def __init__(self, folder: Path) -> None:
        self.address = f"unix://{folder}/valkey.sock"
        command = [*valkey.command(self.address, folder), "--appendfsync", "no"]
        super().__init__(command, log=folder / "valkey.log", environment={})

    def start(self) -> Self:
        """Start it and wait until it answers."""
        super().start()
        eventually(lambda: valkey.answers(self.address))
        return self


class Worker(Program):
    """A real Celery worker on the test's own database and broker; it may send to this machine."""

    def __init__(self, folder: Path, *, database: str, broker: str) -> None:
        command = [sys.executable, "-m", "celery", "--app=deploy.celery", "--skip-checks", "worker"]
        command += ["--pool=threads", "--concurrency=2", "--loglevel=info"]
        command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        known = {"DATABASE_URL": database, "REDIS_URL": broker, "WEBHOOK_NETWORKS": "127.0.0.0/8"}
        super().__init__(command, log=folder / "worker.log", environment=known)

    def start(self) -> Self:
        """Start it and wait until it runs tasks."""
        super().start()
        self.wait_until_ready()
        return self

    def wait_until_ready(self) -> None:
        """Wait until it has run a task."""
        from deploy.tasks import tick

        connect().delete(TICK)
        tick.delay()
        eventually(lambda: connect().exists(TICK) or not self.running)
        assert self.running, self.output()

    def wait_until_idle(self) -> None:
        """Wait until it has run every task: it acknowledges a task when it has run it."""
        eventually(lambda: not connect().exists("unacked", *settings.CELERY_TASK_QUEUES))

    def suspend(self) -> None:
        """Stop it between two tasks: stopped within one, it would keep the database locked."""
        self.wait_until_idle()
        self.send(signal.SIGSTOP)
        while connect().exists("unacked"):  # it had a message in its hands
            self.send(signal.SIGCONT)
            self.wait_until_idle()
            self.send(signal.SIGSTOP)

    def stop(self) -> None:
        """Let it finish what it is doing and end it."""
        if self.running:
            self.send(signal.SIGTERM)
            self.wait()


@contextmanager
def celery_with_broker_at(address: str) -> Iterator[Celery]:
    """The current Celery application, and the settings, have another broker."""
    other = Celery("other", set_as_current=False)
    other.config_from_object("django.conf:settings", namespace="CELERY")
    other.conf.broker_url = celery_address(address)
    other.set_current()
    try:
        with override_settings(REDIS_URL=address):
            yield other
    finally:
        app.set_current()
        other.close()


@contextmanager
def file_limit(process: int, *, bytes: int = 0) -> Iterator[None]:
    """Let a process (0: this one) get an error where it writes beyond a size of a file."""
    soft, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (bytes, hard))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (soft, hard))


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
