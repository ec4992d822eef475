"""Preview, commit and undo corrections.

The preview computes from values in memory. A commit computes it again and compares its digest with
the one that the caller has seen, then writes everything in one transaction.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from games.http.errors import Conflict, Unprocessable
from games.http.preconditions import require_same_effect, stale_effect
from games.journal import NewLine, append_line, append_lines
from games.models import Account, Game, Report
from games.services.report_versions import report_payload
from games.services.settlement import settle_locked_games
from ratings.models import Batch
from ratings.services.batches import refresh_event
from tournament.models import Correction, Pairing, Round, Tournament
from tournament.services.advances import require_accepted_advances
from tournament.services.corrections.changes import ByeChange, Changes
from tournament.services.corrections.effects import Preview, compute_effect, state_of
from tournament.services.corrections.gathering import RequestedChange, gather_changes
from tournament.services.corrections.undo import gather_inverse
from tournament.services.event_actions import require_event_action
from tournament.services.locking import lock_tournament
from tournament.services.reversals import withdraw_pairings
from tournament.snapshots.creation import add_versions

Gather = Callable[[Tournament], Changes]
"""Return the changes of a correction from the rows as they are now."""
Committed = tuple[Correction, list[Batch]]
"""A correction, and the batches that a new run rates."""


def preview_correction(
    tournament: Tournament,
    requested: Sequence[RequestedChange],
    *,
    scope: Correction.Scope,
    reason: str,
    by: Account,
) -> Preview:
    """Return a correction with its effect and digest; nothing is written.

    Raises Unprocessable and Conflict for what cannot be corrected.
    """
    gather = partial(gather_changes, requested=requested, scope=scope, reason=reason, by=by)
    return _preview(tournament, gather)


def commit_correction(
    tournament: Tournament,
    requested: Sequence[RequestedChange],
    *,
    scope: Correction.Scope,
    reason: str,
    digest: str,
    accept: Collection[str] = (),
    by: Account,
    dry_run: bool = False,
) -> Committed:
    """Commit a correction that was previewed with this digest; return it with the rated batches.

    A dry run writes and locks nothing. Raises Stale if its effect has changed since, and as
    `preview_correction` does; Conflict if other players should have advanced in a bracket, unless
    `accept` names that.
    """
    gather = partial(gather_changes, requested=requested, scope=scope, reason=reason, by=by)
    commit = partial(_commit, digest=digest, dry_run=dry_run)
    return commit(tournament, gather, reason=reason, accept=accept, by=by)


def preview_undo(
    tournament: Tournament, correction: Correction, *, reason: str, by: Account
) -> Preview:
    """Return the inverse of a correction with its effect and digest; nothing is written."""
    return _preview(
        tournament, partial(gather_inverse, correction=correction, reason=reason, by=by)
    )


def undo_correction(
    tournament: Tournament,
    correction: Correction,
    *,
    reason: str,
    digest: str = "",
    accept: Collection[str] = (),
    by: Account,
    dry_run: bool = False,
) -> Committed:
    """Commit the inverse of a correction; raises Conflict as `gather_inverse` does.

    With the digest of its preview, raises Stale if its effect has changed since.
    """
    gather = partial(gather_inverse, correction=correction, reason=reason, by=by)
    commit = partial(_commit, digest=digest, dry_run=dry_run)
    return commit(tournament, gather, reason=reason, accept=accept, by=by)


def _preview(tournament: Tournament, gather: Gather, digest: str = "") -> Preview:
    """Return a correction with its effect; one that was possible at its digest is stale."""
    require_event_action(tournament, "correct")
    state = state_of(tournament)
    try:
        changes = gather(tournament)
    except (Conflict, Unprocessable) as refused:
        if digest and digest.partition(".")[0] != str(state[0]):
            raise stale_effect(tournament.stream, digest, refused.detail) from refused
        raise
    if not changes.as_json():
        raise Unprocessable("nothing_to_correct", "the correction changes nothing", at="/changes")
    return Preview(changes, compute_effect(tournament, changes), state)


def _commit(
    tournament: Tournament,
    gather: Gather,
    *,
    reason: str,
    digest: str,
    accept: Collection[str],
    by: Account,
    dry_run: bool,
) -> Committed:
    """Compute the correction without a lock, and again if anything has changed until the lock."""
    preview = _preview(tournament, gather, digest)
    if dry_run:
        _require_accepted(tournament, preview, digest, accept)
        return _draft(tournament, preview, reason, by), []
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        if state_of(tournament) != preview.state:
            preview = _preview(tournament, gather, digest)
        _require_accepted(tournament, preview, digest, accept)
        correction = _draft(tournament, preview, reason, by)
        return _write(tournament, correction, preview, accept=accept, by=by)


def _require_accepted(
    tournament: Tournament, preview: Preview, digest: str, accept: Collection[str]
) -> None:
    if digest:
        require_same_effect(tournament.stream, digest, preview.digest)
    require_accepted_advances(preview.effect.advances, accept=accept)


def _draft(tournament: Tournament, preview: Preview, reason: str, by: Account) -> Correction:
    """Return the correction, not saved."""
    last = Correction.objects.filter(tournament=tournament).order_by("-number").first()
    return Correction(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        scope=preview.changes.scope,
        reason=reason,
        changes=preview.changes.as_json(),
        effect=preview.effect.as_json(),
        undoes=preview.changes.undoes,
        by=by,
    )


def _write(
    tournament: Tournament,
    correction: Correction,
    preview: Preview,
    *,
    accept: Collection[str],
    by: Account,
) -> Committed:
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
        Pairing.objects.filter(pk=change.pairing.pk).update(kind=change.after)
    elif change.after is not None:
        Pairing.objects.create(
            tournament=tournament,
            round=change.round,
            version=change.round.version,
            kind=change.after,
            first=change.entry,
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
            [change.round, change.pairing.version, change.pairing.first_id, change.counted[1]]
            for change in changes.games
        ],
    }
