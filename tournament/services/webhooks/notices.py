"""Tell the owners of webhooks by email that these were stopped."""

from typing import Final

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import F

from games.attempts import MAX_ATTEMPTS
from tournament.models import Webhook
from tournament.services.webhooks.deliveries import MOST_FAILURES

SUBJECT: Final = "Your webhook was stopped"
REASONS: Final = {
    Webhook.Stop.GONE: "The receiver answered that it is gone (410).",
    Webhook.Stop.FAILURES: f"{MOST_FAILURES} attempts in a row failed.",
}


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
        send_mail(SUBJECT, _text_of(webhook), None, [webhook.owner.email])
    Webhook.objects.filter(pk=webhook_id).update(notice_due=False)


def _text_of(webhook: Webhook) -> str:
    return "\n".join(
        [
            f"Nothing is sent any more to the webhook {webhook.pk} of {webhook.stream}:",
            "",
            f"    {webhook.url}",
            "",
            REASONS[Webhook.Stop(webhook.stopped)],
            "",
            "Once the receiver works again, start the webhook on this page. It then gets what it",
            "has missed, in order.",
            "",
            f"    {settings.PUBLIC_URL}/account/webhooks",
        ]
    )
