"""The journal of a bundle as rows: whole, of its event, with the payloads that were sealed."""

from collections.abc import Sequence
from datetime import UTC, datetime

from django.core.exceptions import ValidationError

from games.imports.progress import Progress
from games.journal.chain import Link, digest_of
from games.models import JournalLine
from tournament.imports.bundle.unpacking import Line, refusal

WRITTEN_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


def check_journal(first: Line, chain: Sequence[Line], progress: Progress) -> list[JournalLine]:
    """The chain as rows: it holds, its payloads are those it sealed, its end is the head."""
    stream, head = first.row.get("stream"), first.row.get("head")
    rows: list[JournalLine] = []
    for count, line in enumerate(chain):
        progress("verifying the journal", count, len(chain))
        row = line.row
        if row.keys() != {*Link.__dataclass_fields__, "payload"}:
            raise refusal(line.number, "this is no line of a journal")
        sealed = {name: row[name] for name in Link.__dataclass_fields__}
        try:
            link = Link(**sealed)
            at = datetime.strptime(link.at, WRITTEN_TIME).replace(tzinfo=UTC)
            made = JournalLine(**sealed | {"at": at})
            made.clean_fields()
        except (ValidationError, ValueError, TypeError) as error:
            raise refusal(line.number, "this is no line of a journal") from error
        before = rows[-1].digest if rows else ""
        if (link.sequence, link.previous) != (len(rows) + 1, before) or link.stream != stream:
            raise refusal(line.number, "it does not follow the line before in the journal")
        if link.digest != link.expected_digest():
            raise refusal(line.number, "its digest is not that of its content")
        if row["payload"] is not None and digest_of(row["payload"]) != link.payload_digest:
            raise refusal(line.number, "the payload is not the one that was sealed")
        rows.append(made)
    if (rows[-1].digest if rows else "") != head:
        raise refusal(1, "the head is not the digest of the journal's last line")
    return rows
