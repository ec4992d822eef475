"""Change the state of a batch: file or refuse a waiting one, withdraw, restore or back-date one.

The games of the batch are filed anew at once, and a run follows if the ratings change.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.core.broker import send_on_commit
from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from games.rules.text import Text
from ratings.batches.decisions import RatingRequest, find_filing
from ratings.batches.services import refresh_batch
from ratings.models import Batch, Pool

State = Batch.State


def lock_batches(batches: "QuerySet[Batch]") -> list[Batch]:
    """Read batches and lock their rows until the transaction ends.

    Lock them before the first line is written to the journal of the pool, as runs do.
    """
    locked = batches.select_for_update(no_key=True, of=("self",)).select_related("pool")
    return list(locked.order_by("pk"))


def review_batches(batches: Iterable[Batch], *, by: Account | None) -> None:
    """Bring locked batches of events to the state that policy and decisions give them now.

    A filed batch stays filed; it may become approved. A withdrawn one stays withdrawn.
    """
    for batch in batches:
        filing = find_filing(batch.pool, RatingRequest(batch.stream, batch.organiser_id))
        if batch.state == State.WITHDRAWN:
            continue
        if batch.state == State.FILED and (batch.approved or not filing.approved):
            continue
        if (batch.state, batch.approved, batch.reason) != filing:
            batch.state, batch.approved, batch.reason = filing
            _save(batch, f"batch.{batch.state}", by)


def review_waiting_batches(pool: Pool) -> None:
    """File or refuse the waiting batches that policy and decisions no longer leave waiting."""
    with transaction.atomic():
        review_batches(lock_batches(pool.batches.filter(state=State.WAITING)), by=None)


def withdraw_batch(batch: Batch, *, reason: str, by: Account) -> Batch:
    """Exclude all games of a filed batch; raises Conflict in another state."""
    return _change_state(batch, State.FILED, State.WITHDRAWN, "batch.withdrawn", reason, by)


def restore_batch(batch: Batch, *, reason: str, by: Account) -> Batch:
    """Rate the games of a withdrawn batch again; raises Conflict in another state."""
    return _change_state(batch, State.WITHDRAWN, State.FILED, "batch.restored", reason, by)


def _change_state(
    batch: Batch, source: Batch.State, target: Batch.State, kind: str, reason: str, by: Account
) -> Batch:
    with transaction.atomic():
        (batch,) = lock_batches(Batch.objects.filter(pk=batch.pk))
        if batch.state != source:
            detail = Text(
                "batch %(number)s is %(state)s; this needs %(states)s",
                number=batch.pk,
                state=Batch.State(batch.state),
                states=source,
            )
            raise Conflict("wrong_state", detail)
        batch.state, batch.reason = target, reason
        _save(batch, kind, by)
    return batch


def backdate_batch(batch: Batch, *, effective_at: datetime, reason: str, by: Account) -> Batch:
    """Set when a batch takes effect, without the limit for organisers.

    Raises Unprocessable for a time in the future.
    """
    if effective_at > timezone.now():
        detail = Text(
            "%(time)s is in the future; send a time that has passed", time=effective_at.isoformat()
        )
        raise Unprocessable("in_future", detail, at="/effective_at")
    with transaction.atomic():
        (batch,) = lock_batches(Batch.objects.filter(pk=batch.pk))
        batch.effective_at, batch.backdated, batch.reason = effective_at, True, reason
        _save(batch, "batch.backdated", by)
    return batch


def _save(batch: Batch, kind: str, by: Account | None) -> None:
    refresh_batch(batch)
    payload = {
        "batch": batch.pk,
        "stream": batch.stream,
        "effective_at": batch.effective_at.isoformat(),
        "reason": batch.reason,
        "games_digest": batch.games_digest,
    }
    append_line(batch.pool.stream, kind, payload, by=by, rows=changed_rows(batch))
    send_on_commit("ratings.tasks.advance_pool", batch.pool_id)
