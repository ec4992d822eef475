"""Batches, their games, and the openings of imported ones."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Account, Game, Player
from games.models.columns import Columns, Journalled
from ratings.models.pools import Pool

IN_ORDER = Q(state__in=["filed", "withdrawn"])
"""Batches that have a place in the order of their pool."""

DUE = ~Q(games_digest=F("rated_games_digest")) & IN_ORDER
"""Batches that no run has rated in their present form."""


class Batch(Journalled):
    """Games that are rated together: those of one event, or one casual game.

    A batch that is waiting for an officer, or refused, has no place in the order of the pool. A
    withdrawn one keeps its place, and none of its games is rated. `organiser` created the event,
    `reason` is that of the last officer who changed the batch.

    Batches of one effective time are in the order of `order_key`, which follows from their content
    (ratings/batches/order.py).

    `games_digest` covers `effective_at` and the rated games, `filed_digest` what is stated of all
    games on the day of filing, `openings_digest` the openings (empty without openings). `run`,
    `rated_effective_at`, `rated_games_digest` and `input_digest` describe the current rating of the
    batch: the run that computed it, when it took effect in that run, the games that were rated, and
    the digest of all input of the pool up to and including this batch.
    """

    class Kind(models.TextChoices):
        TOURNAMENT = "tournament", _("event")
        GAME = "game", _("game")

    class State(models.TextChoices):
        WAITING = "waiting", _("waits for an officer")
        FILED = "filed", _("accepted for rating")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="batches", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    label = models.CharField(max_length=120, blank=True)
    stream = models.CharField(max_length=120)
    organiser = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    state = models.CharField(max_length=9, choices=State)
    approved = models.BooleanField(
        default=False, help_text="the officers approved the event or its organiser"
    )
    reason = models.CharField(max_length=240, blank=True)
    effective_at = models.DateTimeField()
    backdated = models.BooleanField(default=False, help_text="an officer set `effective_at`")
    filed_at = models.DateTimeField(default=timezone.now)
    order_key = models.CharField(max_length=255)
    games_digest = models.CharField(max_length=64)
    filed_digest = models.CharField(max_length=64)
    openings_digest = models.CharField(max_length=64, blank=True)
    run = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    rated_effective_at = models.DateTimeField(null=True, blank=True)
    rated_games_digest = models.CharField(max_length=64, blank=True)
    input_digest = models.CharField(max_length=64, blank=True)

    columns = Columns(
        journalled=(
            "kind", "label", "stream", "organiser", "state", "approved", "reason", "effective_at",
            "backdated", "filed_at", "order_key", "filed_digest", "openings_digest",
        ),
        derived=(
            "games_digest", "run", "rated_effective_at", "rated_games_digest",
            "input_digest",
        ),
        technical=("id", "pool"),
        personal=(),
        key=("stream",),
    )  # fmt: skip

    class Meta:
        constraints = [models.UniqueConstraint("pool", "stream", name="batch_stream")]
        indexes = [
            models.Index(fields=["pool", "effective_at", "order_key", "id"], name="batch_order"),
            models.Index(fields=["pool", "run"], name="batch_of_run"),
            models.Index("pool", name="batch_due", condition=DUE),
            models.Index("pool", name="batch_waiting", condition=Q(state="waiting")),
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

    The seeds, who is a junior, `handicap_part`, and the columns of the limits are those of the day
    of filing; later changes of a player, of the pool, or of other games do not change them.
    """

    class Exclusion(models.TextChoices):
        """The codes of why a game is not rated; the labels are of games, after their number."""

        UNRATED_TOURNAMENT = "unrated_tournament", _("not rated by their conditions")
        PRIVATE_TOURNAMENT = "private_tournament", _("private")
        FORFEIT = "forfeit", _("forfeited")
        ADVICE = "advice", _("with advice to a player")
        HANDICAP = "handicap_out_of_band", _("with conditions that no table of handicaps covers")
        WRONG_GAME = "wrong_game", _("of a game or board that the pool does not rate")
        WRONG_TIME_CLASS = "wrong_time_class", _("of a time class that the pool does not rate")
        OUT_OF_BAND = "expected_out_of_band", _("below the least expected score")
        SAME_PLAYER = "same_player", _("of one person against themselves")
        ANNULLED = "annulled", pgettext_lazy("games", "annulled")
        UNFINISHED = "unfinished", _("without a confirmed result")
        NO_CONSENT = "no_consent", _("without the consent of both players")
        DAILY_LIMIT = "daily_limit", _("above the number of a day")
        MONTHLY_LIMIT = "monthly_limit", _("above the number of a month")
        WITHOUT_TOURNAMENT = "without_tournament", _("of a player without an approved event")
        AWAITING_APPROVAL = "awaiting_approval", _("of an event that waits for an officer")
        TOURNAMENT_REFUSED = "tournament_refused", _("of an event that was refused")
        BATCH_WITHDRAWN = "batch_withdrawn", _("of a batch that was withdrawn")

        @property
        def reason(self) -> str:
            """Why one game is not rated, for the API."""
            return EXCLUSION_REASONS[self]

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="+", db_index=False)
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="games", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="batch_games")
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    first_seed = models.PositiveIntegerField(null=True, blank=True)
    second_seed = models.PositiveIntegerField(null=True, blank=True)
    first_seed_games = models.PositiveIntegerField(default=0)
    second_seed_games = models.PositiveIntegerField(default=0)
    first_reached_2400 = models.BooleanField(
        default=False, help_text="the seed was 2400 at any time: FIDE's K"
    )
    second_reached_2400 = models.BooleanField(default=False)
    score = models.PositiveIntegerField(default=0)
    handicap_part = models.IntegerField(
        null=True, blank=True, help_text="null: no handicap table applies"
    )
    wrong_game = models.BooleanField(
        default=False, help_text="the pool does not rate the game on its board"
    )
    wrong_class = models.BooleanField(
        default=False, help_text="the pool does not rate games of its time class"
    )
    out_of_band = models.BooleanField(
        default=False, help_text="the expected score at pairing is outside the band of the pool"
    )
    first_junior = models.BooleanField(default=False, help_text="at most 18 that year: FIDE's K")
    second_junior = models.BooleanField(default=False)
    over_limit = models.BooleanField(
        default=False, help_text="a casual game beyond the daily limit of the two players"
    )
    over_month = models.BooleanField(
        default=False, help_text="a casual game beyond the monthly limit of the two players"
    )
    without_event = models.BooleanField(
        default=False, help_text="a casual game of a player who has finished no approved event"
    )
    exclusion = models.CharField(max_length=24, choices=Exclusion, blank=True)

    columns = Columns(
        journalled=(),
        derived=(
            "batch", "game", "first", "second", "first_seed", "second_seed", "first_seed_games",
            "second_seed_games", "first_reached_2400", "second_reached_2400", "score",
            "handicap_part", "wrong_game", "wrong_class", "out_of_band", "first_junior",
            "second_junior", "over_limit", "over_month", "without_event", "exclusion",
        ),
        technical=("id", "pool"),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [models.UniqueConstraint("pool", "game", name="game_once_a_pool")]
        indexes = [
            models.Index(fields=["pool", "batch", "game"], name="games_of_batch"),
            models.Index(fields=["pool", "first"], name="games_of_first"),
            models.Index(fields=["pool", "second"], name="games_of_second"),
        ]

    def __str__(self) -> str:
        return f"game {self.game_id} in {self.batch}"


EXCLUSION_REASONS: Final = {
    BatchGame.Exclusion.UNRATED_TOURNAMENT: "the game is not rated by its conditions",
    BatchGame.Exclusion.PRIVATE_TOURNAMENT: "the event or the game is private",
    BatchGame.Exclusion.FORFEIT: "the game was forfeited",
    BatchGame.Exclusion.ADVICE: "a player was advised",
    BatchGame.Exclusion.HANDICAP: "no handicap table covers the conditions",
    BatchGame.Exclusion.WRONG_GAME: "the pool does not rate this game on this board",
    BatchGame.Exclusion.WRONG_TIME_CLASS: "the pool does not rate games of this time class",
    BatchGame.Exclusion.OUT_OF_BAND: (
        "a player's expected score at pairing was below the limit of the pool"
    ),
    BatchGame.Exclusion.SAME_PLAYER: "both seats are the same person",
    BatchGame.Exclusion.ANNULLED: "the game is annulled",
    BatchGame.Exclusion.UNFINISHED: "the game has no confirmed result",
    BatchGame.Exclusion.NO_CONSENT: "not both players agreed beforehand that the game is rated",
    BatchGame.Exclusion.DAILY_LIMIT: "as many games of the two players on that day are rated",
    BatchGame.Exclusion.MONTHLY_LIMIT: "as many games of the two players in that month are rated",
    BatchGame.Exclusion.WITHOUT_TOURNAMENT: (
        "a player has not finished an approved event of the pool"
    ),
    BatchGame.Exclusion.AWAITING_APPROVAL: "no officer of the pool has approved the event",
    BatchGame.Exclusion.TOURNAMENT_REFUSED: "an officer of the pool refused the event",
    BatchGame.Exclusion.BATCH_WITHDRAWN: "an officer of the pool withdrew the batch",
}


class Opening(models.Model):
    """A player's rating before an imported batch, as of the installation it came from.

    `games` are the rated games before; `reached_2400` is true if the rating was 2400 at any time.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="+", db_index=False)
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    rating = models.IntegerField()
    games = models.PositiveIntegerField()
    reached_2400 = models.BooleanField(default=False)

    columns = Columns(
        journalled=(),
        derived=("batch", "player", "rating", "games", "reached_2400"),
        technical=("id", "pool"),
        personal=(),
    )

    class Meta:
        constraints = [
            models.UniqueConstraint("pool", "batch", "player", name="opening_once_a_batch")
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.rating} before {self.batch}"
