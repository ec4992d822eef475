"""Plans of events: formats that an account compares by simulations, which a task computes."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models import Account
from games.models.columns import Columns
from tournament.models.events import Tournament


class Plan(models.Model):
    """A comparison of formats; due until it is finished, with all simulations or given up.

    `simulated` is the digest of what is simulated, `digest` that of the whole request, which also
    has the length of a round and the aim. `done` simulations of each format are in the `totals`, of
    which there is one for each format.
    """

    by = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    tournament = models.ForeignKey(
        Tournament,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="the event whose entries it has",
    )
    digest = models.CharField(max_length=64)
    simulated = models.CharField(max_length=64)
    request = models.JSONField()
    done = models.PositiveIntegerField(default=0)
    totals = models.JSONField(default=list, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    has_failed = models.BooleanField(default=False)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "by", "tournament", "digest", "simulated", "request", "done", "totals",
            "attempts", "created_at", "finished_at", "has_failed",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint("by", "digest", name="planned_once"),
            models.CheckConstraint(
                name="failed_plan_is_finished",
                condition=Q(has_failed=False) | Q(finished_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["simulated"], name="same_simulations"),
            models.Index(fields=["created_at"], name="old_plans"),
        ]

    def __str__(self) -> str:
        return f"plan {self.pk}"
