"""The progress of tasks, computed from the rows: settlements of reports, and imports."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.request import Request

from games.core.permissions import MATRIX
from games.core.requests import current_account
from games.imports.task_progress import read_progress
from games.models import Report, Upload
from games.models.attempts import MAX_ATTEMPTS
from games.rules.text import Text


def report_progress(report_id: int) -> dict[str, Any] | None:
    """Return the task that settles a report, computed from the rows; None if unknown."""
    report = Report.objects.select_related("game").filter(pk=report_id).first()
    if report is None:
        return None
    done = report.settled_at is not None
    failed = not done and report.game.attempts >= MAX_ATTEMPTS
    return {
        "id": f"report-{report.pk}",
        "state": "done" if done else "failed" if failed else "waiting",
        "progress": 1 if done else 0,
        "stream": report.game.role_stream,
        "result": {"game": report.game_id, "state": report.game.state} if done else None,
    }


def due_uploads() -> "QuerySet[Upload]":
    """Return the uploads that are neither finished nor given up, the oldest first."""
    due = Upload.objects.filter(finished_at=None, attempts__lt=MAX_ATTEMPTS)
    return due.order_by("created_at", "pk")


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
        "stream", "attempts", "finished_at", "result", "location", "problem"
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
        "result": row["result"] if row["finished_at"] else None,
        "problem": problem,
        "location": row["location"],
        "stream": row["stream"],
    }


def can_see_import(request: Request, number: int, stream: str) -> bool:
    """Return True if the account sent the file, and the token has a scope for such imports."""
    user, token = current_account(request)
    upload = Upload.objects.filter(pk=number, by=user.pk).values("action").first()
    if upload is None or token is None:
        return upload is not None
    has_scope = not set(MATRIX[upload["action"]].scopes).isdisjoint(token.scopes)
    return has_scope and token.stream in ("", stream)
