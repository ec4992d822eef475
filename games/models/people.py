"""Accounts with their tokens and roles; players, claims to be one, and merges of two."""

import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Self

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models, transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from games.models.addresses import normal_address, same_address
from games.models.columns import Columns, Dated, Journalled, hyphenated
from games.models.fields import FoldedField, SkeletonField

if TYPE_CHECKING:
    from games.models.oauth import App


class Accounts(BaseUserManager["Account"]):
    """Creates accounts, whose user name is the email address."""

    def get_by_natural_key(self, username: str | None) -> "Account":
        """Return the account with an address, in whatever form it is written."""
        return self.get(email=same_address(username or ""))

    def create_user(
        self, email: str | None = None, password: str | None = None, **fields: Any
    ) -> "Account":
        """Create an account whose address is known to be right, and counts as confirmed.

        Without an email, only a token can log in to it. Raises ValidationError for what is none.
        """
        account = self.model(email=normal_address(email) if email else None, **fields)
        account.set_password(password)
        with transaction.atomic():
            account.save()
            if account.email:
                EmailAddress.objects.create(
                    user=account, email=account.email, verified=True, primary=True
                )
        return account

    def create_superuser(self, email: str, password: str, **fields: Any) -> "Account":
        """Create an account with all permissions."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class Account(AbstractBaseUser, PermissionsMixin):
    email = models.EmailField(unique=True, null=True, blank=True)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    logouts = models.PositiveIntegerField(
        default=0, help_text="how often all sessions were ended; part of what a session proves"
    )

    language = models.CharField(
        max_length=8, blank=True, help_text="of emails: that of the last login on a page"
    )

    columns = Columns(
        journalled=("is_staff",),
        derived=(),
        technical=(
            "id", "password", "last_login", "is_superuser", "email", "name", "is_active",
            "created_at", "logouts", "language",
        ),
        personal=("email", "name"),
    )  # fmt: skip

    USERNAME_FIELD = "email"
    objects: ClassVar[Accounts] = Accounts()

    class Meta:
        constraints = [  # so that `unique` is without case
            models.CheckConstraint(condition=Q(email=Lower("email")), name="email_in_small_letters")
        ]

    def __str__(self) -> str:
        return self.name or self.email or f"account {self.pk}"

    @cached_property
    def has_second_factor(self) -> bool:
        """Return True if a password alone does not log in: there is an app or a passkey."""
        return bool(is_mfa_enabled(self))

    @property
    def has_confirmed_address(self) -> bool:
        """Return True if the person has followed the link of a message, or staff knows them."""
        return EmailAddress.objects.filter(user=self, verified=True).exists()

    @property
    def acts_as_staff(self) -> bool:
        """Return True for site staff, who need a second factor to do what only they may."""
        return self.is_staff and self.has_second_factor

    @property
    def is_erased(self) -> bool:
        """Return True if there is nothing left that names the person."""
        return not (self.name or self.email)

    def get_session_auth_hash(self) -> str:
        """Return what a session must have: it differs after a new password, and a logout of all."""
        return self.session_hash(settings.SECRET_KEY)

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield what a session may have that began under an earlier key of the service."""
        return map(self.session_hash, settings.SECRET_KEY_FALLBACKS)

    def session_hash(self, secret: str) -> str:
        """Return what a session has that began under this key."""
        value = f"{self.password}/{self.logouts}"
        salt = "games.accounts.session"
        return salted_hmac(salt, value, secret=secret, algorithm="sha256").hexdigest()


class Token(AbstractAuthToken):
    """A bearer token of an account, limited to its scopes and, if set, to one stream."""

    class Preconditions(models.TextChoices):
        """Whether directors' writes with this token need `If-Match`."""

        REQUIRED = "required", _("needed for the writes of directors")
        OPTIONAL = "optional", _("not needed")

    name = models.CharField(max_length=80, blank=True)
    preconditions = models.CharField(
        max_length=8, choices=Preconditions, default=Preconditions.REQUIRED
    )
    scopes = models.JSONField(default=list)
    stream = models.CharField(max_length=120, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    issued_by = models.ForeignKey(
        Account, null=True, on_delete=models.SET_NULL, related_name="tokens_issued"
    )

    app: "App | None" = None
    """The app whose access token this is; such a token is read from a row of another table."""

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "digest", "token_key", "user", "created", "expiry", "name", "preconditions", "scopes",
            "stream", "last_used_at", "issued_by",
        ),
        personal=(),
    )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.token_key}… ({self.name or 'unnamed'})"

    @property
    def issued_by_other(self) -> bool:
        """Return True if somebody else, such as a director, issued the token and may know it."""
        return self.issued_by_id != self.user_id


class Roles(models.QuerySet["Role"]):
    def usable(self) -> Self:
        """Leave out those for which the account lacks the second factor that they need."""
        factors = Authenticator.objects.filter(user=OuterRef("account"))
        needing = Q(second_factor=True, role__in=[Role.Name.OWNER, Role.Name.DIRECTOR])
        return self.exclude(needing & ~Exists(factors))


class Role(Journalled):
    """A role of an account in a stream; playing in its games is not a role."""

    class Name(models.TextChoices):
        OWNER = "owner", _("owner")
        DIRECTOR = "director", _("director")
        SCORER = "scorer", _("scorer")
        RATING_OFFICER = "rating_officer", _("rating officer")

    stream = models.CharField(max_length=120)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="roles")
    role = models.CharField(max_length=16, choices=Name)
    second_factor = models.BooleanField(
        default=False, help_text="the account needs one to act as a director of this stream"
    )

    columns = Columns(
        journalled=("account", "role", "second_factor"),
        derived=(),
        technical=("id", "stream"),
        personal=(),
        key=("account", "role"),
        former={"role": hyphenated(Name.RATING_OFFICER)},
    )
    objects = Roles.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint("stream", "account", "role", name="role_once")]

    def __str__(self) -> str:
        return f"{self.account}: {self.role} of {self.stream}"


def new_key() -> str:
    """Return a random key of a player."""
    return secrets.token_hex(8)


class Player(Dated):
    """A person who plays, with or without an account.

    `key` names the person in journals, also in other installations.
    """

    class Sex(models.TextChoices):
        """The codes of FIDE."""

        MALE = "m", _("male")
        FEMALE = "w", _("female")

    key = models.CharField(max_length=16, unique=True, editable=False, default=new_key)
    name = models.CharField(max_length=120)
    folded_name = FoldedField(source="name")
    skeleton = SkeletonField(source="name")
    country = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=120, blank=True)
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True, help_text="only the year")
    sex = models.CharField(max_length=1, choices=Sex, blank=True)
    seed_rating = models.PositiveIntegerField(null=True, blank=True, help_text="whole points")
    seed_by = models.ForeignKey(
        Account,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="who stated the seed rating last; null: the installation",
    )
    seed_games = models.PositiveIntegerField(
        default=0, help_text="the rated games that led to the seed rating: they lower K"
    )
    seed_reached_2400 = models.BooleanField(
        default=False, help_text="the seed rating was 2400 at any time: FIDE's K"
    )
    external_ids = models.JSONField(default=dict, blank=True)
    account = models.OneToOneField(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="player"
    )
    registered_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    registered_in = models.CharField(
        max_length=120, blank=True, help_text="the stream of the event or the pool, if any"
    )
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged"
    )
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(
            "key", "name", "country", "club", "birth_year", "sex", "seed_rating", "seed_by",
            "seed_games", "seed_reached_2400", "external_ids", "account", "registered_by",
            "registered_in", "merged_into", "created_at",
        ),
        derived=("folded_name", "skeleton"),
        technical=("id", "updated_at"),
        personal=(
            "name", "folded_name", "skeleton", "country", "club", "birth_year", "sex",
            "external_ids",
            "account",
        ),
        key=("key",),
    )  # fmt: skip

    class Meta:
        indexes = [models.Index(fields=["folded_name", "id"]), models.Index(fields=["skeleton"])]

    def __str__(self) -> str:
        return self.name

    @property
    def current(self) -> "Player":
        """Return the player that this registration was merged into, or this one."""
        return self.merged_into or self

    @property
    def current_id(self) -> int:
        """Return the id of the player that this registration was merged into, or its own."""
        return self.merged_into_id or self.pk

    def registration_ids(self) -> list[int]:
        """Return the ids that rows name the player by: its own, and those merged into it."""
        return [self.pk, *self.merged.values_list("pk", flat=True)]

    @property
    def hidden_as(self) -> str:
        """Return what a hidden name is about if it is that of this player."""
        return f"player/{self.key}"

    @property
    def is_claimed(self) -> bool:
        """Return True if the player has a login; an account with only personal tokens is none."""
        return self.account is not None and self.account.email is not None


class Claim(Journalled):
    """An account states that it is a player; a custodian of the registration decides.

    `agreed` has who agreed so far: `CUSTODIAN`, and the streams of events.
    """

    CUSTODIAN = "custodian"

    class State(models.TextChoices):
        OPEN = "open", _("not decided yet")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="claims")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    agreed = models.JSONField(default=list, blank=True)
    reason = models.CharField(max_length=240, blank=True, help_text="of the decision")
    decided_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(
            "player", "account", "state", "agreed", "reason", "decided_by", "decided_at",
            "created_at",
        ),
        derived=(),
        technical=("id",),
        personal=("reason",),
        key=("player", "account", "created_at"),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "account"], condition=Q(state="open"), name="one_open_claim"
            )
        ]

    def __str__(self) -> str:
        return f"{self.account} is {self.player}: {self.state}"


class HiddenName(Journalled):
    """The site's staff hides a smear: the name of a player, or an event with its games.

    `about` is `player/` with the player's key, or the stream of the event.
    """

    about = models.CharField(max_length=120, unique=True)
    hidden_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=("about", "hidden_at"),
        derived=(),
        technical=("id",),
        personal=(),
        key=("about",),
    )

    def __str__(self) -> str:
        return self.about


class Merge(Journalled):
    """The registration `merged` is the same person as `keep`, until the merge is undone.

    Rows of games and events are not changed: they refer to `merged`, whose `merged_into` says who
    that is. What the merge changed beside it is stored here, for its inverse.
    """

    keep = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges_kept")
    merged = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges")
    followed = models.JSONField(
        default=list, help_text="ids of players merged into `merged` before, who follow"
    )
    schemes = models.JSONField(default=list, help_text="external ids that `keep` gained")
    has_moved_account = models.BooleanField(default=False)
    by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)

    columns = Columns(
        journalled=(
            "keep", "merged", "followed", "schemes", "has_moved_account", "by", "created_at",
            "undone_at",
        ),
        derived=(),
        technical=("id",),
        personal=(),
        key=("merged", "created_at"),
    )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.merged_id} into {self.keep_id}"
