"""The progress of a task, kept in the broker under a key that expires.

The database cannot hold it: the task's own transaction is open, and SQLite has one writer. The key
is also a lease: while it exists, a worker runs the task. The lease only saves duplicate work, so
when the broker is unreachable there is no progress, and no delay.
"""

import json
import logging
import time
from dataclasses import dataclass
from typing import Any, Final, Self

import redis

from games.core.broker import connect
from games.rules.text import restored, storable

log = logging.getLogger(__name__)

TASK_LEASE: Final = 30
"""Seconds without progress after which a task is considered dead."""

INTERVAL: Final = 0.1
"""Seconds between two updates of the same step."""

PROGRESS_TIMEOUT: Final = 0.3
"""Seconds to wait for the broker."""

FIRST_STEP: Final = "beginning"


@dataclass(slots=True)
class TaskProgress:
    """A `Progress` that publishes the progress of one task, until the broker fails once."""

    task: str
    step: str = FIRST_STEP
    updated_at: float = 0.0
    is_connected: bool = True

    @classmethod
    def begin(cls, task: str) -> Self | None:
        """Take the lease of a task; return None if a worker holds it."""
        progress = cls(task)
        try:
            is_taken = connect(PROGRESS_TIMEOUT).set(
                _key(task), _as_json(FIRST_STEP, 0, 0), nx=True, ex=TASK_LEASE
            )
        except (redis.RedisError, OSError) as error:
            progress._disconnect(error)
            return progress
        return progress if is_taken else None

    def __call__(self, step: str, done: int, total: int) -> None:
        """Publish the progress, at most once per `INTERVAL` for the same step."""
        now = time.monotonic()
        if not self.is_connected or (step == self.step and now < self.updated_at + INTERVAL):
            return
        self.step, self.updated_at = step, now
        try:
            connect(PROGRESS_TIMEOUT).set(
                _key(self.task), _as_json(step, done, total), ex=TASK_LEASE
            )
        except (redis.RedisError, OSError) as error:
            self._disconnect(error)

    def end(self) -> None:
        """Release the lease."""
        if self.is_connected:
            try:
                connect(PROGRESS_TIMEOUT).delete(_key(self.task))
            except (redis.RedisError, OSError) as error:
                self._disconnect(error)

    def _disconnect(self, error: Exception) -> None:
        self.is_connected = False
        log.warning("the progress of %s is not published: %s", self.task, error)


def read_progress(task: str) -> dict[str, Any] | None:
    """Return the progress of a running task; None if it is not running or the broker is away."""
    try:
        content = connect(PROGRESS_TIMEOUT).get(_key(task))
    except (redis.RedisError, OSError):
        return None
    return restored(json.loads(content)) if isinstance(content, bytes) else None


def _key(task: str) -> str:
    return f"perihelion:progress:{task}"


def _as_json(step: str, done: int, total: int) -> str:
    return json.dumps(storable({"step": step, "done": done, "of": total}))
