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
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.core.broker import is_available
from games.core.references import absolute_url
from games.rules.text import Text

waiting_requests = BoundedSemaphore(settings.MAX_WAITING_REQUESTS)
"""Acquired by each request of this process that waits for a task."""

ASK_AGAIN: Final = 1
"""Seconds after which a client asks again for a task that is computed now."""

PREFER = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=10`: wait up to 10 seconds for the task (at most 30), unless many requests"
    " wait; `Preference-Applied` says so",
)
"""The parameter of an operation that can be answered with 202."""

SWEEP: Final = 60
"""Seconds after which a periodic task has found what the broker was not told."""

UNFINISHED: Final = ("waiting", "running")
"""The states of a task that is not finished."""

QUEUED: Final = Text("it waits for a worker, after earlier tasks")
RUNNING: Final = Text("a worker is doing it")
NO_BROKER: Final = Text("the broker is unavailable; a periodic task finds it within a minute")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a task waits or has failed; one that waits is worth asking for after `seconds`."""

    code: str
    detail: str
    seconds: int = ASK_AGAIN


LoadTask = Callable[[int], dict[str, Any] | None]
"""Compute a task from the rows, or None: `id`, `state`, `progress`, `response`, its `stream`,
`since` when it waits, and its `reason` (None for the usual ones)."""


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
    load: LoadTask, number: int, body: Callable[[], Mapping[str, Any]], seconds: float
) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Return the body after the wait with the task, the status and the headers.

    The status is 202, or 200 if the task is done within the wait.
    """
    task = shown_task(wait_while(load, number, ("waiting",), seconds))
    status = 202 if task.get("state", "waiting") == "waiting" else 200
    return {**body(), "task": task}, status, task_headers(task)


def shown_task(task: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a task as the API shows it: while it waits, since when, why, and when to ask again."""
    if task is None:
        return {}
    is_unfinished = task["state"] in UNFINISHED
    reason: Reason | None = task["reason"] or (usual_reason(task) if is_unfinished else None)
    return {
        "problem": None,
        **{name: value for name, value in task.items() if name not in ("stream", "location")},
        "url": absolute_url(f"tasks/{task['id']}"),
        "kind": task["id"].partition("-")[0],
        "since": task["since"] if is_unfinished else None,
        "reason": {"code": reason.code, "detail": reason.detail} if reason else None,
        "retry_after": reason.seconds if reason and is_unfinished else None,
    }


def usual_reason(task: Mapping[str, Any]) -> Reason:
    """Return why a task waits that waits for nobody's decision."""
    if task["state"] == "running":
        return Reason("running", RUNNING)
    if is_available():
        return Reason("queued", QUEUED)
    return Reason("broker_unavailable", NO_BROKER, SWEEP)


def given_up(attempts: int) -> Reason:
    """Return why a task has failed that was tried too often."""
    return Reason("given_up", Text("the task failed %(count)s times", count=attempts))


def task_headers(task: Mapping[str, Any]) -> dict[str, str]:
    """Return where a task is, and the seconds after which to ask for it again while it waits."""
    return {"Location": task["url"], **retry_headers(task)} if task else {}


def retry_headers(task: Mapping[str, Any]) -> dict[str, str]:
    """Return `Retry-After` of a task that is not finished."""
    seconds = task["retry_after"]
    return {"Retry-After": str(seconds)} if seconds else {}
