"""How far a long piece of work has come, told as it goes on: a step in words, so many of so many.

Work is given a `Progress` to call and does not know who listens. What a task tells stands in the
broker under a key that expires, for the task's own transaction is open and SQLite has one writer.
The key is a lease as well: while it is there, somebody is at the task. It saves doing the same
twice and nothing rests on it, so a broker that is away means no numbers, and no delay.
"""

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Self

import redis

from games.broker import connect

log = logging.getLogger(__name__)

Progress = Callable[[str, int, int], None]
"""Told the step, how much of it is done, and of how much: `("reading lines", 400, 1000)`."""

LEASE: Final = 30
"""Seconds after which a task that tells nothing is taken for dead."""

PAUSE: Final = 0.1
"""Seconds between two numbers of the same step."""

PATIENCE: Final = 0.3
"""Seconds that a broker which hangs may take, once."""

BEGUN: Final = "beginning"


def unheard(step: str, done: int, of: int) -> None:
    """Tell nobody."""


def key_of(task: str) -> str:
    """Where the broker keeps what is told of a task."""
    return f"perihelion:progress:{task}"


@dataclass(slots=True)
class Telling:
    """A `Progress` that tells of one task, until the broker fails it once."""

    task: str
    step: str = BEGUN
    last: float = 0.0
    is_heard: bool = True

    @classmethod
    def begin(cls, task: str) -> Self | None:
        """Take the task up; None when somebody is at it."""
        telling = cls(task)
        first = _written(BEGUN, 0, 0)
        try:
            taken = connect(PATIENCE).set(key_of(task), first, nx=True, ex=LEASE)
        except (redis.RedisError, OSError) as error:
            telling._unheard(error)
            return telling
        return telling if taken else None

    def __call__(self, step: str, done: int, of: int) -> None:
        """Tell; numbers that follow each other too fast are left out."""
        now = time.monotonic()
        if not self.is_heard or (step == self.step and now < self.last + PAUSE):
            return
        self.step, self.last = step, now
        try:
            connect(PATIENCE).set(key_of(self.task), _written(step, done, of), ex=LEASE)
        except (redis.RedisError, OSError) as error:
            self._unheard(error)

    def end(self) -> None:
        """Let the task go."""
        if self.is_heard:
            try:
                connect(PATIENCE).delete(key_of(self.task))
            except (redis.RedisError, OSError) as error:
                self._unheard(error)

    def _unheard(self, error: Exception) -> None:
        self.is_heard = False
        log.warning("nothing is told of %s: %s", self.task, error)


def last_told(task: str) -> dict[str, Any] | None:
    """What was told last of a task that somebody is at; None of any other, or without a broker."""
    try:
        told = connect(PATIENCE).get(key_of(task))
    except (redis.RedisError, OSError):
        return None
    return json.loads(told) if isinstance(told, bytes) else None


def _written(step: str, done: int, of: int) -> str:
    return json.dumps({"step": step, "done": done, "of": of})
