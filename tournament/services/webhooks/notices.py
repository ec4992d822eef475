"""Tell the owners of webhooks by email that these were stopped."""

from typing import Final

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import F
from django.utils import translation
from django.utils.translation import gettext

from games.models.attempts import MAX_ATTEMPTS
from games.rules.messages import gettext_noop
from tournament.models import Webhook
from tournament.webhooks.deliveries import MOST_FAILED_ATTEMPTS

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
