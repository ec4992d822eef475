"""The response to an import: its result, or 202 with the task that imports the file."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from drf_spectacular.utils import OpenApiParameter

from games.core.actions import ACCEPTED, Action, Answer, Call, task_number
from games.core.errors import ApiError
from games.core.formats import LIST_PARSERS
from games.core.requests import CheckedParameter, Declared, query_names
from games.core.uploads.encodings import ONE_BYTE
from games.core.uploads.headings import parse_mapping
from games.core.uploads.progress import no_progress
from games.core.uploads.services import (
    Importer,
    ImportResult,
    SentFile,
    complete_import,
    create_upload,
)
from games.core.uploads.tasks import import_progress, import_task
from games.core.waits import UNFINISHED, shown_task, task_headers, wait_while
from games.models import Upload

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
ENCODING = OpenApiParameter(
    "encoding",
    str,
    enum=[*ONE_BYTE],
    description="of a file that is neither UTF-8 nor UTF-16, which are recognised; without it,"
    " 422 `encoding_needed` has names as each encoding reads them",
)
TEXT_PARAMETERS = [ENCODING, *IMPORT_PARAMETERS]
"""The parameters of an import of a text, such as a TRF file or records."""


def csv_parameters(columns: Collection[str]) -> list[OpenApiParameter]:
    """Return the parameters of an import of CSV with these columns."""
    named = CheckedParameter(
        "columns",
        lambda text: parse_mapping(text, columns),
        description="the columns of headings, as `Verein:club,#2:category,Tel:ignore`, where `#2`"
        " is the second one; what is neither named nor recognised is left out",
    )
    return [named, *TEXT_PARAMETERS]


LIST_FILE = {parser.media_type: bytes for parser in LIST_PARSERS}
TEXT_FILE = {"text/plain": bytes, "application/octet-stream": bytes}
"""The content types of an import."""


class ImportAction(Action):
    """An import of a file, which is read before the transaction; a task imports a large one."""

    importer: Importer
    cost = "dear"
    status = 201
    parameters: Sequence[Declared] = IMPORT_PARAMETERS

    def __init__(self) -> None:
        self.permission = self.importer.action

    def stream_of(self, call: Call, found: Any) -> str:
        """Return the stream of the event or the pool that gets what is imported."""
        return "" if found is None else str(found.stream)

    def read(self, call: Call, found: Any, content: Any) -> SentFile:
        names = query_names(self.parameters)
        return SentFile(
            content=content if isinstance(content, bytes) else b"",
            by=call.account,
            stream=self.stream_of(call, found),
            parameters={name: call.query[name] for name in names if call.query.get(name)},
            dry_run=call.dry_run,
        )

    def prepare(self, call: Call, found: Any) -> Any:
        """Return what was read, unless a task reads it."""
        return None if self._needs_task(call) else self.importer.read(call.body, no_progress)

    def _needs_task(self, call: Call) -> bool:
        is_preferred = PREFERS_TASK.search(call.prefer) is not None
        is_large = len(call.body.content) > self.importer.max_sync_size
        return not call.dry_run and (is_preferred or is_large)

    def try_out(self, call: Call, prepared: Any) -> Answer:
        return Answer(self.importer.preview(call.body, prepared).body, status=200)

    def perform(self, call: Call, prepared: Any) -> Answer:
        """Save what was read, or the file for its task."""
        sent: SentFile = call.body
        if self._needs_task(call):
            upload = create_upload(self.importer, sent)
            applied = "respond-async" in call.prefer.lower()
            headers = {"Preference-Applied": "respond-async"} if applied else {}
            return Answer(
                headers=headers, wait=lambda s: self._tagged(call, _answer_of_task(upload, s))
            )
        saved = self.importer.save(sent, prepared, no_progress)

        def complete(_: float) -> Answer:
            result = complete_import(self.importer, sent, prepared, saved)
            return self._tagged(call, _imported(result))

        return Answer(wait=complete)

    def _tagged(self, call: Call, answer: Answer) -> Answer:
        """Return an answer with the tag of what the request has made.

        A repetition may come after a change, so it has none (`resume`).
        """
        tag = "" if answer.status == ACCEPTED else self.made_tag(call, answer.content)
        return replace(answer, headers={**answer.headers, "ETag": tag}) if tag else answer

    def resume(self, call: Call, accepted: Mapping[str, Any]) -> Answer:
        upload = Upload.objects.filter(pk=task_number(accepted)).defer("content").first()
        return Answer(wait=partial(_answer_of_task, upload) if upload else None)


def _answer_of_task(upload: Upload, seconds: float) -> Answer:
    """Return what a task has imported within the wait, else the task; raise its refusal."""
    task = _wait_for_upload(upload, seconds)
    if task["state"] == "done":
        return _imported(ImportResult(task["response"], task["location"]))
    if task["state"] not in UNFINISHED:
        raise ApiError.from_json(task["problem"])
    shown = shown_task(task)
    return Answer({"task": shown}, status=202, headers=task_headers(shown))


def _imported(result: ImportResult) -> Answer:
    headers = {"Location": result.location} if result.location else {}
    return Answer(result.body, headers=headers)


def _wait_for_upload(upload: Upload, seconds: float) -> dict[str, Any]:
    """Return the task of an upload after the wait; without one, as it was accepted."""
    created: dict[str, Any] = dict.fromkeys(("progress", "response", "problem", "reason"))
    created |= {"id": import_task(upload.pk), "state": "waiting", "since": upload.created_at}
    if not seconds:
        return created
    return wait_while(import_progress, upload.pk, UNFINISHED, seconds) or created
