"""Runs, the changes that they computed, and the current ratings."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models import Game, Player
from games.models.columns import Columns, Journalled
from ratings.models.batches import Batch
from ratings.models.pools import Pool

IN_CURRENT_RUN = Q(run=F("batch__run"))
"""Changes by the last run that rated their batch."""

RATED_ORDER = ("batch__effective_at", "batch__order_key", "batch_id", "game_id", "seat")
"""The order of changes as games are rated, `first` before `second` in each."""


class Run(Journalled):
    """A computation of a pool's ratings from `from_batch` on; the parent run covers those before.

    `input_digest` is that of the last batch, `changes_digest` that of its changes, and
    `ratings_digest` that of the ratings after it, replaced since or not. `unrated` are the players
    with games who have no rating after them, which FIDE's system knows: by id, the time of their
    last batch and the values of their state.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="runs", db_index=False)
    number = models.PositiveIntegerField()
    engine_version = models.PositiveSmallIntegerField()
    parameter_digest = models.CharField(max_length=64)
    input_digest = models.CharField(max_length=64, blank=True)
    changes_digest = models.CharField(max_length=64, blank=True)
    ratings_digest = models.CharField(max_length=64, blank=True)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    from_batch = models.ForeignKey(
        Batch, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    made_current_at = models.DateTimeField(null=True, blank=True)
    unrated = models.JSONField(default=dict, blank=True)

    columns = Columns(
        journalled=(
            "number", "engine_version", "parameter_digest", "input_digest", "changes_digest",
            "ratings_digest", "parent", "from_batch", "created_at", "made_current_at",
        ),
        derived=("unrated",),
        technical=("id", "pool"),
        personal=(),
        key=("number",),
    )  # fmt: skip

    class Meta:
        constraints = [models.UniqueConstraint("pool", "number", name="run_number")]
        indexes = [
            models.Index("pool", name="run_unfinished", condition=Q(made_current_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"run {self.number} of {self.pool}"


class Change(models.Model):
    """How one game changed one player's rating in one run; `share` is exact, in 10^-9 points.

    The key is the only index, because each further one takes as long as the rows: name the run and
    the batch to find the changes of a game. A run determines its pool, and a game is in one batch
    of a pool.
    """

    pk = models.CompositePrimaryKey("run_id", "batch_id", "game_id", "seat")
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="+", db_index=False)
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+", db_index=False)
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="+", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    opponent = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    seat = models.CharField(max_length=6)
    before = models.IntegerField()
    opponent_before = models.IntegerField()
    handicap_part = models.IntegerField()
    expected = models.IntegerField()
    k = models.IntegerField()
    score = models.IntegerField()
    share = models.BigIntegerField()
    after = models.IntegerField()

    columns = Columns(
        journalled=(),
        derived=(
            "run", "batch", "game", "player", "opponent", "seat", "before", "opponent_before",
            "handicap_part", "expected", "k", "score", "share", "after",
        ),
        technical=("pool",),
        personal=(),
    )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.player_id}: {self.before} to {self.after} by game {self.game_id}"


class Rating(models.Model):
    """A player's rating after the current run.

    `state` has the values of the state in FIDE's system; in others, rating and games are all.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+", db_index=False)
    rating = models.IntegerField()
    games = models.PositiveIntegerField()
    last_game_at = models.DateTimeField()
    state = models.JSONField(null=True, blank=True)

    columns = Columns(
        journalled=(),
        derived=("player", "run", "rating", "games", "last_game_at", "state"),
        technical=("id", "pool"),
        personal=(),
    )

    class Meta:
        constraints = [models.UniqueConstraint("pool", "player", name="one_rating_a_pool")]
        indexes = [models.Index("pool", F("rating").desc(), "player", name="rating_place")]

    def __str__(self) -> str:
        return f"{self.player}: {self.rating}"


class RunRating(models.Model):
    """The rating of a player after a run that rated games of theirs, or removed all of them.

    The rating of a player after any run is that of the last of these rows up to it; `rating` is
    null if no game is left.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="+", db_index=False)
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    rating = models.IntegerField(null=True, blank=True)
    games = models.PositiveIntegerField(default=0)

    columns = Columns(
        journalled=(),
        derived=("run", "player", "rating", "games"),
        technical=("id", "pool"),
        personal=(),
    )

    class Meta:
        constraints = [models.UniqueConstraint("pool", "run", "player", name="rating_once_a_run")]
        indexes = [models.Index(fields=["pool", "player", "run"], name="run_ratings_of_player")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.rating} after {self.run}"
