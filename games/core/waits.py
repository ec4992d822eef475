"""Wait for a task that a request has sent.

A response waits as long as the request prefers (`Prefer: wait=10`), unless too many are waiting:
each of them takes a thread of the web server.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any, Final

from django.conf import settings
from rest_framework.request import Request

waiting_requests = BoundedSemaphore(settings.MAX_WAITING_REQUESTS)
"""Acquired by each request of this process that waits for a task."""

ASK_AGAIN: Final = 1
"""Seconds after which a client asks again for a task that is computed now."""

LoadTask = Callable[[int], dict[str, Any] | None]
"""Compute a task from the rows, as JSON with `stream` and what the API shows, or None."""


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A kind of task, which is the first part of its id, as in `report-17`.

    `can_see` decides whether a request may see it, given its number and its stream.
    """

    load: LoadTask
    can_see: Callable[[Request, int, str], bool]


@contextmanager
def place_to_wait(seconds: float, headers: dict[str, str]) -> Iterator[float]:
    """Yield the seconds to wait: none if `MAX_WAITING_REQUESTS` are waiting already.

    `Preference-Applied` (RFC 7240) in the headers says that the response has waited.
    """
    if not (seconds and waiting_requests.acquire(blocking=False)):
        yield 0.0
        return
    applied = (headers.get("Preference-Applied"), f"wait={seconds:.0f}")
    headers["Preference-Applied"] = ", ".join(filter(None, applied))
    try:
        yield seconds
    finally:
        waiting_requests.release()


def wait_while(
    load: LoadTask, number: int, states: tuple[str, ...], seconds: float
) -> dict[str, Any] | None:
    """Load a task again and again while it is in one of the states, for at most `seconds`."""
    until, pause = time.monotonic() + seconds, 0.005
    task = load(number)
    while task and task["state"] in states and time.monotonic() < until:
        time.sleep(pause)
        pause, task = min(pause * 1.5, 0.2), load(number)
    return task


def wait_for_task(
    load: LoadTask, number: int, body: Mapping[str, Any], seconds: float
) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Return the accepted body with the task, the status and the headers.

    The status is 202, or 200 if the task is done within the wait.
    """
    task = wait_while(load, number, ("waiting",), seconds) or {}
    visible = {name: value for name, value in task.items() if name != "stream"}
    is_done = bool(visible) and visible["state"] != "waiting"
    headers = {"Location": f"/api/v1/tasks/{visible['id']}"} if visible else {}
    return {**body, "task": visible}, 200 if is_done else 202, headers
