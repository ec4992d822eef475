"""Kill the processes of a service in random order, and wait each time until it runs again."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import psutil
import redis
from kombu.exceptions import KombuError

from deploy import valkey
from deploy.tasks import TICK
from deploy.valkey import socket_address
from tests.deploy.service import Service
from tests.processes import celery_with_broker_at, eventually

RECOVERY: Final = 120
"""Seconds until everything runs again, on a busy machine."""

SUPERVISOR: Final = "supervisor"
"""`manage.py up`, the parent of the others; when it is killed, it is started again."""


@dataclass(slots=True)
class Killer:
    """The kills of a service's processes, and how long each recovery took in seconds."""

    service: Service
    source: Random
    recoveries: dict[str, list[float]] = field(default_factory=dict)

    def kill_each(self, times: int) -> Iterator[None]:
        """Kill each process so many times, up to four at once; yield after each recovery.

        In each round, each process is killed once, in random order.
        """
        names = sorted(self._processes())
        for _ in range(times):
            self.source.shuffle(names)
            rest = list(names)
            while rest:
                count = self.source.randint(1, 4)
                self._kill(rest[:count], set(names))
                rest = rest[count:]
                time.sleep(self.source.random())
                yield

    def figures(self) -> str:
        """Return kills and recovery times, a line for each process."""
        return "\n".join(
            f"{name}: {len(seconds)} kills, recovery median {median(seconds):.1f} s,"
            f" longest {max(seconds):.1f} s"
            for name, seconds in sorted(self.recoveries.items())
        )

    def _processes(self) -> dict[str, psutil.Process]:
        """Return the supervisor and its children; the name of a child is that of its log."""
        assert self.service.process is not None
        supervisor = psutil.Process(self.service.process.pid)
        found = {SUPERVISOR: supervisor}
        for child in supervisor.children():
            with suppress(OSError):
                log = Path(f"/proc/{child.pid}/fd/1").readlink()
                if log.suffix == ".log":  # otherwise it is just being started
                    found[log.stem] = child
        return found

    def _kill(self, names: list[str], expected: set[str]) -> None:
        processes = self._processes()
        killed = [processes[name] for name in names]
        for process in killed:
            with suppress(psutil.NoSuchProcess):  # it ended with its parent
                process.kill()
        started = time.monotonic()
        if SUPERVISOR in names:
            self.service.kill()
            self.service.start()
        eventually(lambda: self._has_all(expected, without=killed), seconds=RECOVERY)
        self._wait_for_tick()
        for name in names:
            self.recoveries.setdefault(name, []).append(time.monotonic() - started)

    def _has_all(self, names: set[str], *, without: list[psutil.Process]) -> bool:
        """Return True if all processes run, without the killed ones, and two of them respond."""
        time.sleep(0.2)  # listing the processes costs time that they need
        if any(process.is_running() for process in without):
            return False
        if self.service.get("/health/live")[0] != 200 or not valkey.answers(self._broker):
            return False
        return set(self._processes()) == names

    def _wait_for_tick(self) -> None:
        """Wait until the worker has run a task."""
        client = redis.Redis.from_url(self._broker)

        def has_ticked() -> bool:
            with suppress(redis.RedisError, KombuError, OSError):
                with celery_with_broker_at(self._broker) as other:
                    other.send_task("deploy.tasks.tick", queue="results", expires=5)
                time.sleep(0.3)
                return bool(client.exists(TICK))
            return False

        with suppress(redis.RedisError):
            client.delete(TICK)
        eventually(has_ticked, seconds=RECOVERY)

    @property
    def _broker(self) -> str:
        return socket_address(self.service.folder)
