"""Versions of the table of handicaps, and their rows."""

from django.db import models
from django.utils import timezone

from games.models import Account
from games.models.columns import Columns, Journalled


class TableVersion(Journalled):
    """A version of the table of handicaps; its rows never change.

    The versions `v1` and `v2` have no rows: ratings/systems/handicap.py contains them, and what
    the models mean.
    """

    version = models.CharField(max_length=12, unique=True)
    model = models.CharField(max_length=8)
    reason = models.CharField(max_length=240)
    by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=("version", "model", "reason", "by", "created_at"),
        derived=(),
        technical=("id",),
        personal=(),
        key=("version",),
    )

    def __str__(self) -> str:
        return self.version


class TableRow(Journalled):
    """The values of a version in one game and on one board, as its model reads them."""

    version = models.ForeignKey(TableVersion, on_delete=models.PROTECT, related_name="rows")
    game = models.CharField(max_length=32)
    board = models.CharField(max_length=12)
    first_move = models.IntegerField()
    first_stone = models.PositiveIntegerField()
    further_stone = models.PositiveIntegerField()
    point = models.PositiveIntegerField()

    columns = Columns(
        journalled=(
            "version", "game", "board", "first_move", "first_stone", "further_stone", "point",
        ),
        derived=(),
        technical=("id",),
        personal=(),
        key=("version", "game", "board"),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint("version", "game", "board", name="row_once_a_version")
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.game} on {self.board}"
