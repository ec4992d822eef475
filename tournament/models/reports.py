"""Reports of names that insult or threaten somebody, for the site's staff."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models import Account, Player
from games.models.columns import Columns
from tournament.models.events import Tournament


class NameReport(models.Model):
    """An account reports the name or the club of a player, or the name of an event."""

    player = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, related_name="name_reports"
    )
    tournament = models.ForeignKey(
        Tournament, null=True, on_delete=models.CASCADE, related_name="name_reports"
    )
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="name_reports")
    reason = models.CharField(max_length=240)
    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(
        null=True, help_text="when staff has hidden the name or left it; null: it waits"
    )

    columns = Columns(
        journalled=(),
        derived=(),
        technical=("id", "player", "tournament", "account", "reason", "created_at", "decided_at"),
        personal=(),
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", about], condition=Q(decided_at=None), name=f"one_{about}_report"
            )
            for about in ("player", "tournament")
        ]

    def __str__(self) -> str:
        return f"{self.player or self.tournament}: {self.reason}"
