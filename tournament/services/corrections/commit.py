"""Preview, commit and undo corrections.

The preview computes from values in memory. A commit computes it again and compares its digest with
the one that the caller has seen, then writes everything in one transaction.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from django.db import transaction

from games.http.errors import Conflict, Unprocessable
from games.http.preconditions import require_same_effect, stale_effect
from games.models import Account
from games.rules.text import Text
from tournament.models import Correction, Tournament
from tournament.services.advances import require_accepted_advances
from tournament.services.corrections.changes import Changes
from tournament.services.corrections.effects import Preview, compute_effect, state_of
from tournament.services.corrections.gathering import gather_changes
from tournament.services.corrections.requests import RequestedChange
from tournament.services.corrections.undo import gather_inverse
from tournament.services.corrections.writing import Committed, write_correction
from tournament.services.event_actions import require_event_action
from tournament.services.locking import lock_tournament

Gather = Callable[[Tournament], Changes]
"""Return the changes of a correction from the rows as they are now."""


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
        raise Unprocessable(
            "nothing_to_correct", Text("the correction changes nothing"), at="/changes"
        )
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
        return write_correction(tournament, correction, preview, accept=accept, by=by)


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
