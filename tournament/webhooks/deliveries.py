"""The deliveries of webhooks: queue entries of the feed, claim what is due, write outcomes.

The rows say what is due: a line of the journal after `Webhook.queued`, and a pending delivery whose
next attempt is due. An attempt is written down before it begins, with a time at which it counts as
lost, so that a killed worker costs only that time. Entries are sent at least once, and those of a
stream in its order. The owners of webhooks that were stopped are told by email.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F
from django.utils import translation
from django.utils.translation import gettext

from games.core.broker import send_on_commit
from games.models.attempts import MAX_ATTEMPTS
from games.rules.messages import gettext_noop
from tournament.messages.feed import is_wide, last_number, load_feed, settled_number
from tournament.messages.kinds import kinds_of
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.queries import failed_attempts, is_due
from tournament.webhooks.requests import DeliveryOutcome

State, Stop = WebhookDelivery.State, Webhook.Stop

RETRIES: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 28800)
)
"""The pauses after failed attempts of a delivery, in all a day; after the last it is given up."""
MOST_FAILED_ATTEMPTS: Final = 30
"""Failed attempts in a row after which a webhook is stopped: more than two days at the least."""
LONGEST_PAUSE: Final = RETRIES[-1]
"""The longest pause that a receiver can request by `Retry-After`."""
ATTEMPT_LEASE: Final = timedelta(seconds=45)
"""The time after which an attempt counts as lost: longer than any takes."""
MOST_DELIVERIES_AT_ONCE: Final = 100
GONE: Final = 410


def queue_entries(webhook_id: int) -> int:
    """Create deliveries for the next entries of the feed; return how many there are."""
    with transaction.atomic():
        # Locked, so that a line gets no second delivery; not its key, to which deliveries refer.
        webhook = Webhook.objects.select_for_update(no_key=True).get(pk=webhook_id)
        wide = is_wide(webhook.stream)
        end = settled_number() if wide else last_number(webhook.stream)
        is_channel = webhook.format != Webhook.Format.OBJECT
        valid = kinds_of(webhook.stream, channel=is_channel)
        chosen = [kind for kind in valid if kind in webhook.kinds or not webhook.kinds]
        entries = load_feed(webhook.stream, after=webhook.queued, limit=MOST_DELIVERIES_AT_ONCE)
        # What is not settled in a wide feed is read again, until nothing before it can be missing.
        known = webhook.deliveries.filter(sequence__gt=webhook.queued)
        queued = set(known.values_list("sequence", flat=True)) if wide else ()
        new = [one for one in entries if one.kind in chosen and one.number not in queued]
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(webhook=webhook, sequence=one.number, kind=one.kind) for one in new
        )
        # Lines are written meanwhile: the feed can have some after the end that was read before.
        last = entries[-1].number if entries else webhook.queued
        reached = last if len(entries) == MOST_DELIVERIES_AT_ONCE else max(end, last)
        webhook.queued = max(webhook.queued, min(reached, end) if wide else reached)
        webhook.save(update_fields=["queued"])
    return len(new if wide else entries)


def claim_attempt(delivery: WebhookDelivery, *, at: datetime) -> bool:
    """Count an attempt that begins now; return False if it is not due any more."""
    due = WebhookDelivery.objects.filter(is_due(at), pk=delivery.pk)
    # A conditional update and no lock: of two workers, one changes the row.
    claimed = due.update(
        attempts=F("attempts") + 1, next_attempt_at=at + ATTEMPT_LEASE, attempted_at=at
    )
    return claimed > 0


def withdraw_delivery(delivery: WebhookDelivery) -> None:
    """Send nothing of an entry that is not public any more."""
    pending = WebhookDelivery.objects.filter(pk=delivery.pk, state=State.PENDING)
    pending.update(state=State.WITHDRAWN, next_attempt_at=None)


def write_outcome(delivery_id: int, outcome: DeliveryOutcome, *, at: datetime) -> None:
    """Write what an attempt led to: delivered, the time of the next one, or given up.

    A webhook is stopped by the status 410, and after MOST_FAILED_ATTEMPTS without a success;
    its owner gets an email.
    """
    with transaction.atomic():
        delivery = WebhookDelivery.objects.select_related("webhook").get(pk=delivery_id)
        # Read again: another attempt, or its owner, may have stopped it meanwhile.
        webhook = Webhook.objects.select_for_update(no_key=True).get(pk=delivery.webhook_id)
        delivery.status, delivery.problem = outcome.status, outcome.problem
        delivery.excerpt = outcome.excerpt
        pause = _pause_after(delivery, outcome)
        if outcome.is_success:
            delivery.state, delivery.next_attempt_at = State.DELIVERED, None
        elif pause is None:
            delivery.state, delivery.next_attempt_at = State.GIVEN_UP, None
        else:
            delivery.next_attempt_at = at + pause
        delivery.save(update_fields=["status", "problem", "excerpt", "state", "next_attempt_at"])
        if outcome.is_success:
            webhook.failing_since = None
        elif delivery.sequence is not None:
            webhook.failing_since = webhook.failing_since or delivery.attempted_at
        webhook.save(update_fields=["failing_since"])
        if not outcome.is_success and not webhook.stopped:
            _stop_if_needed(webhook, outcome)


def _pause_after(delivery: WebhookDelivery, outcome: DeliveryOutcome) -> timedelta | None:
    """Return the pause after a failed attempt; None after the last.

    An entry whose receiver is gone stays pending: it is the first one if the webhook is started.
    """
    is_last = delivery.attempts > len(RETRIES)
    if is_last or delivery.is_replay or delivery.sequence is None:
        return None
    requested = min(timedelta(seconds=outcome.retry_after), LONGEST_PAUSE)
    return max(RETRIES[max(delivery.attempts, 1) - 1], requested)


def _stop_if_needed(webhook: Webhook, outcome: DeliveryOutcome) -> None:
    rows = Webhook.objects.filter(pk=webhook.pk)
    failures = rows.values_list(failed_attempts(), flat=True).get() or 0
    if outcome.status == GONE:
        reason = Stop.GONE
    elif failures >= MOST_FAILED_ATTEMPTS:
        reason = Stop.FAILURES
    else:
        return
    rows.update(stopped=reason, notice_due=True, notice_attempts=0)
    send_on_commit("tournament.tasks.send_webhook_notices")


def delete_old_deliveries(*, at: datetime) -> int:
    """Delete the finished deliveries of the log that DELIVERY_DAYS old; return how many."""
    old = WebhookDelivery.objects.filter(created_at__lt=at - timedelta(days=settings.DELIVERY_DAYS))
    number, _ = old.exclude(state=State.PENDING).delete()
    return number


SUBJECT: Final = gettext_noop("Your webhook was stopped")
STOP_REASONS: Final = {
    Webhook.Stop.GONE: gettext_noop("The receiver answered that it is gone (410)."),
    Webhook.Stop.FAILURES: gettext_noop("%(count)s attempts in a row failed."),
}
"""Why a webhook was stopped, in a sentence of the message; the number of failures is in it."""


def due_notices() -> list[int]:
    """Return the webhooks whose owner gets an email because they were stopped."""
    due = Webhook.objects.filter(notice_due=True, notice_attempts__lt=MAX_ATTEMPTS)
    return list(due.order_by("pk").values_list("pk", flat=True))


def send_notice(webhook_id: int) -> None:
    """Tell the owner of a stopped webhook, unless that is done or failed too often."""
    due = Webhook.objects.filter(pk=webhook_id, notice_due=True, notice_attempts__lt=MAX_ATTEMPTS)
    if not due.update(notice_attempts=F("notice_attempts") + 1):
        return
    webhook = Webhook.objects.select_related("owner").get(pk=webhook_id)
    if webhook.owner.email and webhook.owner.is_active:
        with translation.override(webhook.owner.language or settings.LANGUAGE_CODE):
            send_mail(gettext(SUBJECT), _text_of(webhook), None, [webhook.owner.email])
    Webhook.objects.filter(pk=webhook_id).update(notice_due=False)


def _text_of(webhook: Webhook) -> str:
    start = gettext("Nothing is sent any more to the webhook %(number)s of %(stream)s:")
    reason = gettext(STOP_REASONS[Webhook.Stop(webhook.stopped)])
    return "\n".join(
        [
            start % {"number": webhook.pk, "stream": webhook.stream},
            "",
            f"    {webhook.url}",
            "",
            reason % {"count": MOST_FAILED_ATTEMPTS},
            "",
            gettext(
                "Once the receiver works again, start the webhook on this page. It then gets what "
                "it has missed, in order."
            ),
            "",
            f"    {settings.PUBLIC_URL}/account/webhooks",
        ]
    )
