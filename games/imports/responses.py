"""Answering an import: at once, or 202 with the task that carries the file in."""

import re
import time
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.http.errors import ApiError
from games.http.request import wait_seconds
from games.imports import uploads
from games.imports.uploads import Importer, SentFile

UNDER_WAY = ("waiting", "running")
WISHES_TASK = re.compile(r"(?:^|,)\s*(?:respond-async|wait=\d{1,4})\s*(?=$|[,;])", re.IGNORECASE)
IMPORT_PARAMETERS = [
    OpenApiParameter("dry_run", bool, description="show the effect, change nothing; at once"),
    OpenApiParameter(
        "Prefer",
        str,
        OpenApiParameter.HEADER,
        description="`respond-async`: 202 and a task; `wait=10`: wait for it so many seconds,"
        " at most 30. A body beyond 8 KiB (a report: 16, a bundle: 64) goes to a task by itself",
    ),
]
"""The parameters that every import has."""


def import_response(request: Request, kind: Importer, sent: SentFile) -> Response:
    """Import what was sent: 200 for a dry run, 201 when it is done, 202 when a task is on it."""
    wishes_task = WISHES_TASK.search(request.headers.get("Prefer", "")) is not None
    if sent.dry_run or not (wishes_task or len(sent.content) > kind.at_once):
        answer = uploads.import_now(kind, sent)
        return _done(answer.body, answer.location, dry_run=sent.dry_run)
    upload = uploads.create_upload(kind, sent)
    task = _ended(upload.pk, seconds=wait_seconds(request))
    if task["state"] == "done":
        return _done(task["result"], task["location"])
    if task["state"] not in UNDER_WAY:
        raise ApiError.from_json(task["problem"])
    names = ("id", "state", "progress", "result", "problem")
    address = f"/api/v1/tasks/{task['id']}"
    body = {"task": {name: task[name] for name in names}}
    return Response(body, status=202, headers={"Location": address})


def _done(body: dict[str, Any], location: str, *, dry_run: bool = False) -> Response:
    headers = {"Location": location} if location and not dry_run else {}
    return Response(body, status=200 if dry_run else 201, headers=headers)


def _ended(upload_id: int, *, seconds: float) -> dict[str, Any]:
    """The task of an upload once it has ended, or as it stands after so many seconds.

    Without a wait it is shown as it was accepted, however fast the worker is.
    """
    asked = {"id": queries.upload_task(upload_id), "state": "waiting"}
    accepted = asked | dict.fromkeys(("progress", "result", "problem"))
    if not seconds:
        return accepted
    until, pause = time.monotonic() + seconds, 0.005
    while True:
        task = queries.upload_progress(upload_id) or accepted
        if task["state"] not in UNDER_WAY or time.monotonic() > until:
            return task
        time.sleep(pause)
        pause = min(pause * 1.5, 0.2)
