"""The response to an import: its result, or 202 with the task that imports the file."""

import re
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.http.errors import ApiError
from games.http.request import begin_write, wait_seconds, wait_while
from games.imports.uploads import Importer, ImportResult, SentFile, create_upload, import_now

UNFINISHED_TASK_STATES = ("waiting", "running")
PREFERS_TASK = re.compile(r"(?:^|,)\s*(?:respond-async|wait=\d{1,4})\s*(?=$|[,;])", re.IGNORECASE)
IMPORT_PARAMETERS = [
    OpenApiParameter(
        "Prefer",
        str,
        OpenApiParameter.HEADER,
        description="`respond-async`: 202 and a task; `wait=10`: wait up to 10 seconds for it (at"
        " most 30), unless many requests wait. A task also imports a body above 8 KiB (TRF: 16, a"
        " bundle: 64)",
    ),
]
"""The parameters of every import."""
CSV_PARAMETERS = [
    OpenApiParameter(
        "columns",
        str,
        description="the columns of headings that are not recognised, as `Verein:club,Tel:ignore`",
    ),
    *IMPORT_PARAMETERS,
]
"""The parameters of an import of CSV."""


def csv_parameters(request: Request) -> dict[str, str]:
    """Return the parameters of an import of CSV that the query has."""
    columns = request.query_params.get("columns")
    return {"columns": columns} if columns else {}


def import_response(request: Request, importer: Importer, sent: SentFile) -> Response:
    """Import a file: 200 for a dry run, 201 when it is imported, 202 when a task imports it."""
    begin_write(request)
    prefers_task = PREFERS_TASK.search(request.headers.get("Prefer", "")) is not None
    if sent.dry_run or not (prefers_task or len(sent.content) > importer.max_sync_size):
        return _result_response(import_now(importer, sent), dry_run=sent.dry_run)
    task = _wait_for_upload(create_upload(importer, sent).pk, wait_seconds(request))
    if task["state"] == "done":
        return _result_response(ImportResult(task["result"], task["location"]))
    if task["state"] not in UNFINISHED_TASK_STATES:
        raise ApiError.from_json(task["problem"])
    names = ("id", "state", "progress", "result", "problem")
    body = {"task": {name: task[name] for name in names}}
    return Response(body, status=202, headers={"Location": f"/api/v1/tasks/{task['id']}"})


def _result_response(result: ImportResult, *, dry_run: bool = False) -> Response:
    headers = {"Location": result.location} if result.location and not dry_run else {}
    return Response(result.body, status=200 if dry_run else 201, headers=headers)


def _wait_for_upload(upload_id: int, seconds: float) -> dict[str, Any]:
    """Return the task of an upload after the wait; without one, as it was accepted."""
    created: dict[str, Any] = dict.fromkeys(("progress", "result", "problem"))
    created |= {"id": queries.import_task(upload_id), "state": "waiting"}
    if not seconds:
        return created
    return (
        wait_while(queries.import_progress, upload_id, UNFINISHED_TASK_STATES, seconds) or created
    )
