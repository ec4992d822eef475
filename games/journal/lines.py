"""The lines of the journal: append one in the transaction of its change, read and check them."""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.journal.chain import Link, digest_of, format_time
from games.models import Account, JournalHead, JournalLine, JournalPayload

SYSTEM = "system"
"""The actor of a line that no account caused."""


def append_line(
    stream: str, kind: str, payload: Mapping[str, Any], *, by: Account | None
) -> JournalLine:
    """Append one line to a stream, in the transaction of the change that it describes.

    The stream's head row stays locked until that transaction ends, so two writers cannot take the
    same sequence number. Raises RuntimeError outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a journal line must be written in the transaction of its change")
    JournalHead.objects.get_or_create(stream=stream)
    head = JournalHead.objects.select_for_update().get(stream=stream)
    body = {**json.loads(json.dumps(payload)), "salt": secrets.token_hex(16)}
    line = JournalLine(
        stream=stream,
        sequence=head.sequence + 1,
        previous=head.digest,
        actor=SYSTEM if by is None else f"account/{by.pk}",
        at=timezone.now(),
        kind=kind,
        payload_digest=digest_of(body),
    )
    line.digest = link_of(line).expected_digest()
    line.save()
    JournalPayload.objects.create(line=line, body=body)
    head.sequence, head.digest = line.sequence, line.digest
    head.save(update_fields=["sequence", "digest"])
    return line


def load_lines(stream: str) -> "QuerySet[JournalLine]":
    """Return a stream's lines in order, with the payloads that are not erased."""
    return JournalLine.objects.filter(stream=stream).order_by("sequence").select_related("payload")


def link_of(line: JournalLine) -> Link:
    """Return a stored line as an export holds it."""
    return Link(
        stream=line.stream,
        sequence=line.sequence,
        previous=line.previous,
        actor=line.actor,
        at=format_time(line.at),
        kind=line.kind,
        payload_digest=line.payload_digest,
        digest=line.digest,
    )


def line_as_json(line: JournalLine, *, with_payload: bool = True) -> dict[str, Any]:
    """Return a line as exports and the API hold it; `payload` is null where it is erased."""
    payload = getattr(line, "payload", None) if with_payload else None
    return {**link_of(line).as_json(), "payload": payload.body if payload else None}


def find_payload_errors(lines: Iterable[JournalLine]) -> Iterator[str]:
    """Yield a sentence for each payload whose digest is not the one in its line."""
    for line in lines:
        payload = getattr(line, "payload", None)
        if payload is not None and digest_of(payload.body) != line.payload_digest:
            yield f"{line.stream} line {line.sequence}: the payload is not the one that was sealed"
