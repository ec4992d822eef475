"""Webhooks: the addresses that entries of a feed are sent to, and the log of what was sent."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Account
from games.models.columns import Columns
from games.models.fields import TextsField

LONGEST_ADDRESS = 500


class Webhook(models.Model):
    """An address that gets the entries of a feed, on behalf of an account.

    `kinds` are those of the feed; empty stands for all. `queued` is the number of the last line
    up to which all deliveries exist. The secret signs, so it cannot be stored as a digest; after a
    rotation the previous one signs too, until `previous_until`. `failing_since` is the time of the
    first failure after the last success; null if the last attempt succeeded.
    """

    class Stop(models.TextChoices):
        """Why nothing is sent any more."""

        OWNER = "owner", _("stopped by hand")
        GONE = "gone", _("stopped: the receiver is gone (410)")
        FAILURES = "failures", _("stopped after too many failures")

    class Format(models.TextChoices):
        """What is sent: the object of an entry, or its words as a chat program takes them."""

        OBJECT = "object", _("data for a program")
        DISCORD = "discord", _("messages in a Discord channel")
        SLACK = "slack", _("messages in a Slack channel")
        MATTERMOST = "mattermost", _("messages in a Mattermost channel")

    owner = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="webhooks")
    stream = models.CharField(max_length=120, help_text="or the feed of an account or the site")
    url = models.CharField(max_length=LONGEST_ADDRESS)
    format = models.CharField(max_length=10, choices=Format, default=Format.OBJECT)
    kinds = models.JSONField(default=list, blank=True, help_text="empty: every kind of the feed")
    secret = models.CharField(max_length=80)
    previous_secret = models.CharField(max_length=80, blank=True)
    previous_until = models.DateTimeField(null=True, blank=True)
    stopped = models.CharField(max_length=8, choices=Stop, blank=True, help_text="empty: active")
    failing_since = models.DateTimeField(null=True, blank=True)
    queued = models.PositiveBigIntegerField(default=0)
    notice_due = models.BooleanField(
        default=False, help_text="the email about its stop was not sent to the owner yet"
    )
    notice_attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "owner", "stream", "url", "format", "kinds", "secret", "previous_secret",
            "previous_until", "stopped", "failing_since", "queued", "notice_due",
            "notice_attempts", "created_at",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        indexes = [
            models.Index(fields=["stream"]),
            models.Index(fields=["id"], name="webhook_notice", condition=Q(notice_due=True)),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.stream}"


class WebhookDelivery(models.Model):
    """One entry of the feed, or a ping, that is to be sent to a webhook, or was sent.

    `sequence` is that of the journal line, or its key in a feed of many streams; null for a ping.
    An attempt is counted before it begins and sets `next_attempt_at` to the time at which it counts
    as lost. The other columns describe the last attempt: `status` is null if there was no response,
    `problem` says why it failed.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("to be sent")
        DELIVERED = "delivered", _("delivered")
        GIVEN_UP = "given_up", _("given up")
        WITHDRAWN = "withdrawn", _("no longer public")
        """The content of the entry is not public any more, so nothing is sent."""

    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    sequence = models.PositiveBigIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=48)
    state = models.CharField(max_length=9, choices=State, default=State.PENDING)
    is_replay = models.BooleanField(default=False, help_text="requested: it has one attempt")
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True, blank=True, default=timezone.now)
    attempted_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    problem = TextsField(default=str, blank=True)
    excerpt = models.CharField(max_length=500, blank=True, help_text="of the response")
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "webhook", "sequence", "kind", "state", "is_replay", "attempts",
            "next_attempt_at", "attempted_at", "status", "problem", "excerpt", "created_at",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint("webhook", "sequence", name="one_delivery_a_line"),
        ]
        indexes = [
            models.Index(fields=["webhook", "id"], name="webhook_log"),
            models.Index(
                fields=["webhook", "sequence"], name="webhook_due", condition=Q(state="pending")
            ),
        ]
        verbose_name_plural = "webhook deliveries"

    def __str__(self) -> str:
        return f"{self.kind} {self.sequence or ''} to {self.webhook}"
