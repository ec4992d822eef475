"""A bundle as an event of this house, checked against all its digests, all or nothing.

Besides the seals of its lines: the journal's chain, its payloads and its head; every record,
replayed, against the digest of its report; every game against what its reports come to; what was
filed with ratings against the digest of its games; every certificate against its own digests.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from games.imports.progress import Progress, no_progress
from games.journal.lines import append_line
from games.models import Account, JournalLine, Role
from tournament.imports.bundle.chain import check_journal
from tournament.imports.bundle.evidence import check_evidence
from tournament.imports.bundle.rows import Checked, Rows, add_row, check_rows, no_rows
from tournament.imports.bundle.saving import check_free, save_journal, save_rows
from tournament.imports.bundle.unpacking import Line, read_lines, refusal
from tournament.models import Tournament

SITE = "site"


@dataclass(frozen=True, slots=True)
class Bundle:
    """An event read and verified, with its whole journal, not yet in this house."""

    tournament: Tournament
    rows: Rows
    journal: Sequence[JournalLine]
    payloads: Sequence[Any]
    head: str


def read_bundle(content: bytes, progress: Progress = no_progress) -> Bundle:
    """The event of a bundle; the database is not asked.

    Raises Unprocessable naming the line that is broken or whose digest differs.
    """
    rows, chain = no_rows(), []
    checked: Checked = {}
    first = Line(0, "", {})
    for line in read_lines(content, progress):
        if line.kind == "journal":
            chain.append(line)
        elif line.kind == "bundle" and line.number == 1:
            first = line
        elif line.kind != "end":
            add_row(rows, line, checked)
    check_rows(rows)
    journal = check_journal(first, chain, progress)
    check_evidence(rows, progress)
    ((_, tournament),) = rows["tournament"]
    if first.row.get("stream") != tournament.stream:
        raise refusal(1, f"its stream is not {tournament.stream}")
    payloads = [line.row["payload"] for line in chain]
    return Bundle(tournament, rows, journal, payloads, first.row["head"])


def save_bundle(
    bundle: Bundle, *, by: Account | None, progress: Progress = no_progress
) -> Tournament:
    """Make the event of a bundle, which `by` will own; the journal's head is the same afterwards.

    Raises Conflict where its name or one of its ids is taken here.
    """
    tournament = bundle.tournament
    with transaction.atomic():
        check_free(tournament, bundle.rows)
        try:
            with transaction.atomic():
                save_rows(bundle.rows, progress)
                save_journal(bundle.journal, bundle.payloads, progress)
        except IntegrityError as error:
            raise refusal(0, "its rows contradict each other or what is here") from error
        if by is not None:
            Role.objects.get_or_create(stream=tournament.stream, account=by, role=Role.Name.OWNER)
        told = {"tournament": tournament.slug, "head": bundle.head}
        append_line(SITE, "bundle.imported", told, by=by)
    return tournament


def import_bundle(content: bytes, *, by: Account | None) -> Tournament:
    """Read a bundle and make its event, all or nothing; raises as both do."""
    return save_bundle(read_bundle(content), by=by)
