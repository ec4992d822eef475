"""Forecasts: how a running event can end, which a task computes for one state of the event."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.columns import Columns
from games.models.fields import TextsField
from tournament.models.events import Tournament


class Forecast(models.Model):
    """The simulations of one state of an event, which `digest` identifies.

    It is due until it is finished. `tally` is what the first `done` of the `simulations` gave
    (tournament/simulation/tally.py); the digest is also the seed, so it is the same however the
    simulations were divided into steps. `problem` says why the event cannot be simulated.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="forecasts")
    digest = models.CharField(max_length=71)
    simulations = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    tally = models.JSONField(null=True, blank=True)
    problem = TextsField(default=str, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="since the last step")
    requested_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "tournament", "digest", "simulations", "done", "tally", "problem", "attempts",
            "requested_at", "finished_at",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", "digest", name="one_forecast_a_state"),
            models.CheckConstraint(
                condition=Q(done__lte=models.F("simulations")), name="as_many_simulations"
            ),
        ]

    def __str__(self) -> str:
        return f"forecast {self.pk} of {self.tournament}"
