"""Live records: the turns of games that are being played."""

from django.db import models
from django.utils import timezone

from games.models.columns import Columns
from games.models.games import Game
from games.models.people import Account


class LiveRecord(models.Model):
    """The record of a game while it is kept at the board; its end becomes a report.

    It proves nothing, so the journal does not contain it; it is deleted when the game is settled.
    `turns` are pairs of a turn, as a record writes it, and the time at which it was entered, in
    ISO 8601. `version` counts all changes, also a turn that is taken back. `seat` is that of the
    player who keeps the record; empty for an official.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="live")
    kept_by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    seat = models.CharField(max_length=6, blank=True)
    turns = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    is_over = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    turn_since = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "game", "kept_by", "seat", "turns", "version", "is_over", "started_at",
            "turn_since",
        ),
        personal=(),
    )  # fmt: skip

    def __str__(self) -> str:
        return f"live record of game {self.game_id}"

    @property
    def moves(self) -> list[str]:
        """Return the turns as a record writes them."""
        return [turn for turn, _ in self.turns]
