"""Live records: the turns of games that are being played."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.columns import Columns
from games.models.games import Game
from games.models.people import Account


class LiveRecordQuerySet(models.QuerySet["LiveRecord"]):
    def end(self) -> None:
        """Delete records; the versions of the next ones of their games go on from theirs."""
        for live in self:
            Game.objects.filter(pk=live.game_id).update(live_version=live.own_version)
        self.delete()


class LiveRecord(models.Model):
    """The record of a game while it is played; its end becomes a report, or both reports.

    One that is kept is entered by one device at the board, one that is played by each side.

    It proves nothing, so the journal does not contain it; it is deleted when the record of the game
    has its turns.
    `turns` are pairs of a turn, as a record writes it, and the time at which it was entered, in
    ISO 8601. `version` counts changes of the turns, also one that is taken back. It goes on from
    that of an earlier record of the game which was given up, so none of its values means two
    contents. `seat` is that of the player who keeps the record; empty for an official, and for one
    that is played. `proposal` is the result that a side offers, with its seat, whether it is
    declined, and how many offers and answers there were since the last turn; `linked` are the seats
    whose turns came by a link that the organiser can use; `told_at` is when the side to move was
    notified, null if not yet.
    """

    class Way(models.TextChoices):
        KEPT = "kept", _("kept at the board")
        PLAYED = "played", _("played here")

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="live")
    way = models.CharField(max_length=6, choices=Way, default=Way.KEPT)
    kept_by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    seat = models.CharField(max_length=6, blank=True)
    turns = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    is_over = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    turn_since = models.DateTimeField(default=timezone.now)
    proposal = models.JSONField(null=True, blank=True)
    linked = models.JSONField(default=list, blank=True)
    told_at = models.DateTimeField(null=True, blank=True)

    objects = LiveRecordQuerySet.as_manager()

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "game", "way", "kept_by", "seat", "turns", "version", "is_over", "started_at",
            "turn_since", "proposal", "linked", "told_at",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        indexes = [
            models.Index(
                fields=["turn_since"],
                name="turn_to_tell",
                condition=Q(way="played", is_over=False, told_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"live record of game {self.game_id}"

    @property
    def own_version(self) -> int:
        """Return what counts all changes that the players see, offers among them."""
        changes: int = (self.proposal or {}).get("changes", 0)
        return self.version + changes

    @property
    def offer(self) -> dict[str, str]:
        """Return the offer that is not answered, with its seat; empty without one."""
        found = self.proposal or {}
        return (
            {} if found.get("declined") else {n: found[n] for n in ("seat", "result") if n in found}
        )

    @property
    def moves(self) -> list[str]:
        """Return the turns as a record writes them."""
        return [turn for turn, _ in self.turns]
