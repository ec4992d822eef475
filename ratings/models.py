"""Pools of ratings, the batches filed with them, and the changes that runs computed.

Ratings are computed from the ordered batches of a pool, so only the inputs (`BatchGame` and
`Opening`) are a source of truth; runs, changes and ratings can be recomputed from them at any
time. Whether a batch is due follows from its row: `games_digest` differs from
`rated_games_digest`.

| rows | which of them are current |
|---|---|
| changes | those without `superseded_by` |
| changes, as of an earlier run | those of that run or an earlier one, superseded by none of them |
| ratings | all: the state after the current run |

Unique keys and indexes start with the pool, so that the rows of one pool are stored close
together. No key contains `effective_at`, because corrections change it. Ratings, K and handicap
parts are in milli (thousandths of a point), scores and expected scores in millionths.
"""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models import Game, Player

DUE = ~Q(games_digest=F("rated_games_digest"))
"""Batches that no run has rated in their present form."""

CURRENT = Q(superseded_by__isnull=True)
"""Changes that no later run has replaced."""


class Pool(models.Model):
    """A rating scale: ratings are comparable within a pool, not between pools."""

    code = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=120)
    preset = models.CharField(max_length=24)
    parameters = models.JSONField(default=dict, blank=True)
    handicap_table = models.CharField(max_length=12, default="v1")
    casual_games = models.JSONField(
        default=list, blank=True, help_text="codes of the games rated outside events"
    )
    current_run = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name

    @property
    def stream(self) -> str:
        """Return the stream of its journal and its roles."""
        return f"pool/{self.code}"


class Batch(models.Model):
    """Games that are rated together: those of one event, or one casual game.

    `games_digest` covers `effective_at` and the rated games, `openings_digest` the openings (empty
    without openings). `run`, `rated_effective_at`, `rated_games_digest` and `input_digest` describe
    the current rating of the batch: the run that computed it, when it took effect in that run, the
    games that were rated, and the digest of all input of the pool up to and including this batch.
    """

    class Kind(models.TextChoices):
        EVENT = "event"
        GAME = "game"

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="batches", db_index=False)
    kind = models.CharField(max_length=5, choices=Kind)
    label = models.CharField(max_length=120, blank=True)
    stream = models.CharField(max_length=120)
    effective_at = models.DateTimeField()
    filed_at = models.DateTimeField(default=timezone.now)
    games_digest = models.CharField(max_length=64)
    openings_digest = models.CharField(max_length=64, blank=True)
    run = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    rated_effective_at = models.DateTimeField(null=True, blank=True)
    rated_games_digest = models.CharField(max_length=64, blank=True)
    input_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("pool", "stream", name="batch_stream")]
        indexes = [
            models.Index(fields=["pool", "effective_at", "id"], name="batch_order"),
            models.Index(fields=["pool", "run"], name="batch_of_run"),
            models.Index("pool", name="batch_due", condition=DUE),
        ]
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return self.label or self.stream

    @property
    def is_rated(self) -> bool:
        """Return True if the current rating is of the games as they are filed."""
        return self.games_digest == self.rated_games_digest


class BatchGame(models.Model):
    """A game of a batch: its players and the first seat's score, or why it is not rated.

    The seeds are those of the day of filing; later edits of a player do not change them.
    """

    class Exclusion(models.TextChoices):
        UNRATED_EVENT = "unrated_event"
        FORFEIT = "forfeit"
        ADVICE = "advice"
        HANDICAP = "handicap_out_of_band"
        SAME_PLAYER = "same_player"
        ANNULLED = "annulled"
        UNFINISHED = "unfinished"

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="+", db_index=False)
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="games", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="batch_games")
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    first_seed = models.PositiveIntegerField(null=True, blank=True)
    second_seed = models.PositiveIntegerField(null=True, blank=True)
    score = models.PositiveIntegerField(default=0)
    handicap_part = models.IntegerField(
        null=True, blank=True, help_text="null: no handicap table applies"
    )
    exclusion = models.CharField(max_length=24, choices=Exclusion, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("pool", "game", name="game_once_a_pool")]
        indexes = [models.Index(fields=["pool", "batch", "game"], name="games_of_batch")]

    def __str__(self) -> str:
        return f"game {self.game_id} in {self.batch}"


class Opening(models.Model):
    """A player's rating and games before an imported batch, as of the installation it came from."""

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="+", db_index=False)
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    rating = models.IntegerField()
    games = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint("pool", "batch", "player", name="opening_once_a_batch")
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.rating} before {self.batch}"


class Run(models.Model):
    """A computation of a pool's ratings from `from_batch` on; the parent run covers those before.

    `input_digest` is that of the last batch.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="runs", db_index=False)
    number = models.PositiveIntegerField()
    engine_version = models.PositiveSmallIntegerField()
    parameter_digest = models.CharField(max_length=64)
    input_digest = models.CharField(max_length=64, blank=True)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    from_batch = models.ForeignKey(
        Batch, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    made_current_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("pool", "number", name="run_number")]

    def __str__(self) -> str:
        return f"run {self.number} of {self.pool}"


class Change(models.Model):
    """How one game changed one player's rating in one run; `share` is exact, in 10^-9 points."""

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
    superseded_by = models.ForeignKey(
        Run, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint("pool", "run", "game", "seat", name="change_once_a_run")
        ]
        indexes = [
            models.Index(fields=["pool", *fields], name=name, condition=CURRENT)
            for name, fields in {
                "change_of_player": ["player", "id"],
                "change_of_batch": ["batch"],
                "change_of_game": ["game"],
            }.items()
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.before} to {self.after} by game {self.game_id}"


class Rating(models.Model):
    """A player's rating after the current run."""

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+", db_index=False)
    rating = models.IntegerField()
    games = models.PositiveIntegerField()
    last_game_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint("pool", "player", name="one_rating_a_pool")]
        indexes = [models.Index("pool", F("rating").desc(), "player", name="rating_place")]

    def __str__(self) -> str:
        return f"{self.player}: {self.rating}"
