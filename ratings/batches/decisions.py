"""Whether a pool accepts an event: its policy, and the decisions of its officers.

| policy | an event is filed if |
|---|---|
| `open` | always; only games for which both players agreed beforehand are rated, unless approved |
| `approved` | the officers approved the event or its organiser |
| `closed` | the officers approved the event |

An officer who organises an event approves it thereby. A refusal applies under every policy. That an
organiser is approved, or an officer, counts while they own the event. The approval of an event is
one of the event as it was then, which is stored with it (`covers`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from django.db.models import Q, QuerySet

from games.core.references import AccountReference, account_reference
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
    decided = load_decided(pool, requests)
    return {request.stream: decided.filing(request) for request in requests}


@dataclass(frozen=True, slots=True)
class Decided:
    """What the officers of a pool have decided about events and organisers, and who owns them.

    The decisions are by the stream of an event and the account of an organiser; `owners` are by the
    stream of an event, and of the pool those who are its officers.
    """

    pool: Pool
    decisions: Mapping[str | int, Decision]
    owners: Mapping[str, Collection[int]]

    def covers(self, stream: str) -> Mapping[str, Any]:
        """Return the event as it was approved; empty if it was not, or in any form."""
        decision = self.decisions.get(stream)
        return decision.covers if decision and decision.approved else {}

    def filing(self, request: RatingRequest, *, is_changed: bool = False) -> Filing:
        """Return how the pool files an event; the approval of one that `is_changed` is void."""
        event = self.decisions.get(request.stream)
        organiser = self.decisions.get(request.organiser_id or 0)
        if is_changed and event and event.approved:
            event = None
        decision = event or organiser
        if decision and not decision.approved:
            return Filing(Batch.State.REFUSED, approved=False, reason=decision.reason)
        is_owner = request.organiser_id in self.owners[request.stream]
        trusts_organiser = organiser is not None and self.pool.policy != Pool.Policy.CLOSED
        is_by_officer = request.organiser_id in self.owners[self.pool.stream]
        if event or (is_owner and (trusts_organiser or is_by_officer)):
            return Filing(Batch.State.FILED, approved=True)
        is_open = self.pool.policy == Pool.Policy.OPEN
        return Filing(Batch.State.FILED if is_open else Batch.State.WAITING, approved=False)


def load_decided(pool: Pool, requests: Collection[RatingRequest]) -> Decided:
    """Return what the officers of a pool have decided about these events, in two queries."""
    streams = [request.stream for request in requests]
    organisers = {request.organiser_id for request in requests if request.organiser_id}
    about = Q(stream__in=streams) | Q(organiser__in=organisers)
    decisions: dict[str | int, Decision] = {
        decision.organiser_id or decision.stream: decision
        for decision in Decision.objects.filter(about, pool=pool)
    }
    return Decided(pool, decisions, owners_of([*streams, pool.stream]))


def owners_of(streams: Iterable[str]) -> Mapping[str, Collection[int]]:
    """Return the accounts of the owners of events, and of the officers of pools, by stream."""
    highest = (Role.Name.OWNER, Role.Name.RATING_OFFICER)
    roles = Role.objects.filter(stream__in=list(streams), role__in=highest)
    found: defaultdict[str, set[int]] = defaultdict(set)
    for stream, account in roles.values_list("stream", "account_id"):
        found[stream].add(account)
    return found


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


class OrganiserDecision(TypedDict):
    """What the officers of a pool have decided about an organiser."""

    organiser: AccountReference
    approved: bool
    reason: str | None
    decided_at: datetime


def decision_as_json(decision: Decision) -> OrganiserDecision:
    """Return the JSON of a decision about an organiser."""
    assert decision.organiser is not None
    return {
        "organiser": account_reference(decision.organiser),
        "approved": decision.approved,
        "reason": decision.reason or None,
        "decided_at": decision.decided_at,
    }
