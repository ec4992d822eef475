"""Published rating lists: the ratings of a day, which later runs do not change."""

from django.db import models
from django.db.models import F
from django.utils import timezone

from games.models import Player
from games.models.columns import Columns, Journalled
from ratings.models.pools import Pool
from ratings.models.runs import Run
from ratings.systems.presets import USUAL_SPREAD


class PublishedList(Journalled):
    """The rating list of a pool as it was published on a day, after the run that was current then.

    It has a copy of the parameters and the spread of the pool, which its intervals depend on, and
    the number of its players.
    """

    pool = models.ForeignKey(
        Pool, on_delete=models.PROTECT, related_name="published_lists", db_index=False
    )
    published_on = models.DateField()
    published_at = models.DateTimeField(default=timezone.now)
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+", db_index=False)
    preset = models.CharField(max_length=24)
    parameters = models.JSONField(default=dict)
    spread = models.PositiveSmallIntegerField(default=USUAL_SPREAD)
    players = models.PositiveIntegerField(default=0)
    ratings_digest = models.CharField(max_length=64, blank=True)

    columns = Columns(
        journalled=(
            "published_on", "published_at", "run", "preset", "parameters", "spread",
            "players", "ratings_digest",
        ),
        derived=(),
        technical=("id", "pool"),
        personal=(),
        key=("published_on",),
    )  # fmt: skip

    class Meta:
        constraints = [models.UniqueConstraint("pool", "published_on", name="one_list_a_day")]

    def __str__(self) -> str:
        return f"{self.pool}, {self.published_on}"


class ListedRating(models.Model):
    """A player's rating on a published list; the name is that of the player today.

    `start` is the rating before the first rated game, null for a player who had none, `least` and
    `most` the numbers of games that were rated together, in tenths: later runs change these, and
    the interval depends on them. Without them, the list is of a version that took the seed of today
    as the start, and games one at a time.
    """

    published_list = models.ForeignKey(
        PublishedList, on_delete=models.PROTECT, related_name="ratings", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    rank = models.PositiveIntegerField()
    rating = models.IntegerField()
    games = models.PositiveIntegerField()
    last_game_at = models.DateTimeField()
    start = models.IntegerField(null=True, blank=True)
    least = models.PositiveIntegerField(null=True, blank=True)
    most = models.PositiveIntegerField(null=True, blank=True)

    columns = Columns(
        journalled=(),
        derived=("player", "rank", "rating", "games", "last_game_at", "start", "least", "most"),
        technical=("id", "published_list"),
        personal=(),
    )

    class Meta:
        constraints = [
            models.UniqueConstraint("published_list", "player", name="listed_once"),
        ]
        indexes = [
            models.Index(
                "published_list", F("rating").desc(), "player", name="place_on_published_list"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.rating} on {self.published_list}"
