"""Preview, commit and undo corrections.

The preview computes from values in memory. A commit computes it again and compares its digest with
the one that the caller has seen, then writes everything in one transaction: rulings, byes, entries,
journal lines.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import NewLine, append_line, append_lines
from games.core.journal.rows import Rows, changed_rows, combined, deleted_rows
from games.core.preconditions import require_same_effect, stale_effect
from games.models import Account, Game, Report
from games.play.services import report_payload
from games.play.settlement import settle_locked_games
from games.rules.text import Text
from ratings.batches.services import refresh_event
from ratings.models import Batch
from tournament.core.crosstable import standings_digest
from tournament.core.locking import lock_tournament
from tournament.core.queries import last_complete_round
from tournament.core.states import require_event_allows
from tournament.corrections.changes import ByeChange, Changes, RequestedChange
from tournament.corrections.effects import Preview, compute_effect, state_of
from tournament.corrections.gathering import gather_changes, gather_inverse
from tournament.models import Correction, Pairing, Round, Tournament
from tournament.rounds.advances import require_accepted_advances
from tournament.rounds.services import withdraw_pairings

Committed = tuple[Correction, list[Batch]]
"""A correction, and the batches that a new run rates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requested:
    """A correction as it is requested: changes, or an earlier correction that it undoes.

    The effect must be that of the preview with the digest, if it is given. `accept` names what may
    change in a bracket.
    """

    tournament: Tournament
    by: Account
    reason: str
    changes: Sequence[RequestedChange] = ()
    scope: Correction.Scope = Correction.Scope.ALL
    undoes: Correction | None = None
    digest: str = ""
    accept: Collection[str] = ()

    def gather(self) -> Changes:
        """Return the changes from the rows as they are now."""
        tournament, reason, by = self.tournament, self.reason, self.by
        if self.undoes is not None:
            return gather_inverse(tournament, self.undoes, reason=reason, by=by)
        return gather_changes(tournament, self.changes, scope=self.scope, reason=reason, by=by)


def preview(requested: Requested) -> Preview:
    """Return a correction with its effect and digest; nothing is locked or written.

    Raises Unprocessable and Conflict for what cannot be corrected, and Stale if it was possible at
    the digest that is given.
    """
    tournament, digest = requested.tournament, requested.digest
    require_event_allows(tournament, "correct")
    state = state_of(tournament)
    try:
        changes = requested.gather()
    except (Conflict, Unprocessable) as refused:
        if digest and digest.partition(".")[0] != str(state[0]):
            raise stale_effect(tournament.stream, digest, refused.detail) from refused
        raise
    if not changes.as_json():
        raise Unprocessable("nothing_to_correct", Text("the correction changes nothing"))
    return Preview(changes, compute_effect(tournament, changes), state)


def draft(requested: Requested, previewed: Preview) -> Correction:
    """Return the correction, not saved.

    Raises Stale if its effect is not that of the digest, and Conflict if other players should have
    advanced in a bracket, unless `accept` names that.
    """
    tournament = requested.tournament
    if requested.digest:
        require_same_effect(tournament.stream, requested.digest, previewed.digest)
    require_accepted_advances(previewed.effect.advances, accept=requested.accept)
    last = Correction.objects.filter(tournament=tournament).order_by("-number").first()
    return Correction(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        scope=previewed.changes.scope,
        reason=requested.reason,
        changes=previewed.changes.as_json(),
        effect=previewed.effect.as_json(),
        undoes=previewed.changes.undoes,
        by=requested.by,
    )


def commit(requested: Requested, previewed: Preview) -> Committed:
    """Write a correction in the current transaction; return it with the batches to rate."""
    tournament = lock_tournament(requested.tournament)
    requested = replace(requested, tournament=tournament)
    # The preview was made without a lock: it is made again if anything has changed since.
    if state_of(tournament) != previewed.state:
        previewed = preview(requested)
    correction = draft(requested, previewed)
    return _write_correction(
        tournament, correction, previewed, accept=requested.accept, by=requested.by
    )


def _write_correction(
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
        payload["standings"] = {
            number: standings_digest(tournament, number)
            for number in range(changes.first_round, last_complete_round(tournament) + 1)
        }
    append_line(tournament.stream, "correction.committed", payload, by=by, rows=rows)
    for changed in preview.effect.rounds:
        if changed.round.state == Round.State.DRAFTED:
            withdraw_pairings(changed.round, correction.reason, by)
    return correction, refresh_event(tournament.stream)


def _write_games(tournament: Tournament, changes: Changes, by: Account) -> Rows:
    """Add the rulings, settle the games, and store what counts instead of them.

    Return what counts.
    """
    if not changes.games:
        return {}
    numbers = [change.game.pk for change in changes.games]
    # By key, as everyone who locks several games; not their keys, as lock_game.
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
