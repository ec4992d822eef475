"""Analyses of the games of a pool, which officers request and a task computes."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Account
from games.models.columns import Columns
from games.models.fields import TextsField
from ratings.models.pools import Pool


class Analysis(models.Model):
    """An analysis of the rated games of a pool, for its officers; it changes nothing.

    It is due until it is finished, with a result or a problem. A pool has at most one unfinished
    analysis of each kind.
    """

    class Kind(models.TextChoices):
        """What is computed: the values of handicaps, or improbable results."""

        CALIBRATION = "calibration", _("Calibration of the handicaps")
        FAIR_PLAY = "fair_play", _("Review of the results")

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=12, choices=Kind)
    parameters = models.JSONField(default=dict, blank=True)
    by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    problem = TextsField(null=True, blank=True)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "pool", "kind", "parameters", "by", "created_at", "attempts", "finished_at",
            "result", "problem",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "kind"],
                condition=Q(finished_at__isnull=True),
                name="one_unfinished_analysis",
            ),
            models.CheckConstraint(
                name="analysis_with_one_outcome",
                condition=Q(finished_at__isnull=True, result__isnull=True, problem__isnull=True)
                | Q(finished_at__isnull=False, result__isnull=False, problem__isnull=True)
                | Q(finished_at__isnull=False, result__isnull=True, problem__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["pool", "id"], name="analyses_of_pool")]
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"{self.kind} of {self.pool}"
