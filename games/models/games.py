"""Games and the reports about them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.attempts import MAX_ATTEMPTS
from games.models.columns import Columns, Dated, Journalled, hyphenated
from games.models.people import Account, Player
from games.models.streams import POOL_STREAM
from games.models.time_controls import TimeClass, TimeControl
from games.rules.game_outcome import RulingTermination

FORMER_TERMINATIONS = hyphenated(RulingTermination.DOUBLE_FORFEIT)


class Game(Dated):
    """A game: its players, its conditions, which do not change, and its current result.

    Only settlement writes the fields from `state` on; they can be computed from the reports at any
    time. A score holds handicap points, as the result of a record does. `first_rating` to
    `second_games` are the ratings in the pool of the event, in milli, and the rated games of the
    players when they were paired; null for a player without a rating there. `handicap_table` is the
    version by which the event values handicaps; empty for that of the pool. A casual game has no
    stream; it is proposed by one player (`proposed_by` is their seat), and is not public and has no
    reports until the other accepts it; it expires if neither is done in time.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        DECLINED = "declined", _("declined")
        CANCELLED = "cancelled", _("proposal cancelled")
        EXPIRED = "expired", _("proposal expired")
        OPEN = "open", _("being played")
        WAITING = "waiting", _("not yet confirmed")
        DISPUTED = "disputed", _("disputed")
        CONFIRMED = "confirmed", _("confirmed")
        ANNULLED = "annulled", _("annulled")

    class Basis(models.TextChoices):
        PROOF = "proof", _("proved by the record")
        PLAYED = "played", _("played here")
        SLIP = "slip", _("signed slip")
        AGREEMENT = "agreement", _("confirmed by both players")
        LINKS = "links", _("confirmed by both players, links by the organiser")
        UNDISPUTED = "undisputed", _("reported by one player, not disputed in time")
        RULING = "ruling", _("decided by the arbiter")

    class Play(models.TextChoices):
        """Where a game is played."""

        ANYWHERE = "anywhere", _("at a board or elsewhere; the result is reported")
        BY_TURNS = "by_turns", _("here, by turns")

    class LiveDelay(models.TextChoices):
        """After how long others see the turns of a live record."""

        NONE = "none", _("at once")
        FIVE_MINUTES = "5_minutes", _("after 5 minutes")
        FIFTEEN_MINUTES = "15_minutes", _("after 15 minutes")
        ROUND = "round", _("after the round")
        NEVER = "never", _("never")

        @property
        def minutes(self) -> int | None:
            """Return the minutes after which a turn is shown; None if it is not, in its round."""
            known = {self.NONE: 0, self.FIVE_MINUTES: 5, self.FIFTEEN_MINUTES: 15}
            return known.get(self)

    stream = models.CharField(max_length=120, blank=True)
    event = models.CharField(max_length=120, blank=True)
    round = models.CharField(max_length=12, blank=True)
    place = models.CharField(
        max_length=24, blank=True, help_text="round/version/board where an event first paired it"
    )
    game = models.CharField(max_length=32)
    board = models.CharField(max_length=12)
    options = models.JSONField(default=list, blank=True)
    swap = models.BooleanField(default=True)
    handicap = models.JSONField(null=True, blank=True)
    advice = models.CharField(max_length=6, blank=True)
    main_minutes = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of each player; null: not stated"
    )
    increment_seconds = models.PositiveSmallIntegerField(default=0, help_text="of each move")
    play = models.CharField(max_length=8, choices=Play, default=Play.ANYWHERE)
    days_per_turn = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of a game by turns; null: no limit"
    )
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_first")
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_second")
    rated = models.BooleanField(default=True)
    pool = models.CharField(max_length=40, blank=True, help_text="the code, of a casual game")
    proposed_by = models.CharField(max_length=6, blank=True, help_text="the seat")
    consented = models.BooleanField(
        default=False, help_text="both players agreed beforehand that the game is rated"
    )
    public = models.BooleanField(default=True)
    confirm_hours = models.PositiveSmallIntegerField(default=24)
    live_delay = models.CharField(max_length=10, choices=LiveDelay, default=LiveDelay.NONE)
    closed = models.BooleanField(default=False, help_text="the event is final or cancelled")
    void = models.BooleanField(
        default=False, help_text="not in the current pairings of its round: hidden and not rated"
    )
    round_complete = models.BooleanField(
        default=False, help_text="a correction changes the result that stands, and no ruling"
    )
    handicap_table = models.CharField(max_length=12, blank=True)
    first_rating = models.IntegerField(null=True, blank=True)
    first_games = models.PositiveIntegerField(null=True, blank=True)
    second_rating = models.IntegerField(null=True, blank=True)
    second_games = models.PositiveIntegerField(null=True, blank=True)
    played_on = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True, blank=True, help_text="the proposal")

    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    basis = models.CharField(max_length=10, choices=Basis, blank=True)
    termination = models.CharField(max_length=16, blank=True)
    winner = models.CharField(max_length=6, blank=True)
    draw = models.BooleanField(default=False)
    score_first = models.IntegerField(null=True, blank=True)
    score_second = models.IntegerField(null=True, blank=True)
    record = models.ForeignKey(
        "Report", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    dispute = models.CharField(max_length=240, blank=True)
    adjourned = models.BooleanField(
        default=False, help_text="to be continued; in pairings it counts as a draw until then"
    )
    confirm_by = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    live_version = models.PositiveIntegerField(
        default=0, help_text="the last of its live record that is deleted"
    )

    columns = Columns(
        journalled=(
            "event", "round", "place", "game", "board", "options", "swap", "handicap", "advice",
            "main_minutes", "increment_seconds", "play", "days_per_turn", "first", "second",
            "rated", "pool", "proposed_by", "consented", "public", "confirm_hours", "live_delay",
            "closed", "void", "round_complete", "handicap_table", "first_rating", "first_games",
            "second_rating", "second_games", "played_on", "created_at", "accepted_at", "state",
            "confirmed_at",
        ),
        derived=(
            "basis", "termination", "winner", "draw", "score_first", "score_second", "record",
            "dispute", "adjourned", "confirm_by",
        ),
        technical=("id", "stream", "attempts", "live_version", "updated_at"),
        personal=(),
        key=("place",),
        later=("round_complete", "live_delay", "play", "days_per_turn"),
        former={"termination": FORMER_TERMINATIONS},
    )  # fmt: skip

    class Meta:
        indexes = [
            models.Index(fields=["stream", "state"]),
            models.Index(fields=["first", "id"]),
            models.Index(fields=["second", "id"]),
            models.Index(fields=["confirm_by"], name="game_due", condition=Q(state="waiting")),
            models.Index(
                fields=["created_at"], name="game_proposed", condition=Q(state="proposed")
            ),
            models.Index(
                fields=["accepted_at"],
                name="game_accepted",
                condition=Q(state="open", accepted_at__isnull=False),
            ),
            models.Index(
                fields=["id"], name="game_given_up", condition=Q(attempts__gte=MAX_ATTEMPTS)
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["stream", "place"], condition=~Q(place=""), name="one_game_a_place"
            ),
            models.CheckConstraint(condition=Q(winner__in=["", "first", "second"]), name="winner"),
            models.CheckConstraint(
                condition=Q(winner="") | Q(draw=False), name="no_winner_of_a_draw"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"

    @property
    def role_stream(self) -> str:
        """Return whose officials rule the game: the event's, or a casual game's pool's."""
        return self.stream or (f"{POOL_STREAM}{self.pool}" if self.pool else "")

    @property
    def time_class(self) -> TimeClass | None:
        """Return the class of its time; None if no time is stated."""
        return TimeControl(self.main_minutes, self.increment_seconds).time_class

    def seats_of(self, account: Account) -> list[str]:
        """Return the seats (`first`, `second`) whose player has this account."""
        players = {"first": self.first, "second": self.second}
        holders = {seat: player.current.account_id for seat, player in players.items()}
        return [seat for seat, holder in holders.items() if holder and holder == account.pk]


class Report(Journalled):
    """What one side, or an arbiter, reports of a game. Reports are added, never changed.

    A slip is entered by an arbiter, and both sides have signed it. `confirms` is the report that a
    confirmation answers, or the decision that a revocation removes: a ruling, or an adjournment.
    """

    class Kind(models.TextChoices):
        RECORD = "record", _("record")
        CLAIM = "claim", _("result")
        CONFIRMATION = "confirmation", _("confirmation")
        DISPUTE = "dispute", _("dispute")
        SLIP = "slip", _("signed slip")
        RULING = "ruling", _("ruling")
        ANNULMENT = "annulment", _("annulment")
        ADJOURNMENT = "adjournment", _("adjournment")
        REVOCATION = "revocation", _("removal of a ruling")

    class Device(models.TextChoices):
        """Whose device sent a report: one that directors can use proves no agreement.

        The report of a game that was played here comes from its turns, which this side entered.
        """

        PLAYER = "player", _("player")
        DIRECTOR = "director", _("director")
        HERE = "here", _("played here")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reports")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    seat = models.CharField(max_length=6, blank=True, help_text="empty for an arbiter's")
    by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="reports")
    device = models.CharField(max_length=8, choices=Device, default=Device.DIRECTOR)
    record = models.TextField(blank=True, help_text="as text, with names and comments")
    digest = models.CharField(max_length=71, blank=True)
    outcome = models.JSONField(default=dict, blank=True, help_text="a GameOutcome as JSON")
    confirms = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT)
    reason = models.TextField(blank=True)
    received_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_as = models.CharField(
        max_length=9, blank=True, help_text="the state of the game when its task was done"
    )

    columns = Columns(
        journalled=(
            "game", "version", "kind", "seat", "by", "device", "digest", "outcome", "confirms",
            "reason", "received_at",
        ),
        derived=("record",),
        technical=("id", "settled_at", "settled_as"),
        personal=(),
        key=("game", "version"),
        former={"outcome": FORMER_TERMINATIONS},
    )  # fmt: skip

    class Meta:
        constraints = [models.UniqueConstraint("game", "version", name="report_version")]
        indexes = [
            models.Index(
                fields=["received_at"], name="report_due", condition=Q(settled_at__isnull=True)
            ),
            models.Index(fields=["digest"], name="report_digest", condition=~Q(digest="")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.version} of game {self.game_id}"
