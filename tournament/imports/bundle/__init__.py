"""Import a bundle as a tournament, verified against all its digests, all or nothing.

Beside the seals of the lines, the import verifies the journal's chain, payloads and head, the
digest of every replayed record, every game against its reports, the games that were filed with
ratings against their results, the digests of certificates and snapshots, and the saved rows against
the journal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from games.core.journal.lines import append_line
from games.core.journal.rows import combined, whole_rows
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.models import Account, JournalLine, Role
from games.rules.text import Text
from games.services.players import SITE
from tournament.events.verification import compare_with_journal
from tournament.exchange.bundle import check_conflicts, find_pool, save_journal, save_rows
from tournament.exchange.bundle_rows import Reader, Rows, check_rows
from tournament.exchange.bundle_verification import verify_journal, verify_rows
from tournament.imports.bundle.archive import bundle_error
from tournament.imports.bundle.reading import Line, read_lines
from tournament.models import Tournament
from tournament.serializers.tournaments import TournamentSerializer


@dataclass(frozen=True, slots=True)
class Bundle:
    """A tournament that was read and verified, with its whole journal; nothing is saved yet."""

    tournament: Tournament
    rows: Rows
    journal: Sequence[JournalLine]
    payloads: Sequence[tuple[Any, Any]]
    head: str


def read_bundle(content: bytes, progress: Progress = no_progress) -> Bundle:
    """Read and verify a bundle without using the database.

    Raises Unprocessable naming the line that is invalid or whose digest differs.
    """
    reader, chain = Reader(), []
    first = Line(0, "", {})
    for line in read_lines(content, progress):
        if line.kind == "journal":
            chain.append(line)
        elif line.kind == "bundle" and line.number == 1:
            first = line
        elif line.kind != "end":
            reader.add(line)
    reader.resolve()
    rows = reader.rows
    check_rows(rows)
    journal = verify_journal(first, chain, progress)
    verify_rows(rows, progress)
    ((_, tournament),) = rows["tournament"]
    if first.row.get("stream") != tournament.stream:
        raise bundle_error(1, Text("the stream is not %(stream)s", stream=tournament.stream))
    payloads = [(line.row["payload"], line.row["rows"]) for line in chain]
    return Bundle(tournament, rows, journal, payloads, first.row["head"])


def save_bundle(
    bundle: Bundle, *, by: Account | None, progress: Progress = no_progress
) -> Tournament:
    """Create the tournament of a bundle with the same journal head; `by` becomes its owner.

    Raises Conflict if its slug is taken.
    """
    tournament = bundle.tournament
    with transaction.atomic():
        check_conflicts(tournament, bundle.rows)
        try:
            with transaction.atomic():
                players = save_rows(bundle.rows, progress)
                save_journal(bundle.journal, bundle.payloads, progress)
        except IntegrityError as error:
            detail = Text("its rows contradict each other or existing rows")
            raise bundle_error(0, detail) from error
        rows = whole_rows(*players)
        if by is not None:
            owner, _ = Role.objects.get_or_create(
                stream=tournament.stream, account=by, role=Role.Name.OWNER
            )
            rows = combined(rows, whole_rows(owner))
        payload = {"tournament": tournament.slug, "head": bundle.head}
        append_line(SITE, "bundle.imported", payload, by=by, rows=rows)
        differences = compare_with_journal(tournament.stream)
        if differences:
            detail = Text(
                "its rows are not those of its journal: %(detail)s", detail=differences[0]
            )
            raise bundle_error(0, detail)
    return tournament


def import_bundle(content: bytes, *, by: Account | None) -> Tournament:
    """Read a bundle and create its tournament, all or nothing; raises as both steps do."""
    return save_bundle(read_bundle(content), by=by)


def _read(sent: SentFile, progress: Progress) -> Bundle:
    return read_bundle(sent.content, progress)


def _save(sent: SentFile, bundle: Bundle, progress: Progress) -> ImportResult:
    tournament = save_bundle(bundle, by=sent.by, progress=progress)
    body = dict(TournamentSerializer(tournament).data)
    return ImportResult(body, f"/api/v1/tournaments/{tournament.slug}")


def _preview(_: SentFile, bundle: Bundle) -> ImportResult:
    """Return what the import would return; raises Conflict as `save_bundle` does."""
    check_conflicts(bundle.tournament, bundle.rows)
    find_pool(bundle.rows)
    bundle.tournament.pk = 0
    return ImportResult(dict(TournamentSerializer(bundle.tournament).data))


BUNDLE = Importer(
    task="tournament.tasks.import_bundle",
    action="bundle.import",
    read=_read,
    save=_save,
    preview=_preview,
    max_sync_size=64 * 1024,
)
