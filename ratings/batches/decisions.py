"""Whether a pool accepts an event: its policy, and the decisions of its officers.

| policy | an event is filed if |
|---|---|
| `open` | always; only games for which both players agreed beforehand are rated, unless approved |
| `approved` | the officers approved the event or its organiser |
| `closed` | the officers approved the event |

An officer who organises an event approves it thereby. A refusal applies under every policy.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from games.models import Account, Role
from games.rules.text import Text
from ratings.models import Batch, Decision, Pool


class Filing(NamedTuple):
    """The state in which a pool files an event, whether it is approved, and why it is refused."""

    state: Batch.State
    approved: bool
    reason: str = ""


class RatingRequest(NamedTuple):
    """An event that requests its rating, and the account that created it."""

    stream: str
    organiser_id: int | None


def find_filing(pool: Pool, request: RatingRequest) -> Filing:
    """Return how a pool files an event now."""
    return find_filings(pool, [request])[request.stream]


def find_filings(pool: Pool, requests: Collection[RatingRequest]) -> dict[str, Filing]:
    """Return how a pool files each of these events now, by stream, in two queries."""
    organisers = {request.organiser_id for request in requests if request.organiser_id}
    about = Q(stream__in=[request.stream for request in requests]) | Q(organiser__in=organisers)
    decisions: dict[str | int, Decision] = {
        decision.organiser_id or decision.stream: decision
        for decision in Decision.objects.filter(about, pool=pool)
    }
    officers = set(load_officers(pool).filter(pk__in=organisers).values_list("pk", flat=True))
    return {
        request.stream: _file_by(
            pool,
            event=decisions.get(request.stream),
            organiser=decisions.get(request.organiser_id or 0),
            is_by_officer=request.organiser_id in officers,
        )
        for request in requests
    }


def _file_by(
    pool: Pool, *, event: Decision | None, organiser: Decision | None, is_by_officer: bool
) -> Filing:
    decision = event or organiser
    if decision and not decision.approved:
        return Filing(Batch.State.REFUSED, approved=False, reason=decision.reason)
    trusts_organiser = organiser is not None and pool.policy != Pool.Policy.CLOSED
    if event or trusts_organiser or is_by_officer:
        return Filing(Batch.State.FILED, approved=True)
    is_open = pool.policy == Pool.Policy.OPEN
    return Filing(Batch.State.FILED if is_open else Batch.State.WAITING, approved=False)


def reason_of(pool: Pool, state: str, reason: str) -> str:
    """Return the reason of the state of an event's rating: for whose decision it waits."""
    if state == Batch.State.WAITING:
        return Text("waits for approval by an officer of the pool %(pool)s", pool=pool.name)
    return reason


def load_officers(pool: Pool) -> "QuerySet[Account]":
    """Return the rating officers of a pool."""
    roles = Role.objects.filter(stream=pool.stream, role=Role.Name.RATING_OFFICER)
    return Account.objects.filter(pk__in=roles.values("account")).order_by("pk")


def load_organisers(pool: Pool) -> "QuerySet[Decision]":
    """Return the decisions about organisers."""
    return pool.decisions.filter(organiser__isnull=False).select_related("organiser")


def decision_as_json(decision: Decision) -> dict[str, Any]:
    """Return the JSON of a decision about an organiser."""
    return {
        "organiser": account_as_json(decision.organiser),
        "approved": decision.approved,
        "reason": decision.reason or None,
        "decided_at": decision.decided_at,
    }


def account_as_json(account: Account | None) -> dict[str, Any] | None:
    """Return the JSON of an account for the officers of a pool, without its email."""
    return None if account is None else {"id": account.pk, "name": account.name}
