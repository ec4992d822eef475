"""Write a correction that was computed: rulings, byes, entries, snapshots, journal lines."""

from collections.abc import Collection

from django.utils import timezone

from games.journal import NewLine, append_line, append_lines
from games.models import Account, Game, Report
from games.services.report_versions import report_payload
from games.services.settlement import settle_locked_games
from ratings.models import Batch
from ratings.services.batches import refresh_event
from tournament.models import Correction, Pairing, Round, Tournament
from tournament.services.corrections.changes import ByeChange, Changes
from tournament.services.corrections.effects import Preview
from tournament.services.reversals import withdraw_pairings
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
    _write_games(tournament, changes, by)
    for bye in changes.byes:
        _write_bye(tournament, bye)
    for change in changes.entries:
        columns = dict(change.after)
        tournament.entries.filter(pk=change.entry.pk).update(**columns)
        payload = {"entry": change.entry.pk, **columns}
        append_line(tournament.stream, "entry.edited", payload, by=by)
    correction.save()
    payload = _payload(correction, changes, accept)
    is_final = tournament.state in (Tournament.State.FINAL, Tournament.State.ARCHIVED)
    if is_final and changes.scope != Correction.Scope.RATING:
        payload["standings"] = add_versions(tournament, changes.first_round)
    append_line(tournament.stream, "correction.committed", payload, by=by)
    for changed in preview.effect.rounds:
        if changed.round.state == Round.State.DRAFTED:
            withdraw_pairings(tournament, changed.round, correction.reason, by)
    return correction, refresh_event(tournament.stream)


def _write_games(tournament: Tournament, changes: Changes, by: Account) -> None:
    """Add the rulings, settle the games, and store what counts instead of them."""
    if not changes.games:
        return
    numbers = [change.game.pk for change in changes.games]
    games = Game.objects.select_for_update(no_key=True).order_by("pk").in_bulk(numbers)
    for change in changes.games:
        change.report.game = games[change.game.pk]
        change.report.save()
        Pairing.objects.filter(pk=change.pairing.pk).update(counted=change.counted[1])
    reports: list[Report] = [change.report for change in changes.games]
    append_lines(
        tournament.stream,
        [NewLine(f"report.{report.kind}", report_payload(report), by) for report in reports],
    )
    settle_locked_games(list(games.values()), at=timezone.now())


def _write_bye(tournament: Tournament, change: ByeChange) -> None:
    if change.pairing is not None and change.after is None:
        change.pairing.delete()
    elif change.pairing is not None:
        Pairing.objects.filter(pk=change.pairing.pk).update(
            kind=change.after, counted=change.counted[1]
        )
    elif change.after is not None:
        Pairing.objects.create(
            tournament=tournament,
            round=change.round,
            version=change.round.version,
            kind=change.after,
            first=change.entry,
            counted=change.counted[1],
        )


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
