"""Decisions of rating officers: approve or refuse an event, or all events of an organiser."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from games.rules.text import Text
from ratings.models import Batch, Decision, Pool
from ratings.services.batch_states import lock_batches, review_batches

DECISION_NAMES = {True: "approved", False: "refused"}


def decide_event(pool: Pool, stream: str, *, approved: bool, reason: str, by: Account) -> None:
    """Approve or refuse an event, final or not; its batch follows at once.

    Raises Conflict for the refusal of an event whose batch is filed, and Unprocessable for one
    without a reason.
    """
    with transaction.atomic():
        batches = lock_batches(pool.batches.filter(stream=stream))
        if not approved and any(batch.state == Batch.State.FILED for batch in batches):
            detail = Text("the games of this event are filed; withdraw its batch instead")
            raise Conflict("batch_filed", detail)
        decision = _save_decision(pool, {"stream": stream}, approved, reason, by)
        payload = {"stream": stream, "reason": reason}
        kind, rows = f"event.{DECISION_NAMES[approved]}", changed_rows(decision)
        append_line(pool.stream, kind, payload, by=by, rows=rows)
        review_batches(batches, by=by)


def decide_organiser(
    pool: Pool, organiser: Account, *, approved: bool, reason: str, by: Account
) -> Decision:
    """Approve or refuse the events of an organiser; batches that are filed stay filed.

    Raises Unprocessable for a refusal without a reason.
    """
    with transaction.atomic():
        batches = lock_batches(pool.batches.filter(organiser=organiser))
        decision = _save_decision(pool, {"organiser": organiser}, approved, reason, by)
        payload = {"account": organiser.pk, "reason": reason}
        kind, rows = f"organiser.{DECISION_NAMES[approved]}", changed_rows(decision)
        append_line(pool.stream, kind, payload, by=by, rows=rows)
        review_batches(batches, by=by)
    return decision


def _save_decision(
    pool: Pool, about: dict[str, Any], approved: bool, reason: str, by: Account
) -> Decision:
    if not approved and not reason:
        detail = Text("a refusal needs a reason, which the organiser can read")
        raise Unprocessable("reason_needed", detail, at="/reason")
    defaults = {"approved": approved, "reason": reason, "by": by, "decided_at": timezone.now()}
    decision, _ = Decision.objects.update_or_create(pool=pool, **about, defaults=defaults)
    return decision
