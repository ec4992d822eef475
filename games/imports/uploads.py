"""Importing files: small ones at once, others by a task that tells how far it has come.

A file is read and checked without holding the database, then written in one transaction. For a
task that transaction notes the answer in the row as well: a message that comes twice finds nothing
to do, and a worker that was killed leaves nothing half. What takes long and only reads what was
written comes after it, and is begun again by itself. What the account may do is asked again when
the file is carried in, for it may have lost the role since.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games import queries
from games.accounts.permissions import require
from games.broker import send_on_commit
from games.http.errors import ApiError, Conflict, Forbidden
from games.imports.progress import Progress, no_progress
from games.imports.task_progress import TaskProgress
from games.models import Account, Upload

log = logging.getLogger(__name__)

MAX_SYNC_SIZE = 8 * 1024
"""Bytes; a larger file is carried in by a task, unless it is a dry run or of a denser kind."""

MAX_WAITING = 10
"""Files of one account that may be on their way at a time."""

RETENTION = timedelta(days=1)
"""How long an answer can be asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A file, what its address said besides, for which stream, and by whom it was sent."""

    content: bytes
    by: Account
    stream: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What came in, as the API tells it, and the address of what was made."""

    body: dict[str, Any]
    location: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One kind of file: the task that carries it in, who may, how it is read and then saved.

    `read` writes nothing and raises a ApiError for what is wrong with the file; `save` runs in a
    transaction with what was read. `complete` tells more of what is in by then, and writes nothing.
    """

    task: str
    action: str
    read: Callable[[SentFile, Progress], Any]
    save: Callable[[SentFile, Any, Progress], ImportResult]
    complete: Callable[[SentFile, Any, ImportResult, Progress], ImportResult] | None = None
    at_once: int = MAX_SYNC_SIZE


def import_now(kind: Importer, sent: SentFile) -> ImportResult:
    """Import a file here and now; a dry run leaves nothing behind."""
    read = kind.read(sent, no_progress)
    with transaction.atomic():
        answer = kind.save(sent, read, no_progress)
        if sent.dry_run:
            answer = _completed(kind, sent, read, answer, no_progress)
            transaction.set_rollback(True)
            return answer
    return _completed(kind, sent, read, answer, no_progress)


def _completed(
    kind: Importer, sent: SentFile, read: Any, answer: ImportResult, progress: Progress
) -> ImportResult:
    return kind.complete(sent, read, answer, progress) if kind.complete else answer


def create_upload(kind: Importer, sent: SentFile) -> Upload:
    """Leave a file to its task; raises Conflict where too many of the account's wait already."""
    with transaction.atomic():
        waiting = queries.due_uploads().filter(by=sent.by).count()
        if waiting >= MAX_WAITING:
            raise Conflict(
                "too_many_imports",
                f"{waiting} imports of yours are on their way; wait for one of them to end",
            )
        upload = Upload.objects.create(
            task=kind.task,
            action=kind.action,
            stream=sent.stream,
            parameters=dict(sent.parameters),
            content=sent.content,
            by=sent.by,
        )
        send_on_commit(kind.task, upload.pk)
    return upload


def run_import(kind: Importer, upload_id: int) -> None:
    """Import an upload, unless that is done, somebody is at it, or it has failed too often."""
    progress = TaskProgress.begin(queries.upload_task(upload_id))
    if progress is None:
        return
    try:
        due = queries.due_uploads().filter(pk=upload_id)
        if due.update(attempts=F("attempts") + 1):
            _carry_in(kind, Upload.objects.select_related("by").get(pk=upload_id), progress)
    finally:
        progress.end()


def _carry_in(kind: Importer, upload: Upload, progress: Progress) -> None:
    sent = SentFile(
        content=bytes(upload.content),
        by=upload.by,
        stream=upload.stream,
        parameters=upload.parameters,
    )
    try:
        if upload.answer is None:
            if not sent.by.is_active:
                raise Forbidden("account_inactive", "the account that sent this is closed")
            require(sent.by, None, upload.action, stream=upload.stream)
        read = kind.read(sent, progress)
        with transaction.atomic():
            answer = _noted(upload)
            if answer is None:
                answer = kind.save(sent, read, progress)
                _note(upload, answer, is_finished=kind.complete is None)
        if kind.complete:
            _note(upload, kind.complete(sent, read, answer, progress), is_finished=True)
    except ApiError as error:
        problem = error.as_json()
        Upload.objects.filter(pk=upload.pk, finished_at=None, answer__isnull=True).update(
            content=b"", finished_at=timezone.now(), problem=problem
        )


def _noted(upload: Upload) -> ImportResult | None:
    """The answer that is there already; until the transaction ends nobody else writes one."""
    row = Upload.objects.select_for_update().filter(pk=upload.pk).values("answer", "location").get()
    return None if row["answer"] is None else ImportResult(row["answer"], row["location"])


def _note(upload: Upload, answer: ImportResult, *, is_finished: bool) -> None:
    ended = {"content": b"", "finished_at": timezone.now()} if is_finished else {}
    Upload.objects.filter(pk=upload.pk, finished_at=None).update(
        answer=answer.body, location=answer.location, **ended
    )


def delete_old_uploads() -> int:
    """Remove what ended, or was given up, more than a day ago; how many."""
    before = timezone.now() - RETENTION
    gone, _ = queries.old_uploads(before).delete()
    return gone
