"""Pools of ratings, the batches filed with them, and every change that a run made.

A rating is a pure fold over the ordered batches of a pool, so nothing here is the truth but the
facts in `BatchGame`; runs, changes and ratings can be made again from them at any time. What is
due is read off the rows: a batch whose `facts` are not the `rated_facts`.

| rows | in force |
|---|---|
| changes | those without `superseded_by` |
| a run's view of old | changes of that run or earlier, superseded by none of them |
| ratings | all: the state after the current run |

Unique keys and indexes lead with the pool, so that a pool's rows can be kept together; nothing is
keyed by `effective_at`, which corrections move. Ratings, K and handicap parts are in milli
(thousandths of a point), scores and expected scores in millionths.
"""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models import Game, Player


class Pool(models.Model):
    """One scale of ratings: what is rated in it is comparable."""

    code = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=120)
    preset = models.CharField(max_length=24)
    parameters = models.JSONField(default=dict, blank=True)
    handicap_table = models.CharField(max_length=12, default="v1")
    casual_games = models.JSONField(
        default=list, blank=True, help_text="codes of the games taken from outside any event"
    )
    current_run = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name

    @property
    def stream(self) -> str:
        """Where its journal and its roles are kept."""
        return f"pool/{self.code}"


class Batch(models.Model):
    """Games that are rated together: those of one event, or one casual game.

    `run`, `rated_at`, `rated_facts` and `chain` tell of the rating in force: which run made it,
    at which place in the order, of which facts, and the digest of all input up to here.
    `openings` is the digest of what came along with it from another house, empty as a rule.
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
    facts = models.CharField(max_length=64)
    openings = models.CharField(max_length=64, blank=True)
    run = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    rated_at = models.DateTimeField(null=True, blank=True, help_text="effective_at as rated")
    rated_facts = models.CharField(max_length=64, blank=True)
    chain = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("pool", "stream", name="batch_stream")]
        indexes = [
            models.Index(fields=["pool", "effective_at", "id"], name="batch_order"),
            models.Index(fields=["pool", "run"], name="batch_of_run"),
            models.Index("pool", name="batch_due", condition=~Q(facts=models.F("rated_facts"))),
        ]
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return self.label or self.stream


class BatchGame(models.Model):
    """A game as it is rated: who is rated, the first seat's score, or why it is not rated.

    The seeds are those of the day of filing; later edits of a player do not reach back.
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
    handicap_part = models.IntegerField(null=True, blank=True, help_text="null: no table for it")
    exclusion = models.CharField(max_length=24, choices=Exclusion, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("pool", "game", name="game_once_a_pool")]
        indexes = [models.Index(fields=["pool", "batch", "game"], name="games_of_batch")]

    def __str__(self) -> str:
        return f"game {self.game_id} in {self.batch}"


class Opening(models.Model):
    """Where a player stood in another house before a batch that came from there (openings.py)."""

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
    """One rating of a pool's batches, from `from_batch` on; those before are its parent's."""

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
    """What one game did to one player in one run. `share` is in 10^-9 points, exact."""

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
            models.Index(
                fields=["pool", "player", "id"],
                name="change_of_player",
                condition=Q(superseded_by__isnull=True),
            ),
            models.Index(
                fields=["pool", "batch"],
                name="change_of_batch",
                condition=Q(superseded_by__isnull=True),
            ),
            models.Index(
                fields=["pool", "game"],
                name="change_of_game",
                condition=Q(superseded_by__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.before} to {self.after} by game {self.game_id}"


class Rating(models.Model):
    """Where a player stands after the current run."""

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+", db_index=False)
    rating = models.IntegerField()
    games = models.PositiveIntegerField()
    last_game_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint("pool", "player", name="one_rating_a_pool")]
        indexes = [models.Index("pool", models.F("rating").desc(), "player", name="rating_place")]

    def __str__(self) -> str:
        return f"{self.player}: {self.rating}"
