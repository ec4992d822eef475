"""Tournaments, entries and requested byes."""

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Account, Game, Player
from games.models.columns import Columns, Dated, Journalled
from games.models.fields import FoldedField, RenderedField
from games.models.time_controls import TimeClass, TimeControl
from tournament.models import former, references


class Tournament(Dated):
    class State(models.TextChoices):
        DRAFT = "draft", _("in preparation")
        REGISTRATION = "registration", _("open for entries")
        RUNNING = "running", _("running")
        REVIEW = "review", _("results under review")
        FINAL = "final", _("final")
        ARCHIVED = "archived", _("final, archived")
        CANCELLED = "cancelled", _("cancelled")

    class Handicaps(models.TextChoices):
        """Whether games have handicaps, and who chooses them."""

        NONE = "none", _("no")
        RECOMMENDED = "recommended", _("recommended by the ratings")
        BY_HAND = "by_hand", _("given by a director")

    class SeedSource(models.TextChoices):
        """Where entries get their seed rating from when they get their pairing number."""

        GIVEN = "given", _("as entered")
        POOL = "pool", _("from the rating pool")

    class CheckIn(models.TextChoices):
        """When players confirm that they are present; others are not paired."""

        NONE = "none", _("no")
        TOURNAMENT = "tournament", _("once, for the event")
        ROUND = "round", _("for each round")

    class Forecasts(models.TextChoices):
        """Who sees how the event can end."""

        PUBLIC = "public", _("for everyone")
        OFFICIALS = "officials", _("for officials")
        OFF = "off", _("switched off")

    class MissedRounds(models.TextChoices):
        """The byes of a late entry in the rounds that it misses."""

        ZERO = "zero", _("zero-point byes")
        HALF = "half", _("half-point byes")

    class Applications(models.TextChoices):
        """Who can apply for a place; a director can hand out a link in any case."""

        LINK = "link", _("only with the organiser's link")
        ACCOUNTS = "accounts", _("with an account")
        EVERYBODY = "everybody", _("with an account, or with an address confirmed by a mail")

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=120)
    folded_name = FoldedField(source="name")
    place = models.CharField(max_length=120, blank=True)
    country = models.CharField(max_length=3, blank=True)
    starts_on = models.DateField()
    ends_on = models.DateField()
    time_zone = models.CharField(max_length=64, default="UTC")
    arbiter = models.CharField(max_length=120, blank=True)
    time_control = models.CharField(max_length=120, blank=True)
    main_minutes = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of each player; null: not stated"
    )
    increment_seconds = models.PositiveSmallIntegerField(default=0, help_text="of each move")
    play = models.CharField(
        max_length=8,
        choices=Game.Play,
        default=Game.Play.ANYWHERE,
        verbose_name=_("Where games are played"),
    )
    days_per_turn = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of games by turns; null: no limit"
    )
    state = models.CharField(max_length=12, choices=State, default=State.DRAFT)
    public = models.BooleanField(default=True)

    description = models.TextField(blank=True, help_text="the announcement, in Markdown")
    description_html = RenderedField(source="description", default="")
    venue = models.CharField(max_length=240, blank=True, help_text="the house and its address")
    map_url = models.URLField(max_length=500, blank=True, help_text="of the venue on a map")
    fee = models.CharField(max_length=120, blank=True, help_text="to enter, in words")
    contact = models.CharField(max_length=240, blank=True, help_text="who answers questions")
    announcements = models.JSONField(
        default=list, blank=True, help_text="of the directors: number, text, time; the newest last"
    )
    announced = models.PositiveIntegerField(default=0, help_text="the last number of them")
    applications = models.CharField(
        max_length=9, choices=Applications, default=Applications.ACCOUNTS, help_text="who applies"
    )
    registration_from = models.DateField(
        null=True, blank=True, help_text="the first day of applications; null: as soon as open"
    )
    registration_until = models.DateField(
        null=True, blank=True, help_text="the last day of applications; null: until the start"
    )

    game = models.CharField(max_length=32)
    board = models.CharField(max_length=12)
    options = models.JSONField(default=list, blank=True)
    swap = models.BooleanField(default=True)
    advice = models.BooleanField(
        default=False, help_text="the player with the higher rating may advise the other"
    )
    rated = models.BooleanField(default=True)
    pool = models.CharField(max_length=40, blank=True)
    seed_source = models.CharField(max_length=5, choices=SeedSource, default=SeedSource.GIVEN)
    confirm_hours = models.PositiveSmallIntegerField(default=24)
    live_delay = models.CharField(
        max_length=10,
        choices=Game.LiveDelay,
        default=Game.LiveDelay.NONE,
        verbose_name=_("Spectators see the turns of a game"),
    )
    handicaps = models.CharField(max_length=11, choices=Handicaps, default=Handicaps.NONE)
    handicap_table = models.CharField(
        max_length=12, blank=True, help_text="the version; empty before the start: the pool's"
    )
    handicap_share = models.PositiveSmallIntegerField(
        default=100, help_text="how much of the rating difference is given, in percent"
    )
    handicap_cap = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="the most stones or points to recommend"
    )
    handicap_kinds = models.JSONField(
        default=list, blank=True, help_text="what to recommend; empty: all that have a value"
    )

    system = models.CharField(max_length=24)
    system_options = models.JSONField(
        default=dict, blank=True, help_text="options of the system, as in `rules/systems`"
    )
    separations = models.JSONField(
        default=list, blank=True, help_text="pairs to avoid, the most important preference first"
    )
    balance_seats = models.BooleanField(default=True, help_text="false if seats do not matter")
    rounds = models.PositiveSmallIntegerField()
    games_per_pairing = models.PositiveSmallIntegerField(
        default=1, help_text="1, or 2 with exchanged seats"
    )
    points = models.JSONField(default=dict, blank=True, help_text="by result; empty is 1, ½, 0")
    tiebreaks = models.JSONField(default=list)
    unrated_rating = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of unrated players in tie-breaks (C.07 article 10)"
    )
    decided_ties = models.JSONField(
        default=list,
        blank=True,
        help_text="by the director: the round, the ordinals of the entries in order, by what",
    )
    initial_seat = models.CharField(max_length=6, default="first")
    half_byes = models.PositiveSmallIntegerField(default=1, help_text="how many a player may have")
    half_byes_until_round = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="the last round that can have one; null: every round"
    )
    missed_rounds = models.CharField(
        max_length=4, choices=MissedRounds, default=MissedRounds.ZERO, help_text="of a late entry"
    )
    places = models.PositiveIntegerField(
        null=True, blank=True, help_text="of accepted entries; null: no limit"
    )
    fills_places = models.BooleanField(
        default=False, help_text="before the start, the first of the waiting list gets a free place"
    )
    application_key = models.CharField(
        max_length=32, blank=True, help_text="of the link with which people apply without a login"
    )
    check_in = models.CharField(max_length=10, choices=CheckIn, default=CheckIn.NONE)
    prizes = models.JSONField(default=list, blank=True, help_text="groups, in order of priority")
    currency = models.CharField(
        max_length=3, blank=True, help_text="of the prizes and the fee, by ISO 4217"
    )
    forecast = models.CharField(
        max_length=9, choices=Forecasts, default=Forecasts.PUBLIC, help_text="who sees it"
    )
    draw_seed = models.CharField(max_length=64, help_text="the seed of every random draw")

    created_by = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finalised_at = models.DateTimeField(null=True, blank=True)

    columns = Columns(
        journalled=(
            "slug", "name", "place", "country", "starts_on", "ends_on", "time_zone", "arbiter",
            "time_control", "main_minutes", "increment_seconds", "play", "days_per_turn", "state",
            "public", "game", "board", "options", "swap", "advice", "rated", "pool",
            "seed_source", "confirm_hours",
            "live_delay", "handicaps", "handicap_table", "handicap_share", "handicap_cap",
            "handicap_kinds",
            "system", "system_options", "separations", "balance_seats", "rounds",
            "games_per_pairing", "points", "tiebreaks", "unrated_rating", "decided_ties",
            "initial_seat", "half_byes", "half_byes_until_round", "missed_rounds", "places",
            "fills_places",
            "check_in", "prizes", "currency", "forecast", "draw_seed", "created_by", "created_at",
            "finalised_at", "description", "venue", "map_url", "fee", "contact",
            "registration_from", "registration_until", "announcements", "announced", "applications",
        ),
        derived=("folded_name", "description_html"),
        technical=("id", "application_key", "updated_at"),
        personal=(),
        later=(
            "advice", "live_delay", "play", "days_per_turn", "description", "venue", "map_url",
            "fee", "contact",
            "registration_from", "registration_until",
            "announcements", "announced",
            "applications",
        ),
        key=("slug",),
        refers={"separations": references.separations},
        former={"decided_ties": former.TIES, "handicap_kinds": former.HANDICAP_KINDS},
    )  # fmt: skip

    class Meta:
        indexes = [
            models.Index(fields=["state", "starts_on"]),
            models.Index(fields=["starts_on", "id"], name="tournament_by_day"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(ends_on__gte=models.F("starts_on")), name="dates"),
            models.CheckConstraint(condition=Q(rounds__gte=1), name="has_a_round"),
            models.CheckConstraint(
                condition=Q(games_per_pairing__in=(1, 2)), name="one_or_two_games"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def stream(self) -> str:
        """Return the stream of its journal and its roles."""
        return f"tournament/{self.slug}"

    @property
    def news(self) -> list[dict[str, Any]]:
        """Return the announcements with their times, the newest first."""
        return [
            one | {"at": datetime.fromisoformat(one["at"])} for one in reversed(self.announcements)
        ]

    @property
    def fee_text(self) -> str:
        """Return the entry fee with its currency, unless it names one itself."""
        if not self.fee or self.currency in self.fee:
            return self.fee
        is_amount = self.fee[-1].isdigit() and " " not in self.fee
        return f"{self.fee} {self.currency}" if is_amount else f"{self.fee} ({self.currency})"

    @property
    def time_class(self) -> TimeClass | None:
        """Return the class of the time of its games; None if no time is stated."""
        return TimeControl(self.main_minutes, self.increment_seconds).time_class


class Entry(Dated):
    """A player in a tournament."""

    class State(models.TextChoices):
        APPLIED = "applied", _("applied; the organiser decides")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")
        WAITING = "waiting", _("on the waiting list")
        WITHDRAWN = "withdrawn", _("withdrawn")
        RETRACTED = "retracted", _("application withdrawn")

    class Agreement(models.TextChoices):
        """Whether the player, or who keeps the registration, agreed to be entered."""

        ASKED = "asked", _("the player has not answered yet")
        AGREED = "agreed", _("the player has agreed")
        DECLINED = "declined", _("the player has declined")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    ordinal = models.PositiveIntegerField(help_text="in the order of entering, from 1")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    state = models.CharField(max_length=10, choices=State, default=State.ACCEPTED)
    seed_rating = models.PositiveIntegerField(default=0, help_text="whole points; 0 is unrated")
    pairing_number = models.PositiveIntegerField(null=True, blank=True)
    lot = models.PositiveIntegerField(
        null=True, blank=True, help_text="the drawn number if pairing numbers are drawn by lot"
    )
    agreement = models.CharField(max_length=8, choices=Agreement, default=Agreement.ASKED)
    consented_at = models.DateTimeField(
        null=True, blank=True, help_text="when the player agreed that their next games are rated"
    )
    first_round = models.PositiveSmallIntegerField(
        default=1, help_text="the first round that can pair this entry"
    )
    last_round = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="the last round that can pair it; null: every round"
    )
    checked_in_round = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="the round before which the player checked in"
    )
    printed_number = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="the pairing number on the papers of the start, or of the last published round",
    )
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True, help_text="only the year")
    sex = models.CharField(max_length=1, blank=True)
    title = models.CharField(max_length=3, blank=True, help_text="a FIDE title: GM, WFM, ...")
    category = models.CharField(max_length=40, blank=True, help_text="a category of prize groups")
    club = models.CharField(
        max_length=120, blank=True, help_text="in this event; empty: the club of the player"
    )
    expelled = models.CharField(
        max_length=240,
        blank=True,
        help_text="why the player is not ranked, for everybody; empty: ranked",
    )
    notes = models.CharField(
        max_length=500, blank=True, help_text="of the applicant, for the officials"
    )
    email = models.EmailField(
        blank=True, help_text="of an applicant without a login, who has confirmed it"
    )
    language = models.CharField(max_length=8, blank=True, help_text="of the mails to it")
    paid = models.BooleanField(default=False, help_text="the entry fee, as a director has noted")
    entered_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(
            "ordinal", "player", "state", "seed_rating", "pairing_number", "printed_number", "lot",
            "agreement", "consented_at",
            "first_round", "last_round", "checked_in_round", "birth_year", "sex", "title",
            "category", "club", "expelled", "paid", "notes", "entered_at",
        ),
        derived=(),
        technical=("id", "tournament", "updated_at", "email", "language"),
        personal=("birth_year", "sex", "category", "title", "club", "notes", "email"),
        key=("ordinal",),
        later=("expelled", "paid", "notes"),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", "player", name="player_enters_once"),
            models.UniqueConstraint("tournament", "ordinal", name="entry_ordinal"),
        ]
        indexes = [models.Index(fields=["tournament", "pairing_number"])]
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"{self.player} in {self.tournament}"


class Bye(Journalled):
    """A bye in a round, granted before the round is paired."""

    class Kind(models.TextChoices):
        HALF = "half_bye", _("half-point bye")
        ZERO = "zero_bye", _("absent")
        FULL = "full_bye", _("full-point bye")

        @property
        def wish(self) -> str | Promise:
            """The bye as the players who choose it see it: what it means for them."""
            return _("not playing, no points") if self is Bye.Kind.ZERO else self.label

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="byes")
    round = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.CharField(max_length=240, blank=True)
    requested_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=("entry", "round", "kind", "reason", "requested_at"),
        derived=(),
        technical=("id", "tournament"),
        personal=("reason",),
        key=("entry", "round"),
        former={"kind": former.RESULTS},
    )

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", "entry", "round", name="one_bye_a_round")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.entry} in round {self.round}"
