"""Turns: which long task a worker runs next, and which ones run now.

A message only tells a worker that there is something to do. The rows say what: of those that are
due, next is the one whose account has waited longest since a task of its own began; an account that
asks for ten has one turn, and then the others have theirs. What nobody with an account has asked
for shares one turn.

A task that runs holds two leases in the broker, its own and that of its account, so that of the
tasks of an account one runs at a time, on all workers together. They expire some seconds after
their worker has died. Its row is still due then, and a sweep finds it. The lease of a task also has
its progress, which the database cannot hold: the task's own transaction is open, and SQLite has one
writer. While the broker is unreachable there is no progress, no turn and no delay.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, Self

from games.core.broker import ask, send_on_commit
from games.rules.text import restored, storable

TASK_LEASE: Final = 30
"""Seconds after which a task counts as dead whose worker does not renew its leases."""
RENEWAL: Final = 10
INTERVAL: Final = 0.1
"""Seconds between two updates of the same step."""
TURN_MEMORY: Final = 3600
"""Seconds for which it is known when a task began: longer than a task may take."""
FIRST_STEP: Final = "beginning"


@dataclass(frozen=True, slots=True)
class Due:
    """A row that waits for a worker: the id of its task in the API, and who asked for it when.

    `task` is the name of the Celery task that brings it to its due state.
    """

    id: str
    task: str
    number: int
    by: int | None
    since: datetime

    @property
    def turn(self) -> str:
        """Return whose turn it takes."""
        return _account(self.by) if self.by is not None else "nobody"


def run_in_turn(task: str, rows: Callable[[], Iterable[Due]], run: Callable[[int], None]) -> None:
    """Run the row whose turn it is, if it is one of this task; tell the workers of the next one.

    The tasks have different limits of time, so a row of another task is left to that task.
    """
    row = next_in_turn(rows())
    if row is not None and row.task == task:
        run(row.number)
        row = next_in_turn(rows())
    _send(row)


def send_next(rows: Iterable[Due]) -> None:
    """Send the task of the row whose turn it is, if there is one."""
    _send(next_in_turn(rows))


def _send(row: Due | None) -> None:
    if row is not None:
        send_on_commit(row.task, row.number)


def next_in_turn(rows: Iterable[Due]) -> Due | None:
    """Return the row whose turn it is; none that runs, or whose account has a task that runs."""
    due = sorted(rows, key=attrgetter("since"))
    leases = _read({_lease(name) for row in due for name in (row.id, row.turn)})
    began = _read({_beginning(name) for row in due for name in (row.id, row.turn)})

    def last(name: str) -> float:
        return float(began.get(_beginning(name), 0))

    free = [row for row in due if not {_lease(row.id), _lease(row.turn)} & leases.keys()]
    return min(free, key=lambda row: (last(row.turn), last(row.id)), default=None)


@dataclass(slots=True)
class TaskProgress:
    """A `Progress` that publishes the progress of one task, unless the broker is unavailable.

    It holds the leases of the task and its account.
    """

    leases: tuple[str, ...]
    content: str
    step: str = FIRST_STEP
    updated_at: float = 0.0
    has_ended: threading.Event = field(default_factory=threading.Event)
    renewal: threading.Thread | None = None

    @classmethod
    def begin(cls, task: str, by: int | None = None) -> Self | None:
        """Take the leases of a task and of its account; return None if a worker holds one."""
        progress = cls((), _as_json(FIRST_STEP, 0, 0))
        for name in (task,) if by is None else (task, _account(by)):
            if not _write(_lease(name), progress.content, seconds=TASK_LEASE, is_new=True):
                progress.end()
                return None
            progress.leases += (name,)
        for name in (task, "nobody" if by is None else _account(by)):
            _write(_beginning(name), time.time(), seconds=TURN_MEMORY)
        progress.renewal = threading.Thread(target=progress.renew, daemon=True)
        progress.renewal.start()
        return progress

    def __call__(self, step: str, done: int, total: int) -> None:
        """Publish the progress, at most once per `INTERVAL` for the same step."""
        now = time.monotonic()
        if step == self.step and now < self.updated_at + INTERVAL:
            return
        self.step, self.updated_at = step, now
        self.content = _as_json(step, done, total)
        self.write()

    def renew(self) -> None:
        """Renew the leases until the end: a step may take longer than they last."""
        while not self.has_ended.wait(RENEWAL):
            self.write()

    def write(self) -> None:
        for name in self.leases:
            _write(_lease(name), self.content, seconds=TASK_LEASE)

    def end(self) -> None:
        self.has_ended.set()
        if self.renewal is not None:
            self.renewal.join()
        if keys := [_lease(name) for name in self.leases]:
            ask(lambda broker: broker.delete(*keys), lambda: None)


def read_progress(task: str) -> dict[str, Any] | None:
    """Return the progress of a running task; None if it is not running or the broker is away."""
    content = ask(lambda broker: broker.get(_lease(task)), lambda: None)
    return restored(json.loads(content)) if isinstance(content, bytes) else None


def _write(key: str, value: str | float, *, seconds: int, is_new: bool = False) -> bool:
    """Set a key for some time; return False if it `is_new` and is there already."""
    return bool(ask(lambda broker: broker.set(key, value, nx=is_new, ex=seconds), lambda: True))


def _read(keys: Iterable[str]) -> dict[str, bytes]:
    """Return the values of those keys that the broker has."""
    names = list(keys)
    values = ask(lambda broker: broker.mget(names), lambda: []) if names else []
    return {name: value for name, value in zip(names, values, strict=False) if value is not None}


def _account(number: int) -> str:
    return f"account-{number}"


def _lease(name: str) -> str:
    return f"perihelion:progress:{name}"


def _beginning(name: str) -> str:
    return f"perihelion:began:{name}"


def _as_json(step: str, done: int, total: int) -> str:
    return json.dumps(storable({"step": step, "done": done, "of": total}))
