"""Tasks as the API shows them: settlements of reports, and imports, computed from their rows."""

from datetime import datetime
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from django.db.models import Q, QuerySet
from rest_framework.request import Request

from games.core.permissions import MATRIX, current_account
from games.core.turns import Due, read_progress
from games.core.types import described
from games.core.waits import given_up
from games.models import Report, Upload
from games.models.attempts import MAX_ATTEMPTS
from games.rules.text import Text

TASK_KINDS: Final = ("report", "batch", "explanation", "forecast", "import")


class TaskReason(TypedDict):
    """Why a task waits or has failed."""

    code: Annotated[
        str, "queued, running, broker_unavailable, approval_needed, refused, withdrawn, given_up"
    ]
    detail: str


class Progress(TypedDict):
    """How far a task is."""

    step: Annotated[str, "for example `reading lines`"]
    done: int
    of: int


class Task(TypedDict):
    """Long work: settling a game, rating a tournament, an explanation, a forecast, an import.

    All states but `waiting` and `running` are final.
    """

    id: str
    url: str
    kind: Annotated[
        Literal["report", "batch", "explanation", "forecast", "import"], "the first part of the id"
    ]
    state: Annotated[
        Literal["waiting", "running", "done", "refused", "failed"],
        "refused: of an import, see `problem`; failed: given up",
    ]
    progress: Annotated[Progress | None, "while it is known how far the task is"]
    response: Annotated[
        dict[str, Any] | None,
        "when done: what it has made, as it was then; of an import, that of one in the request",
    ]
    problem: Annotated[dict[str, Any] | None, "of an import: the problem of one in the request"]
    current: NotRequired[Annotated[dict[str, Any], "of a batch: the last `run_number` so far"]]
    since: Annotated[datetime | None, "since when it waits"]
    reason: Annotated[TaskReason | None, "why it waits or has failed"]
    retry_after: Annotated[int | None, "the seconds after which to ask again, as in `Retry-After`"]


TaskSerializer, StepSerializer = described(Task), described(Progress)


class ImportAccepted(TypedDict):
    """The task that imports a file."""

    task: Task


def import_responses(response: Any) -> dict[int, Any]:
    """Return the responses of an import: a dry run, a small file, and a file for a task."""
    return {200: response, 201: response, 202: ImportAccepted}


def report_progress(report_id: int) -> dict[str, Any] | None:
    """Return the task that settles a report, computed from the rows; None if unknown."""
    report = Report.objects.select_related("game").filter(pk=report_id).first()
    if report is None:
        return None
    done = report.settled_at is not None
    state = report.settled_as or report.game.state  # an imported report has no state of its own
    failed = not done and report.game.attempts >= MAX_ATTEMPTS
    return {
        "id": f"report-{report.pk}",
        "state": "done" if done else "failed" if failed else "waiting",
        "progress": None,
        "stream": report.game.role_stream,
        "response": {"game_id": report.game_id, "state": state} if done else None,
        "since": report.received_at,
        "reason": given_up(MAX_ATTEMPTS) if failed else None,
    }


def due_uploads() -> "QuerySet[Upload]":
    """Return the uploads that are neither finished nor given up, the oldest first."""
    due = Upload.objects.filter(finished_at=None, attempts__lt=MAX_ATTEMPTS)
    return due.order_by("created_at", "pk")


def uploads_in_turn() -> list[Due]:
    """Return the due uploads, for their turns."""
    rows = due_uploads().values_list("pk", "task", "by_id", "created_at")
    return [Due(import_task(pk), task, pk, by, since) for pk, task, by, since in rows]


def old_uploads(before: datetime) -> "QuerySet[Upload]":
    """Return the uploads that finished before that time, or were created before and given up."""
    given_up = Q(finished_at=None, attempts__gte=MAX_ATTEMPTS, created_at__lt=before)
    return Upload.objects.filter(Q(finished_at__lt=before) | given_up)


def import_task(upload_id: int) -> str:
    """Return the id of the task of an upload."""
    return f"import-{upload_id}"


def import_progress(upload_id: int) -> dict[str, Any] | None:
    """Return the task of an upload, computed from its row and its progress; None if unknown.

    Beyond what all tasks have: `location` of what was created, and `problem`, an ApiError as JSON.
    """
    progress = read_progress(import_task(upload_id))  # first, since it may finish in between
    row = Upload.objects.filter(pk=upload_id).values(
        "stream", "created_at", "attempts", "finished_at", "result", "location", "problem"
    ).first()  # fmt: skip
    if row is None:
        return None
    problem = row["problem"]
    if row["finished_at"]:
        state, progress = "refused" if problem else "done", None
    elif progress is not None:
        state = "running"
    elif row["attempts"] >= MAX_ATTEMPTS:
        saved = (
            Text("the file is imported, but") if row["result"] else Text("nothing was imported:")
        )
        detail = Text(
            "%(detail)s the task failed %(count)s times and is given up",
            detail=saved,
            count=MAX_ATTEMPTS,
        )
        state, problem = "failed", {"status": 503, "code": "given_up", "detail": detail}
    else:
        state = "waiting"
    return {
        "id": import_task(upload_id),
        "state": state,
        "progress": progress,
        "response": row["result"] if row["finished_at"] else None,
        "problem": problem,
        "location": row["location"],
        "since": row["created_at"],
        "reason": given_up(MAX_ATTEMPTS) if state == "failed" else None,
        "stream": row["stream"],
    }


def can_see_import(request: Request, number: int, stream: str) -> bool:
    """Return True if the account sent the file, and the token has a scope for such imports."""
    user, token = current_account(request)
    upload = Upload.objects.filter(pk=number, by=user.pk).values("action").first()
    if upload is None or token is None:
        return upload is not None
    has_scope = not set(MATRIX[upload["action"]].all_scopes).isdisjoint(token.scopes)
    return has_scope and token.stream in ("", stream)
