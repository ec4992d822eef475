"""Write a correction that was computed: rulings, byes, entries, snapshots, journal lines."""

from collections.abc import Collection

from django.utils import timezone

from games.core.journal.lines import NewLine, append_line, append_lines
from games.core.journal.rows import Rows, changed_rows, combined, deleted_rows
from games.models import Account, Game, Report
from games.services.report_versions import report_payload
from games.services.settlement import settle_locked_games
from ratings.batches.services import refresh_event
from ratings.models import Batch
from tournament.corrections.changes import ByeChange, Changes
from tournament.models import Correction, Pairing, Round, Tournament
from tournament.rounds.services import withdraw_pairings
from tournament.services.corrections.effects import Preview
from tournament.snapshots.creation import add_versions

Committed = tuple[Correction, list[Batch]]
"""A correction, and the batches that a new run rates."""


def write_correction(
    tournament: Tournament,
    correction: Correction,
    preview: Preview,
    *,
    accept: Collection[str],
    by: Account,
) -> Committed:
    """Write a correction in the transaction that has locked the tournament."""
    changes = preview.changes
    counted = _write_games(tournament, changes, by)
    for bye in changes.byes:
        counted = combined(counted, _write_bye(tournament, bye))
    for change in changes.entries:
        entry, columns = change.entry, dict(change.after)
        for name, value in columns.items():
            setattr(entry, name, value)
        entry.save(update_fields=list(columns))
        payload = {"entry": entry.pk, "ordinal": entry.ordinal, **columns}
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.edited", payload, by=by, rows=rows)
    correction.save()
    rows = combined(counted, changed_rows(correction))
    payload = _payload(correction, changes, accept)
    is_final = tournament.state in (Tournament.State.FINAL, Tournament.State.ARCHIVED)
    if is_final and changes.scope != Correction.Scope.RATING:
        snapshots = add_versions(tournament, changes.first_round)
        payload["standings"] = {snapshot.round.number: snapshot.digest for snapshot in snapshots}
        rows = combined(rows, changed_rows(*snapshots))
    append_line(tournament.stream, "correction.committed", payload, by=by, rows=rows)
    for changed in preview.effect.rounds:
        if changed.round.state == Round.State.DRAFTED:
            withdraw_pairings(tournament, changed.round, correction.reason, by)
    return correction, refresh_event(tournament.stream)


def _write_games(tournament: Tournament, changes: Changes, by: Account) -> Rows:
    """Add the rulings, settle the games, and store what counts instead of them.

    Return what counts.
    """
    if not changes.games:
        return {}
    numbers = [change.game.pk for change in changes.games]
    games = Game.objects.select_for_update(no_key=True).order_by("pk").in_bulk(numbers)
    for change in changes.games:
        change.report.game = games[change.game.pk]
        change.report.save()
        change.pairing.counted = change.counted[1]
        change.pairing.save(update_fields=["counted"])
    reports: list[Report] = [change.report for change in changes.games]
    append_lines(
        tournament.stream,
        [
            NewLine(f"report.{report.kind}", report_payload(report), by, changed_rows(report))
            for report in reports
        ],
    )
    settle_locked_games(list(games.values()), at=timezone.now())
    return changed_rows(*(change.pairing for change in changes.games))


def _write_bye(tournament: Tournament, change: ByeChange) -> Rows:
    pairing = change.pairing
    if pairing is not None and change.after is None:
        rows = deleted_rows(pairing)
        pairing.delete()
        return rows
    if pairing is not None:
        pairing.kind, pairing.counted = str(change.after), change.counted[1]
        pairing.save(update_fields=["kind", "counted"])
    elif change.after is not None:
        pairing = Pairing.objects.create(
            tournament=tournament,
            round=change.round,
            version=change.round.version,
            kind=change.after,
            first=change.entry,
            counted=change.counted[1],
        )
    return changed_rows(*([pairing] if pairing else ()))


def _payload(
    correction: Correction, changes: Changes, accept: Collection[str]
) -> dict[str, object]:
    """Return the payload of the journal line; it has no personal values of entries."""
    return {
        "correction": correction.number,
        "scope": correction.scope,
        "reason": correction.reason,
        "undoes": changes.undoes.number if changes.undoes else None,
        "accept": sorted(accept),
        "games": [change.game.pk for change in changes.games],
        "places": [change.game.place for change in changes.games],
        "entries": [change.entry.pk for change in changes.entries],
        "byes": [
            [change.round.number, change.round.version, change.entry.pk, change.after]
            for change in changes.byes
        ],
        "counted": [
            *(
                [change.round, change.pairing.version, change.pairing.first_id, change.counted[1]]
                for change in changes.games
            ),
            *(
                [bye.round.number, bye.round.version, bye.entry.pk, bye.counted[1]]
                for bye in changes.byes
                if bye.after is not None
            ),
        ],
    }
