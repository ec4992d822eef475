"""The journal: append a line in the transaction of its change, and read the lines.

games/core/journal/chain.py describes what a line is a digest of.
"""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.core.broker import hint_on_commit
from games.core.journal.chain import (
    PAYLOAD_ERASED,
    Head,
    Link,
    digest_of,
    find_chain_errors,
    find_payload_errors,
    format_time,
    next_link,
)
from games.core.journal.rows import Rows, compact
from games.models import Account, Game, JournalHead, JournalLine, JournalPayload

FOLLOWED = ("tournament/", "pool/", "game/")
"""The beginnings of the streams that have listeners or webhooks."""


SITE = "site"
"""The stream of what belongs to no event and no pool: accounts, registered players."""

SYSTEM = "system"
"""The actor of a line that no account caused."""


def find_stored_errors(stream: str, lines: Sequence[JournalLine]) -> list[str]:
    """Return a sentence for each error of a stored chain, its payloads and its head."""
    links = [link_of(line) for line in lines]
    payloads = [getattr(line, "payload", None) for line in lines]
    sealed: list[Mapping[str, Any]] = [
        {"payload": payload.body, "rows": payload.rows} if payload else {} for payload in payloads
    ]
    errors = [
        *find_chain_errors(links),
        *find_payload_errors(list(zip(links, sealed, strict=True))),
    ]
    head = JournalHead.objects.filter(stream=stream).first()
    last = (links[-1].sequence, links[-1].digest) if links else (0, "")
    if (head.sequence, head.digest) != last if head else links:
        place = f"its head at {head.sequence}" if head else "there is no head"
        errors.append(f"{stream}: the chain ends at line {last[0]}, {place}")
    return errors


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line to append: what happened, who caused it, and the columns that it changed."""

    kind: str
    payload: Mapping[str, Any]
    by: Account | None = None
    rows: Rows | None = None


def append_line(
    stream: str,
    kind: str,
    payload: Mapping[str, Any],
    *,
    by: Account | None,
    rows: Rows | None = None,
) -> JournalLine:
    """Append one line to a stream, as `append_lines` does."""
    (line,) = append_lines(stream, [NewLine(kind, payload, by, rows)])
    return line


def append_lines(stream: str, new_lines: Sequence[NewLine]) -> list[JournalLine]:
    """Append lines to a stream, in the transaction of the changes that they describe.

    Raises RuntimeError outside a transaction.
    """
    _require_transaction()
    # Locked until the transaction ends: two writers cannot take the same sequence number.
    head = lock_head(stream)
    lines = _save_lines([(head, new_lines)])
    head.save(update_fields=["sequence", "digest"])
    if stream.startswith(FOLLOWED):
        hint_on_commit()
    return lines


def begin_streams(new_lines: Mapping[str, Sequence[NewLine]]) -> None:
    """Write the first lines of many new streams at once; raises as `append_lines` does."""
    _require_transaction()
    heads = [JournalHead(stream=stream) for stream in new_lines]
    _save_lines(list(zip(heads, new_lines.values(), strict=True)))
    JournalHead.objects.bulk_create(heads)


def _require_transaction() -> None:
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a journal line must be written in the transaction of its change")


def _save_lines(chains: Sequence[tuple[JournalHead, Sequence[NewLine]]]) -> list[JournalLine]:
    """Save lines after the heads of their streams; the heads are changed, and not saved."""
    lines, payloads = [], []
    for head, new in ((head, new) for head, new_lines in chains for new in new_lines):
        body = salted(new.payload)
        rows = salted(compact(new.rows)) if new.rows else None
        actor = actor_of(new.by)
        last, now = Head(head.stream, head.sequence, head.digest), timezone.now()
        link = next_link(last, actor=actor, at=now, kind=new.kind, payload=body, rows=rows)
        head.sequence, head.digest = link.sequence, link.digest
        lines.append(JournalLine(**link.as_json() | {"at": now}))
        payloads.append(JournalPayload(body=body, rows=rows))
    JournalLine.objects.bulk_create(lines)
    for line, payload in zip(lines, payloads, strict=True):
        payload.line = line
    JournalPayload.objects.bulk_create(payloads)
    return lines


def actor_of(account: Account | None) -> str:
    """Return how a line names the account that caused it."""
    return SYSTEM if account is None else f"account/{account.pk}"


def salted(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return content as it is stored, with a random salt."""
    return {**json.loads(json.dumps(content)), "salt": secrets.token_hex(16)}


def lock_head(stream: str) -> JournalHead:
    """Lock the stream's head row, which may have no line yet, and return it.

    Every change of the stream waits from then on, as `append_lines` would make it wait.
    """
    locked = JournalHead.objects.select_for_update().filter(stream=stream)
    head = locked.first()
    if head is None:
        # Two that begin a stream at once: the second waits for the row of the first.
        JournalHead.objects.bulk_create([JournalHead(stream=stream)], ignore_conflicts=True)
        head = locked.get()
    return head


def end_stream(stream: str) -> Head:
    """Delete the lines of a stream that no stranger could read, and return the last one's head.

    Call it in the transaction in which a line of another stream names the head.
    """
    _require_transaction()
    locked = lock_head(stream)
    last = Head(stream, locked.sequence, locked.digest)
    JournalLine.objects.filter(stream=stream).delete()
    locked.delete()
    return last


def erase_payloads(
    stream: str,
    replacements: Iterable[tuple[JournalLine, dict[str, Any], Rows | None]],
    *,
    by: Account | None,
    rows: Rows,
) -> None:
    """Replace payloads and rows of a stream by others without personal data, and append a line.

    The others get a new salt: the old one would let anyone guess what the old digest was taken of.
    The line has the new digests, and `rows`, which were erased in the tables. Call it in a
    transaction.
    """
    digests, digests_of_rows = {}, {}
    for line, body, new_rows in list(replacements):
        payload = line.payload
        payload.body = salted(body)
        digests[str(line.sequence)] = digest_of(payload.body)
        if new_rows is not None:
            payload.rows = salted(compact(new_rows))
            digests_of_rows[str(line.sequence)] = digest_of(payload.rows)
        payload.save()
    if digests or rows:
        erased = {"digests": digests, "rows": digests_of_rows}
        append_line(stream, PAYLOAD_ERASED, erased, by=by, rows=rows)


def append_game_line(
    game: Game,
    kind: str,
    payload: Mapping[str, Any],
    *,
    by: Account | None,
    rows: Rows | None = None,
) -> JournalLine:
    """Append one line to the stream of a game."""
    return append_line(game_stream(game), kind, payload, by=by, rows=rows)


def game_stream(game: Game) -> str:
    """Return the stream of the game's event, or the game's own if it is casual."""
    return game.stream or f"game/{game.pk}"


def load_lines(stream: str) -> "QuerySet[JournalLine]":
    """Return a stream's lines in order, with the payloads that are not erased."""
    return JournalLine.objects.filter(stream=stream).order_by("sequence").select_related("payload")


def find_head(stream: str) -> Head:
    """Return the last line of a stream; its number is 0 if there is none."""
    head = JournalHead.objects.filter(stream=stream).first()
    return Head(stream, head.sequence, head.digest) if head else Head(stream, 0, "")


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
        rows_digest=line.rows_digest,
        digest=line.digest,
    )


def line_as_json(line: JournalLine, *, with_payload: bool = True) -> dict[str, Any]:
    """Return a line as the API holds it; `payload` is null where it is erased, absent if hidden."""
    shown = link_of(line).as_json()
    if not with_payload:
        return shown
    payload = getattr(line, "payload", None)
    return {**shown, "payload": payload.body if payload else None}


def line_with_rows(line: JournalLine) -> dict[str, Any]:
    """Return a line as the bundle of an event holds it: nothing else shows the rows."""
    payload = getattr(line, "payload", None)
    return {**line_as_json(line), "rows": payload.rows if payload else None}
