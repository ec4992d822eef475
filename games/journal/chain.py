"""The append-only log: one hash-chained line for every change, in the transaction of the change.

A line's digest is the SHA-256, in hexadecimal, of the compact JSON (UTF-8, sorted keys) of
`actor`, `at`, `kind`, `payload_digest`, `previous`, `sequence` and `stream`; `previous` is the
digest of the line before it in the stream, empty for the first. The payload's digest is taken
over its own compact JSON with sorted keys; each payload holds a random `salt`, for a digest that
everyone may see would otherwise give away a payload with few possibilities. So a chain can be
checked from an export alone, and a payload that was erased leaves the chain whole.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.models import Account, JournalHead, JournalLine, JournalPayload

SYSTEM = "system"
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(value: Any) -> str:
    """The one written form that digests are taken over."""
    return _CANONICAL.encode(value)


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def written_time(at: datetime) -> str:
    """A time as it stands in a line: UTC, microseconds, `Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True, slots=True)
class Link:
    """One line of a chain as an export holds it."""

    stream: str
    sequence: int
    previous: str
    actor: str
    at: str
    kind: str
    payload_digest: str
    digest: str

    def right_digest(self) -> str:
        """What `digest` must be, from the other fields."""
        return digest_of(
            {
                "stream": self.stream,
                "sequence": self.sequence,
                "previous": self.previous,
                "actor": self.actor,
                "at": self.at,
                "kind": self.kind,
                "payload_digest": self.payload_digest,
            }
        )


def actor_name(by: Account | None) -> str:
    """How an actor is written: `account/7`, or `system` for what nobody asked for."""
    return SYSTEM if by is None else f"account/{by.pk}"


def write_line(
    stream: str, kind: str, payload: Mapping[str, Any], *, by: Account | None
) -> JournalLine:
    """Append one line to a stream; must run inside the transaction of the change it tells.

    The stream's head row is locked until that transaction ends, so two writers cannot take the
    same place. Raises RuntimeError outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a journal line belongs in the transaction of the change it tells")
    JournalHead.objects.get_or_create(stream=stream)
    head = JournalHead.objects.select_for_update().get(stream=stream)
    body = {**json.loads(json.dumps(payload)), "salt": secrets.token_hex(16)}
    at = timezone.now()
    link = Link(
        stream=stream,
        sequence=head.sequence + 1,
        previous=head.digest,
        actor=actor_name(by),
        at=written_time(at),
        kind=kind,
        payload_digest=digest_of(body),
        digest="",
    )
    line = JournalLine.objects.create(
        stream=stream,
        sequence=link.sequence,
        previous=link.previous,
        digest=link.right_digest(),
        actor=link.actor,
        at=at,
        kind=kind,
        payload_digest=link.payload_digest,
    )
    JournalPayload.objects.create(line=line, body=body)
    head.sequence, head.digest = line.sequence, line.digest
    head.save(update_fields=["sequence", "digest"])
    return line


def link_of(line: JournalLine) -> Link:
    """A stored line as an export holds it."""
    return Link(
        stream=line.stream,
        sequence=line.sequence,
        previous=line.previous,
        actor=line.actor,
        at=written_time(line.at),
        kind=line.kind,
        payload_digest=line.payload_digest,
        digest=line.digest,
    )


def broken_links(links: Iterable[Link]) -> Iterator[str]:
    """Go through one stream's chain in order and say, a sentence each, where it does not hold."""
    sequence, previous = 0, ""
    for link in links:
        place = f"{link.stream} line {link.sequence}"
        if link.sequence != sequence + 1:
            yield f"{place}: line {sequence + 1} was expected here"
        if link.previous != previous:
            yield f"{place}: names {link.previous or 'nothing'} as the line before, not {previous}"
        if link.digest != link.right_digest():
            yield f"{place}: its digest is not that of its content"
        sequence, previous = link.sequence, link.digest


def wrong_payloads(lines: Iterable[JournalLine]) -> Iterator[str]:
    """Say which payloads, of those not erased, differ from what their lines sealed."""
    for line in lines:
        payload = getattr(line, "payload", None)
        if payload is not None and digest_of(payload.body) != line.payload_digest:
            yield f"{line.stream} line {line.sequence}: the payload is not the one that was sealed"
