"""Merges of two registrations of one person."""

from django.db import models
from django.utils import timezone

from games.models.columns import Columns
from games.models.journalled import Journalled
from games.models.people import Account, Player


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
            "keep", "merged", "followed", "schemes", "has_moved_account", "created_at", "undone_at",
        ),
        derived=(),
        technical=("id", "by"),
        personal=(),
        key=("merged", "created_at"),
    )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.merged_id} into {self.keep_id}"
