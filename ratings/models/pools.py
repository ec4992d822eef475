"""Pools, and the decisions of their officers."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Account
from games.models.columns import Columns, Journalled
from games.models.streams import POOL_STREAM
from ratings.systems.presets import DEFAULT, USUAL_SPREAD


class Pool(Journalled):
    """A rating scale: ratings are comparable within a pool, not between pools.

    `verified_at` is when the ratings were last recomputed and compared with the stored ones,
    `differences` the sentences about what differed. `compared_at` is when all filed games were last
    compared with the games as they are, `compared_line` the journal line up to which nothing is
    looked at again until the next time. `spread` is how far the strengths are apart by the current
    run, in points, which the intervals of ratings depend on.
    """

    class Policy(models.TextChoices):
        """Whose events are filed: all, those that an officer approves, those of officers."""

        OPEN = "open", _("all events")
        APPROVED = "approved", _("approved events")
        CLOSED = "closed", _("events that an officer files")

    code = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=120)
    preset = models.CharField(max_length=24, default=DEFAULT.value)
    parameters = models.JSONField(default=dict, blank=True)
    handicap_table = models.CharField(max_length=12, default="v2")
    casual_games = models.JSONField(
        default=list, blank=True, help_text="codes of the games rated outside events"
    )
    policy = models.CharField(max_length=8, choices=Policy, default=Policy.APPROVED)
    rated_games = models.JSONField(
        default=dict,
        blank=True,
        help_text="the boards of each game that is rated; no boards: all, empty: all games",
    )
    time_classes = models.JSONField(
        default=list, blank=True, help_text="of the games that are rated; empty: all games"
    )
    least_expected = models.PositiveSmallIntegerField(
        default=5, help_text="games with a smaller expected score, in percent, are not rated"
    )
    current_run = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    verified_at = models.DateTimeField(null=True, blank=True)
    differences = models.JSONField(default=list, blank=True)
    compared_at = models.DateTimeField(null=True, blank=True)
    compared_line = models.PositiveBigIntegerField(default=0)
    spread = models.PositiveSmallIntegerField(default=USUAL_SPREAD)

    columns = Columns(
        journalled=(
            "code", "name", "preset", "parameters", "handicap_table", "casual_games", "policy",
            "rated_games", "time_classes", "least_expected", "current_run", "spread",
        ),
        derived=(),
        technical=(
            "id", "created_at", "verified_at", "differences", "compared_at", "compared_line",
        ),
        personal=(),
        key=("code",),
    )  # fmt: skip

    def __str__(self) -> str:
        return self.name

    @property
    def stream(self) -> str:
        """Return the stream of its journal and its roles."""
        return f"{POOL_STREAM}{self.code}"


class Decision(Journalled):
    """What the officers of a pool last decided about an event, or about an organiser's events.

    A decision about an event takes precedence over one about its organiser.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="decisions")
    stream = models.CharField(max_length=120, blank=True, help_text="the event's")
    organiser = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    approved = models.BooleanField()
    reason = models.CharField(max_length=240, blank=True)
    covers = models.JSONField(
        default=dict, blank=True, help_text="the event as it was approved; empty: in any form"
    )
    by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=("stream", "organiser", "approved", "reason", "covers", "by", "decided_at"),
        derived=(),
        technical=("id", "pool"),
        personal=(),
        key=("stream", "organiser"),
        later=("covers",),
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "stream"], condition=~Q(stream=""), name="decision_about_event"
            ),
            models.UniqueConstraint("pool", "organiser", name="decision_about_organiser"),
            models.CheckConstraint(
                condition=Q(stream="", organiser__isnull=False)
                | (~Q(stream="") & Q(organiser__isnull=True)),
                name="about_event_or_organiser",
            ),
        ]

    def __str__(self) -> str:
        decision = "approved" if self.approved else "refused"
        return f"{self.stream or self.organiser}: {decision} in {self.pool}"
