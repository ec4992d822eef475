"""Tasks in the API: their kinds, and the response that waits for one (`Prefer: wait=10`)."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

MAX_WAIT = 30.0
"""Seconds that a request waits at most."""

Load = Callable[[], dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A kind of task, which is the first part of its id, as in `report-17`.

    `load` computes a task from the rows, as JSON with `stream` and what the API shows, or None.
    `can_see` decides whether a request may see it, given its number and its stream.
    """

    load: Callable[[int], dict[str, Any] | None]
    can_see: Callable[[Request, int, str], bool]


def wait_seconds(request: Request) -> float:
    """Return the seconds in `Prefer: wait=10` (RFC 7240), at most `MAX_WAIT`."""
    found = re.search(r"\bwait=(\d{1,4})\b", request.headers.get("Prefer", ""))
    return min(float(found[1]), MAX_WAIT) if found else 0.0


def wait_while(load: Load, states: tuple[str, ...], seconds: float) -> dict[str, Any] | None:
    """Load a task again and again while it is in one of the states, for at most `seconds`."""
    until, pause = time.monotonic() + seconds, 0.005
    task = load()
    while task and task["state"] in states and time.monotonic() < until:
        time.sleep(pause)
        pause, task = min(pause * 1.5, 0.2), load()
    return task


def task_response(request: Request, load: Load, body: dict[str, Any]) -> Response:
    """Respond 202 with the accepted body and the task, or 200 if it is done within the wait."""
    task = wait_while(load, ("waiting",), wait_seconds(request)) or {}
    visible = {name: value for name, value in task.items() if name != "stream"}
    is_done = bool(visible) and visible["state"] != "waiting"
    headers = {"Location": f"/api/v1/tasks/{visible['id']}"} if visible else {}
    return Response({**body, "task": visible}, status=200 if is_done else 202, headers=headers)
