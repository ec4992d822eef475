"""Preview, commit and undo corrections.

The preview computes from values in memory. A commit computes it again and compares its digest with
the one that the caller has seen, then writes everything in one transaction.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from games.core.errors import Conflict, Unprocessable
from games.core.preconditions import require_same_effect, stale_effect
from games.models import Account
from games.rules.text import Text
from tournament.core.actions import require_event_action
from tournament.corrections.changes import Changes
from tournament.corrections.gathering import gather_changes
from tournament.corrections.services import Committed, write_correction
from tournament.models import Correction, Tournament
from tournament.rounds.advances import require_accepted_advances
from tournament.services.corrections.effects import Preview, compute_effect, state_of
from tournament.services.corrections.requests import RequestedChange
from tournament.services.corrections.undo import gather_inverse
from tournament.services.locking import lock_tournament

Gather = Callable[[Tournament], Changes]
"""Return the changes of a correction from the rows as they are now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requested:
    """A correction as it is requested.

    `gather` returns its changes from the rows as they are now; the effect must be that of the
    preview with this digest, if it is given. `accept` names what may change in a bracket.
    """

    tournament: Tournament
    gather: Gather
    reason: str
    by: Account
    digest: str = ""
    accept: Collection[str] = ()


def request_correction(
    tournament: Tournament,
    *,
    changes: Sequence[RequestedChange],
    scope: Correction.Scope,
    reason: str,
    by: Account,
    **options: Any,
) -> Requested:
    """Return the request to correct something; the options are `digest` and `accept`."""
    gather = partial(gather_changes, requested=changes, scope=scope, reason=reason, by=by)
    return Requested(tournament=tournament, gather=gather, reason=reason, by=by, **options)


def request_undo(
    tournament: Tournament, correction: Correction, *, reason: str, by: Account, **options: Any
) -> Requested:
    """Return the request to write the inverse of a correction."""
    gather = partial(gather_inverse, correction=correction, reason=reason, by=by)
    return Requested(tournament=tournament, gather=gather, reason=reason, by=by, **options)


def preview(requested: Requested) -> Preview:
    """Return a correction with its effect and digest; nothing is locked or written.

    Raises Unprocessable and Conflict for what cannot be corrected, and Stale if it was possible at
    the digest that is given.
    """
    tournament, digest = requested.tournament, requested.digest
    require_event_action(tournament, "correct")
    state = state_of(tournament)
    try:
        changes = requested.gather(tournament)
    except (Conflict, Unprocessable) as refused:
        if digest and digest.partition(".")[0] != str(state[0]):
            raise stale_effect(tournament.stream, digest, refused.detail) from refused
        raise
    if not changes.as_json():
        raise Unprocessable(
            "nothing_to_correct", Text("the correction changes nothing"), at="/changes"
        )
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
    """Write a correction in the current transaction; return it with the batches to rate.

    The preview was made without a lock: it is made again if anything has changed since.
    """
    tournament = lock_tournament(requested.tournament)
    requested = replace(requested, tournament=tournament)
    if state_of(tournament) != previewed.state:
        previewed = preview(requested)
    correction = draft(requested, previewed)
    return write_correction(
        tournament, correction, previewed, accept=requested.accept, by=requested.by
    )
