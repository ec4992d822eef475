"""Import files: a small one in the request, a large one in a task that reports its progress.

A file is read and checked without a lock on the database, then saved in one transaction. A slow
step that only reads what was saved comes after it, and is repeated if it is interrupted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from games.core.broker import send_on_commit
from games.core.errors import ApiError, Conflict, Forbidden
from games.core.permissions import find_refusals
from games.core.turns import TaskProgress, run_in_turn
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.tasks import due_uploads, import_task, old_uploads, uploads_in_turn
from games.models import Account, Upload
from games.models.attempts import count_attempt
from games.models.bulk import BATCH_SIZE, chunks
from games.rules.text import Text

MAX_SYNC_SIZE = 8 * 1024
"""Bytes; a task imports a larger file, unless it is a dry run or the importer allows more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A file, the account that sent it, its stream, and the parameters in its address."""

    content: bytes
    by: Account
    stream: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What was imported, as JSON, and the address of what was created."""

    body: dict[str, Any]
    location: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """A kind of file: its task, the action that it needs, and how it is read and saved.

    `read` writes nothing and raises ApiError for a wrong file; `save` runs in a transaction and
    gets what was read. `complete` adds to the result after the save, and writes nothing. `preview`
    returns the result of a dry run, and does not hold SQLite's only writer longer than a moment.
    """

    task: str
    action: str
    read: Callable[[SentFile, Progress], Any]
    save: Callable[[SentFile, Any, Progress], ImportResult]
    preview: Callable[[SentFile, Any], ImportResult]
    complete: Callable[[SentFile, Any, ImportResult, Progress], ImportResult] | None = None
    max_sync_size: int = MAX_SYNC_SIZE


def complete_import(
    importer: Importer,
    sent: SentFile,
    content: Any,
    result: ImportResult,
    progress: Progress = no_progress,
) -> ImportResult:
    """Return the result of an import with what is computed after it was saved."""
    return importer.complete(sent, content, result, progress) if importer.complete else result


def create_upload(importer: Importer, sent: SentFile) -> Upload:
    """Store a file for its task; raises Conflict if too many of the account's files wait."""
    with transaction.atomic():
        waiting = due_uploads().filter(by=sent.by).count()
        if waiting >= settings.QUOTAS["waiting_jobs"]:
            raise Conflict(
                "too_many_imports",
                Text(
                    "%(count)s of your imports are not finished; wait until one is", count=waiting
                ),
            )
        upload = Upload.objects.create(
            task=importer.task,
            action=importer.action,
            stream=sent.stream,
            parameters=dict(sent.parameters),
            content=sent.content,
            by=sent.by,
        )
        send_on_commit(importer.task, upload.pk)
    return upload


def import_in_turn(importer: Importer) -> None:
    """Import the upload whose turn it is, if it is one of this kind."""
    run_in_turn(importer.task, uploads_in_turn, partial(run_import, importer))


def run_import(importer: Importer, upload_id: int) -> None:
    """Import an upload, unless it is finished, running, or has failed too often."""
    by = Upload.objects.filter(pk=upload_id).values_list("by", flat=True).first()
    progress = TaskProgress.begin(import_task(upload_id), by)
    if progress is None:
        return
    try:
        with count_attempt(due_uploads(), upload_id) as is_due:
            if is_due:
                upload = Upload.objects.select_related("by").get(pk=upload_id)
                import_upload(importer, upload, progress)
    finally:
        progress.end()


def import_upload(importer: Importer, upload: Upload, progress: Progress) -> None:
    """Read and save an upload, unless its result is stored; store the result or the problem."""
    sent = SentFile(
        content=bytes(upload.content),
        by=upload.by,
        stream=upload.stream,
        parameters=upload.parameters,
    )
    try:
        if upload.result is None:
            # Checked again: since the request, the account may have been closed or lost its role.
            if not sent.by.is_active:
                raise Forbidden(
                    "account_inactive", Text("the account that sent this file is closed")
                )
            refusals = find_refusals(sent.by, None, [upload.action], stream=upload.stream)
            if refusal := refusals[upload.action]:
                raise refusal
        content = importer.read(sent, progress)
        with transaction.atomic():
            result = _locked_result(upload)
            if result is None:
                result = importer.save(sent, content, progress)
                # In the same transaction: a worker that is killed leaves nothing half imported.
                _store_result(upload, result, is_finished=importer.complete is None)
        if importer.complete:
            result = complete_import(importer, sent, content, result, progress)
            _store_result(upload, result, is_finished=True)
    except ApiError as error:
        Upload.objects.filter(pk=upload.pk, finished_at=None, result__isnull=True).update(
            content=b"", finished_at=timezone.now(), problem=error.as_json()
        )


def _locked_result(upload: Upload) -> ImportResult | None:
    """Return the stored result, if any, and lock the row until the transaction ends."""
    # A message that arrives twice waits here, and finds the result of the first.
    row = Upload.objects.select_for_update().filter(pk=upload.pk).values("result", "location").get()
    return None if row["result"] is None else ImportResult(row["result"], row["location"])


def _store_result(upload: Upload, result: ImportResult, *, is_finished: bool) -> None:
    finished = {"content": b"", "finished_at": timezone.now()} if is_finished else {}
    Upload.objects.filter(pk=upload.pk, finished_at=None).update(
        result=result.body, location=result.location, **finished
    )


def delete_old_uploads() -> None:
    """Delete the uploads that finished, or were given up, UPLOAD_DAYS ago."""
    old_uploads(timezone.now() - timedelta(days=settings.UPLOAD_DAYS)).delete()


def insert_rows(rows: Sequence[Model], *, step: str = "", progress: Progress = no_progress) -> None:
    """Insert rows of one model and set their keys; save the rows that they refer to first."""
    for number, chunk in enumerate(chunks(rows)):
        progress(step, number * BATCH_SIZE, len(rows))
        type(rows[0])._default_manager.bulk_create(chunk)


def insert_values(
    model: type[Model],
    rows: Sequence[Mapping[str, Any]],
    *,
    step: str = "",
    progress: Progress = no_progress,
) -> list[int]:
    """Insert rows given as values by attribute, as of `vars(row)`, and return their keys."""
    names = [field.attname for field in model._meta.concrete_fields]
    created = [model(**{name: row[name] for name in names if name in row}) for row in rows]
    insert_rows(created, step=step, progress=progress)
    return [row.pk for row in created]
