"""Create, change and delete webhooks, rotate their secrets, and request a ping or a replay."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone

from games.core.broker import send_on_commit
from games.core.errors import Conflict, Unprocessable, check_all, require_found, unknown_key
from games.core.journal.lines import SITE, append_line
from games.core.limits import check_quota, lock_account
from games.models import Account
from games.rules.text import Text
from tournament.messages.feed import is_wide, last_number
from tournament.messages.kinds import kinds_of
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.addresses import PORTS, AddressRefused, check_url, find_allowed, resolve
from tournament.webhooks.formats import format_of
from tournament.webhooks.signatures import PING, new_secret

State = WebhookDelivery.State
WEBHOOK_TASK: Final = "tournament.tasks.send_webhooks"
OVERLAP: Final = timedelta(days=1)
"""How long the previous secret signs as well."""
MOST_PINGS: Final = 5
"""Pings of a webhook that wait at the same time."""


def create_webhook(
    stream: str, url: str, kinds: Sequence[str], *, by: Account, format: str | None = None
) -> Webhook:
    """Create a webhook for the entries from now on; its secret is in the row.

    Without a format, the address decides. Raises Unprocessable for an address or a kind that is not
    allowed, Conflict if the quota of the account is reached.
    """
    format = format or format_of(url) or Webhook.Format.OBJECT
    kinds = check_webhook(stream, {"url": url, "kinds": kinds, "format": format})
    with transaction.atomic():
        lock_account(by)
        check_quota("webhooks", Webhook.objects.filter(owner=by).count() + 1, by=by)
        webhook = Webhook(owner=by, stream=stream, url=url, format=format, kinds=kinds)
        webhook.secret = new_secret()
        webhook.save()
        _append(webhook, "created", by, kinds=kinds)
        # After the line above, which the webhook is not told of.
        webhook.queued = last_number(stream)
        webhook.save(update_fields=["queued"])
        send_on_commit(WEBHOOK_TASK)  # it lets new lines send it
    return webhook


def edit_webhook(webhook: Webhook, changes: dict[str, Any], *, by: Account) -> None:
    """Change the address, the format, the kinds, or whether it is active.

    A webhook that is made active gets everything since it was stopped, in order; so does one with
    a new address at once. Raises Unprocessable as `create_webhook` does.
    Without changes nothing is written.
    """
    if not changes:
        return
    sent = changes.get("format") or format_of(changes.get("url", "")) or webhook.format
    changes = {"kinds": webhook.kinds} | changes | {"format": sent}
    changes["kinds"] = check_webhook(webhook.stream, changes)
    with transaction.atomic():
        locked = _lock_webhook(webhook)
        for name in ("url", "format", "kinds"):
            setattr(locked, name, changes.get(name, getattr(locked, name)))
        is_active = changes.get("active", not locked.stopped)
        if is_active:
            is_started = bool(locked.stopped)
            locked.stopped, locked.notice_due = "", False
        else:
            is_started = False
            locked.stopped = locked.stopped or Webhook.Stop.OWNER
        if is_started:
            locked.failing_since = None
        locked.save()
        if is_started or "url" in changes:
            pending = locked.deliveries.filter(state=State.PENDING, next_attempt_at__isnull=False)
            pending.update(next_attempt_at=timezone.now(), attempts=0)
        _append(locked, "edited", by, kinds=locked.kinds, active=is_active)
        send_on_commit(WEBHOOK_TASK)


def delete_webhook(webhook: Webhook, *, by: Account) -> None:
    """Delete a webhook and its log."""
    with transaction.atomic():
        locked = _lock_webhook(webhook)
        _append(locked, "deleted", by)
        locked.delete()


def rotate_secret(webhook: Webhook, *, by: Account) -> Webhook:
    """Replace the secret and return the row; for a day the previous secret signs as well."""
    with transaction.atomic():
        locked = _lock_webhook(webhook)
        locked.previous_secret, locked.secret = locked.secret, new_secret()
        locked.previous_until = timezone.now() + OVERLAP
        locked.save(update_fields=["secret", "previous_secret", "previous_until"])
        _append(locked, "rotated", by)
    return locked


def request_ping(webhook: Webhook) -> WebhookDelivery:
    """Request a message that tells nothing; raises Conflict if too many wait already."""
    with transaction.atomic():
        locked = _lock_webhook(webhook)
        if locked.deliveries.filter(sequence=None, state=State.PENDING).count() >= MOST_PINGS:
            raise Conflict(
                "pings_waiting", Text("%(count)s pings wait to be sent already", count=MOST_PINGS)
            )
        delivery = WebhookDelivery.objects.create(webhook=locked, kind=PING)
        send_on_commit(WEBHOOK_TASK)
    return delivery


def request_replay(webhook: Webhook, delivery: WebhookDelivery) -> WebhookDelivery:
    """Request that a finished delivery is sent once more, with the same id.

    It has one attempt, so that the later entries do not wait for it. Raises Conflict while it is
    pending, and if the webhook is stopped.
    """
    with transaction.atomic():
        locked = _lock_webhook(webhook)
        delivery = locked.deliveries.select_for_update(no_key=True).get(pk=delivery.pk)
        if delivery.state == State.PENDING:
            raise Conflict("delivery_pending", Text("this delivery is still to be sent"))
        if locked.stopped and delivery.sequence is not None:
            detail = Text('the webhook is stopped; `{"active": true}` starts it')
            raise Conflict("webhook_stopped", detail)
        delivery.state, delivery.is_replay, delivery.attempts = State.PENDING, True, 0
        delivery.next_attempt_at = timezone.now()
        delivery.save(update_fields=["state", "is_replay", "attempts", "next_attempt_at"])
        send_on_commit(WEBHOOK_TASK)
    return delivery


def _append(webhook: Webhook, kind: str, by: Account, **members: Any) -> None:
    """Write a line in the journal of the event or the pool, else in that of the site."""
    journal = SITE if is_wide(webhook.stream) else webhook.stream
    append_line(journal, f"webhook.{kind}", {"webhook": webhook.pk, **members}, by=by)


def _lock_webhook(webhook: Webhook) -> Webhook:
    """Return the row of a webhook, locked; raises NotFound if it was deleted."""
    locked = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook.pk).first()
    return require_found(locked, Text("there is no webhook %(number)s any more", number=webhook.pk))


def check_webhook(stream: str, members: Mapping[str, Any]) -> list[str]:
    """Return the kinds in their usual order, each once.

    Raises Unprocessable for an address that is not allowed, and for kinds that are not valid: a
    channel gets those that have words for it.
    """
    url, kinds = members.get("url"), members["kinds"]
    sent = members.get("format") or format_of(url or "") or Webhook.Format.OBJECT
    valid = kinds_of(stream, channel=sent != Webhook.Format.OBJECT)
    check_all(
        partial(_check_url, url),
        *(
            partial(_refuse_kind, kind, valid, at=f"/kinds/{index}")
            for index, kind in enumerate(kinds)
            if kind not in valid
        ),
    )
    return [kind for kind in valid if kind in kinds]


def check_http(url: str) -> None:
    """Raise Unprocessable for http to a host that is in no network which allows it.

    Call it before the transaction, since the name is resolved.
    """
    try:
        check_url(url)
    except AddressRefused:
        return  # which is said with all else that is wrong
    parts = urlsplit(url)
    try:
        if parts.scheme == "http":
            find_allowed(parts.hostname or "", parts.port or PORTS["http"], "http", resolve)
    except AddressRefused as error:
        raise Unprocessable("address_refused", str(error), at="/receiver_url") from error


def _check_url(url: str | None) -> None:
    try:
        if url is not None:
            check_url(url)
    except AddressRefused as error:
        raise Unprocessable("address_refused", str(error), at="/receiver_url") from error


def _refuse_kind(kind: str, valid: Sequence[str], *, at: str) -> None:
    raise unknown_key("kinds", kind, valid, at=at)
