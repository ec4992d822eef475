"""Wait for a task that a request has sent.

A response waits as long as the request prefers (`Prefer: wait=10`), unless too many are waiting:
each of them takes a thread of the web server.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from rest_framework.request import Request

from games.core.actions import Answer

waiting_requests = BoundedSemaphore(settings.MAX_WAITING_REQUESTS)
"""Acquired by each request of this process that waits for a task."""

LoadTask = Callable[[int], dict[str, Any] | None]
"""Compute a task from the rows, as JSON with `stream` and what the API shows, or None."""


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A kind of task, which is the first part of its id, as in `report-17`.

    `can_see` decides whether a request may see it, given its number and its stream.
    """

    load: LoadTask
    can_see: Callable[[Request, int, str], bool]


def wait_while(
    load: LoadTask, number: int, states: tuple[str, ...], seconds: float
) -> dict[str, Any] | None:
    """Load a task again and again while it is in one of the states, for at most `seconds`.

    If `MAX_WAITING_REQUESTS` are waiting already, load it only once.
    """
    until, pause = time.monotonic() + seconds, 0.005
    task = load(number)
    is_waiting = task and task["state"] in states and seconds
    if not (is_waiting and waiting_requests.acquire(blocking=False)):
        return task
    try:
        while task and task["state"] in states and time.monotonic() < until:
            time.sleep(pause)
            pause, task = min(pause * 1.5, 0.2), load(number)
    finally:
        waiting_requests.release()
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


def with_task(content: Mapping[str, Any], load: LoadTask, number: int) -> Answer:
    """Return the answer 202 with a task, or 200 if it is done while the caller waits."""
    return Answer(
        content, wait=lambda seconds: Answer(*wait_for_task(load, number, content, seconds))
    )
