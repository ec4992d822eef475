"""Who plays, what was reported of a game, what stands, and the journal that tells it all.

`stream` is the text under which an event, a pool or a casual game keeps its journal
(`tournament/spring-open`, `pool/star`, `game/17`); roles are held in a stream. The apps above
write these texts, so that nothing here needs to know them.
"""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q
from django.utils import timezone
from knox.models import AbstractAuthToken


class Accounts(BaseUserManager["Account"]):
    """How accounts come to be; Django asks for a manager of its own when the name is an e-mail."""

    def create_user(
        self, email: str | None = None, password: str | None = None, **fields: Any
    ) -> "Account":
        """A login; without an e-mail a personal account that only tokens can open."""
        account = self.model(email=self.normalize_email(email) or None, **fields)
        account.set_password(password)
        account.save(using=self._db)
        return account

    def create_superuser(self, email: str, password: str, **fields: Any) -> "Account":
        """A login that may do everything."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class Account(AbstractBaseUser, PermissionsMixin):
    email = models.EmailField(unique=True, null=True, blank=True)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    USERNAME_FIELD = "email"
    objects: ClassVar[Accounts] = Accounts()

    def __str__(self) -> str:
        return self.name or self.email or f"account {self.pk}"


class Token(AbstractAuthToken):
    """A bearer's right to act for an account: within its scopes and, if set, within one stream."""

    name = models.CharField(max_length=80, blank=True)
    scopes = models.JSONField(default=list)
    stream = models.CharField(max_length=120, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    issued_by = models.ForeignKey(
        Account, null=True, on_delete=models.SET_NULL, related_name="tokens_issued"
    )

    def __str__(self) -> str:
        return f"{self.token_key}… ({self.name or 'unnamed'})"


class Role(models.Model):
    """What an account is in a stream, beside being a player of its games."""

    class Name(models.TextChoices):
        OWNER = "owner"
        DIRECTOR = "director"
        SCORER = "scorer"
        RATING_OFFICER = "rating-officer"

    stream = models.CharField(max_length=120)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="roles")
    role = models.CharField(max_length=16, choices=Name)

    class Meta:
        constraints = [models.UniqueConstraint("stream", "account", "role", name="role_once")]

    def __str__(self) -> str:
        return f"{self.account}: {self.role} of {self.stream}"


class Player(models.Model):
    """A person who plays, with or without an account."""

    name = models.CharField(max_length=120)
    country = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=120, blank=True)
    seed_rating = models.PositiveIntegerField(null=True, blank=True, help_text="whole points")
    external_ids = models.JSONField(default=dict, blank=True)
    account = models.OneToOneField(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="player"
    )
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["name", "country"])]

    def __str__(self) -> str:
        return self.name


class Game(models.Model):
    """One game: its conditions, fixed when it was made, and the result that stands.

    Everything below `state` is written by settlement alone and can be computed again from the
    reports at any time. A score holds handicap points, as the record's result does.
    """

    class State(models.TextChoices):
        OPEN = "open"
        WAITING = "waiting"
        DISPUTED = "disputed"
        CONFIRMED = "confirmed"
        ANNULLED = "annulled"

    class Basis(models.TextChoices):
        PROOF = "proof"
        AGREEMENT = "agreement"
        RULING = "ruling"

    stream = models.CharField(max_length=120, blank=True)
    event = models.CharField(max_length=120, blank=True)
    round = models.CharField(max_length=12, blank=True)
    game = models.CharField(max_length=32)
    board = models.CharField(max_length=12)
    options = models.JSONField(default=list, blank=True)
    swap = models.BooleanField(default=True)
    handicap = models.JSONField(null=True, blank=True)
    advice = models.CharField(max_length=6, blank=True)
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_first")
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_second")
    rated = models.BooleanField(default=True)
    public = models.BooleanField(default=True)
    confirm_hours = models.PositiveSmallIntegerField(default=24)
    closed = models.BooleanField(default=False, help_text="its event is final: nothing changes")
    played_on = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    basis = models.CharField(max_length=10, choices=Basis, blank=True)
    termination = models.CharField(max_length=16, blank=True)
    winner = models.CharField(max_length=6, blank=True)
    draw = models.BooleanField(default=False)
    score_first = models.IntegerField(null=True, blank=True)
    score_second = models.IntegerField(null=True, blank=True)
    record = models.ForeignKey(
        "Report", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    dispute = models.CharField(max_length=240, blank=True)
    confirm_by = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["stream", "state"]),
            models.Index(fields=["first", "id"]),
            models.Index(fields=["second", "id"]),
            models.Index(fields=["confirm_by"], name="game_due", condition=Q(state="waiting")),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(winner__in=["", "first", "second"]), name="winner"),
            models.CheckConstraint(
                condition=Q(winner="") | Q(draw=False), name="no_winner_of_a_draw"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"

    @property
    def journal_stream(self) -> str:
        """Where this game is told of: its event's stream, or its own when it is casual."""
        return self.stream or f"game/{self.pk}"

    def seats_of(self, account: Account) -> list[str]:
        """The seats whose player holds this account: `first`, `second`."""
        holders = {"first": self.first.account_id, "second": self.second.account_id}
        return [seat for seat, holder in holders.items() if holder and holder == account.pk]


class Report(models.Model):
    """What one side, or an arbiter, said of a game. Reports are added, never changed."""

    class Kind(models.TextChoices):
        RECORD = "record"
        CLAIM = "claim"
        CONFIRMATION = "confirmation"
        DISPUTE = "dispute"
        RULING = "ruling"
        ANNULMENT = "annulment"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reports")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    seat = models.CharField(max_length=6, blank=True, help_text="empty for an arbiter's")
    by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="reports")
    record = models.TextField(blank=True, help_text="the written form, names and comments kept")
    digest = models.CharField(max_length=71, blank=True)
    outcome = models.JSONField(
        default=dict, blank=True, help_text="winner, draw, score, termination as said or proven"
    )
    confirms = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT)
    reason = models.TextField(blank=True)
    received_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("game", "version", name="report_version")]
        indexes = [
            models.Index(
                fields=["received_at"], name="report_due", condition=Q(settled_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.version} of game {self.game_id}"


class JournalHead(models.Model):
    """The end of a stream's chain; its row is the lock that puts writers in order."""

    stream = models.CharField(max_length=120, primary_key=True)
    sequence = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.stream} at {self.sequence}"


class JournalLine(models.Model):
    """One link: what happened, when, by whom, and the digest of what was told."""

    stream = models.CharField(max_length=120)
    sequence = models.PositiveBigIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)
    actor = models.CharField(max_length=80)
    at = models.DateTimeField()
    kind = models.CharField(max_length=48)
    payload_digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint("stream", "sequence", name="journal_sequence")]

    def __str__(self) -> str:
        return f"{self.stream} {self.sequence}: {self.kind}"


class JournalPayload(models.Model):
    """What a line tells, kept apart so that it can be erased without breaking the chain."""

    line = models.OneToOneField(
        JournalLine, primary_key=True, on_delete=models.CASCADE, related_name="payload"
    )
    body = models.JSONField()

    def __str__(self) -> str:
        return f"payload of {self.line_id}"
