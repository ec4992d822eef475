"""Messages by email: with a link to take a role, about a game, and those of the account pages."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.columns import Columns
from games.models.people import Account, Role


class EmailLink(models.Model):
    """A link for one address; it is due until it is sent, and works once until it expires.

    A message about the proposal of a game, its acceptance, a turn in it or its end is one as well;
    its stream is that of the game, and it has no use but to be sent.

    The token in the message is a signature of the row's id and of `sends`, so no secret is stored,
    and a later message replaces an earlier one.
    """

    class Kind(models.TextChoices):
        """What a message is about, with its subject."""

        INVITATION = "invitation", _("Invitation to an event")
        PROPOSAL = "proposal", _("Proposal of a game")
        ACCEPTANCE = "acceptance", _("Your proposal of a game was accepted")
        BEGUN = "begun", _("Your proposed game has begun")
        TURN = "turn", _("It is your turn")
        ENDED = "ended", _("Your game has ended")
        APPLICATION = "application", _("Confirm your application")

    kind = models.CharField(max_length=12, choices=Kind)
    email = models.EmailField()
    name = models.CharField(max_length=120, blank=True)
    stream = models.CharField(max_length=120, blank=True, help_text="of an invitation or a game")
    role = models.CharField(max_length=16, choices=Role.Name, blank=True)
    content = models.JSONField(
        default=dict,
        blank=True,
        help_text="of an application that is not confirmed, or of a message",
    )
    by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    language = models.CharField(max_length=8, blank=True, help_text="of the message")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    sends = models.PositiveSmallIntegerField(default=1, help_text="messages requested so far")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="to send the last message")
    sent_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "kind", "email", "name", "stream", "role", "content", "by", "language",
            "created_at", "expires_at", "sends", "attempts", "sent_at", "used_at", "revoked_at",
        ),
        personal=("email", "name", "content"),
    )  # fmt: skip

    class Meta:
        indexes = [
            models.Index(fields=["email", "kind"]),
            models.Index(fields=["stream", "id"]),
            models.Index(
                fields=["created_at"], name="email_due", condition=Q(sent_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} link {self.pk}"


class MailRefusal(models.Model):
    """An address that wants no messages which others send, by its digest.

    games/core/accounts/refusals.py computes the digest.
    """

    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(), derived=(), technical=("id", "digest", "created_at"), personal=()
    )

    def __str__(self) -> str:
        return self.digest[:8]


class Message(models.Model):
    """A message of the account pages, which is due until it is sent, and is deleted then.

    `is_wanted` is false for a message that nobody gets, as to an address without an account: it is
    stored and deleted like any other, so that the time of a response says nothing.
    """

    email = models.EmailField()
    subject = models.CharField(max_length=200)
    text = models.TextField()
    is_wanted = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=("id", "email", "subject", "text", "is_wanted", "created_at", "attempts"),
        personal=("email", "subject", "text"),
    )

    def __str__(self) -> str:
        return f"message {self.pk}"
