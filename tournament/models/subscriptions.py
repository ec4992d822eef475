"""Messages of an event: who has asked for which, on which devices, and what is to be sent."""

from datetime import timedelta
from typing import Final

from django.db import models
from django.utils import timezone

from games.models import Account
from games.models.columns import Columns
from tournament.models.events import Entry, Tournament
from tournament.models.webhooks import LONGEST_ADDRESS

GATHERING: Final = timedelta(seconds=30)
"""The time for which a notice waits for what happens meanwhile."""


class Subscription(models.Model):
    """The messages of an event that an account has asked for.

    They go to the address of the account. A player without a login states one, `email`, and
    confirms it. `queued` is the number of the last line of the journal that was looked at.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="subscriptions"
    )
    kinds = models.JSONField(default=list)
    by_mail = models.BooleanField(default=True)
    email = models.EmailField(blank=True)
    is_confirmed = models.BooleanField(default=False)
    asked_at = models.DateTimeField(
        null=True, blank=True, help_text="when the address was asked to confirm"
    )
    language = models.CharField(max_length=8, blank=True)
    queued = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "account", "tournament", "kinds", "by_mail", "email", "is_confirmed", "asked_at",
            "language", "queued", "created_at",
        ),
        personal=("email",),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", "account", name="one_subscription_an_account"),
        ]

    def __str__(self) -> str:
        return f"messages of {self.tournament} to account {self.account_id}"


class PushDevice(models.Model):
    """A browser that shows the messages of a subscription, by the address of its push service.

    `key` and `secret` are those of the browser, which encrypt what only it can read (RFC 8291).
    """

    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="devices")
    url = models.CharField(max_length=LONGEST_ADDRESS)
    key = models.CharField(max_length=100)
    secret = models.CharField(max_length=40)
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=("id", "subscription", "url", "key", "secret", "created_at"),
        personal=("url",),
    )

    class Meta:
        constraints = [
            models.UniqueConstraint("subscription", "url", name="device_once_a_subscription"),
        ]

    def __str__(self) -> str:
        return f"device {self.pk} of {self.subscription}"


class Notice(models.Model):
    """A mail, or what a device shows, that is due until it is sent, and is deleted then.

    It is about the lines of the journal with the numbers `sequences`, and turns in games: `turns`
    are pairs of a game and the number of its turn; that of an `entry` is about the state of an
    application. It says what still holds when it is sent. Until its first attempt further lines
    join it. An attempt is counted before it begins, and sets `next_attempt_at` to the time at which
    it counts as lost.
    """

    subscription = models.ForeignKey(
        Subscription, null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    entry = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    device = models.ForeignKey(
        PushDevice, null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    sequences = models.JSONField(default=list)
    turns = models.JSONField(default=list)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "subscription", "entry", "device", "sequences", "turns", "attempts",
            "next_attempt_at",
            "created_at",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        indexes = [models.Index(fields=["next_attempt_at"], name="notice_due")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(subscription=None, entry__isnull=False)
                | models.Q(subscription__isnull=False, entry=None),
                name="notice_of_one",
            ),
        ]

    def __str__(self) -> str:
        return f"notice {self.pk} to {self.subscription or f'entry {self.entry_id}'}"
