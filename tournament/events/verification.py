"""Compare an event with its journal, and what follows from its rows with what is stored."""

from collections.abc import Iterator

from games.core.journal.lines import load_lines
from games.core.journal.rows import expanded, kind_of
from games.models import Game, JournalLine
from games.play.verification import (
    JournalledRows,
    find_differences,
    find_unsettled_results,
    fold_lines,
)
from games.services.players import SITE
from tournament.core.snapshots import check_body
from tournament.models import Certificate, Snapshot
from tournament.pairing.certificates import CertificateError, RoundCertificate
from tournament.queries.event_rows import LOCAL, stored_rows
from tournament.standings.errors import StandingsError


def verify_tournament(stream: str) -> list[str]:
    """Return a sentence for each difference of a tournament's rows from what they follow from."""
    return [
        *compare_with_journal(stream),
        *find_unsettled_results(Game.objects.filter(stream=stream)),
        *_find_derived(stream),
    ]


def compare_with_journal(stream: str) -> list[str]:
    """Return a sentence for each difference between the rows of a tournament and its journal."""
    journalled, errors = replay_tournament(stream)
    return [*errors, *find_differences(journalled, stored_rows(stream))]


def replay_tournament(stream: str) -> tuple[JournalledRows, list[str]]:
    """Return the rows that the journal of a tournament describes, and what it does not contain.

    What logins of another installation have, from which the event was imported, did not travel.
    """
    lines = list(load_lines(stream))
    journalled, errors = fold_lines(lines)
    imported = _find_import(stream)
    head = imported and next(
        (line for line in lines if line.digest == imported.payload.body["head"]), None
    )
    if imported and head:
        here, _ = fold_lines(line for line in lines if line.sequence > head.sequence)
        local = {kind_of(model) for model in LOCAL}
        for kind in local:
            journalled.rows[kind] = {}
        for kind, key, row in expanded(imported.payload.rows or {}):
            if kind in local:
                journalled.apply(head.sequence, kind, key, row)
        for kind in local:
            for key, found in here.rows.get(kind, {}).items():
                journalled.apply(head.sequence, kind, key, found)
    return journalled, errors


def _find_import(stream: str) -> JournalLine | None:
    """Return the line of the site about the bundle that an event was imported from."""
    slug = stream.removeprefix("tournament/")
    lines = load_lines(SITE).filter(kind="bundle.imported", payload__body__tournament=slug)
    return lines.last()


def _find_derived(stream: str) -> Iterator[str]:
    """Yield a sentence for each certificate and snapshot that has not the digest of its content."""
    slug = stream.removeprefix("tournament/")
    for row in Certificate.objects.filter(tournament__slug=slug).select_related("round"):
        try:
            found = RoundCertificate.parse(row.text)
            digests = found.input_digest, found.output_digest
        except CertificateError:
            digests = "", ""
        if digests != (row.input_digest, row.output_digest):
            name = f"certificate {row.round.number}/{row.version}"
            yield f"{name}: its digests are not those of its text"
    for snapshot in Snapshot.objects.filter(round__tournament__slug=slug).select_related("round"):
        try:
            check_body(snapshot.body, snapshot.digest)
        except StandingsError as error:
            name = f"snapshot {snapshot.round.number}/{snapshot.version}"
            yield f"{name}: its body is invalid: {str(error)[:160]}"
