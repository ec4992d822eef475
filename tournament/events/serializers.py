"""Serializers of events: their settings, in lists, alone, and after a change."""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.core.errors import shown_value
from games.core.references import absolute_url, page_url
from games.core.serializers import (
    PLAY,
    TIME_CLASS,
    AllowedAction,
    CountryField,
    DaysPerTurnField,
    IdField,
    IncrementSecondsField,
    MainMinutesField,
    MarkdownField,
    ModelSerializer,
    NameField,
    OptionalChoiceField,
    OptionalNameField,
    OptionalText,
    WebAddressField,
)
from games.core.text import translated
from games.core.types import described
from games.core.uploads.tasks import TaskSerializer
from games.core.wrong_values import WrongValue
from games.models.time_controls import TimeClass
from games.names import MAX_NAME_LENGTH
from games.rules.ratings import HIGHEST_RATING, LOWEST_RATING
from games.rules.text import Text
from ratings.core.conditions import table_choices
from ratings.systems.handicap import LARGEST_HANDICAPS
from ratings.systems.recommendation import CatalogueKind
from tournament.core.serializers import AcceptField, validate_date
from tournament.corrections.queries import DueRound
from tournament.events.draw_seed import published_digest, published_seed
from tournament.events.effects import PrizeChange, RankChange
from tournament.events.rating import EventRatingBatch, rating_as_json
from tournament.models import Tournament
from tournament.models.settings import MOST_TOURNAMENT_ROUNDS
from tournament.pairing.separations import By
from tournament.rounds.acceptance import PAIRINGS, PRIZES, RANKS
from tournament.rounds.cautions import Caution
from tournament.standings.points import complete_points
from tournament.standings.prizes import (
    MOST_COINS,
    MOST_GROUPS,
    MOST_PRIZES,
    NUMBER_RANGES,
    SEXES,
    Split,
    Unrated,
)
from tournament.standings.prizes.money import CURRENCIES

OPTION_VALUE = {"type": ["integer", "string", "boolean", "null"]}
MOST_SYSTEM_PLAYERS = 200
LONGEST_DESCRIPTION = 20_000


@extend_schema_field({"type": "object", "additionalProperties": OPTION_VALUE})
class SystemOptionsField(serializers.DictField):
    """Values by option; the services validate them with the whole set-up."""

    child = serializers.JSONField(allow_null=True)


class SeparationSerializer(serializers.Serializer):
    by = serializers.ChoiceField([by.value for by in By])
    preference = serializers.BooleanField(
        default=False, help_text="followed if possible; otherwise a rule that is never broken"
    )
    players = serializers.ListField(
        child=IdField(),
        max_length=MOST_SYSTEM_PLAYERS,
        default=list,
        help_text="ids of players who are kept apart from each other; not public while it runs",
    )
    first_round = serializers.IntegerField(min_value=1, max_value=99, default=1)
    last_round = serializers.IntegerField(
        min_value=0, max_value=99, default=0, help_text="0 means the last round"
    )

    def validate_players(self, players: list[int]) -> list[int]:
        if len(players) == 1 or len(set(players)) < len(players):
            raise WrongValue(Text("name at least two players, each once"))
        return players


MOST_SEPARATIONS = 40
LONGEST_LINE = 240
MOST_HANDICAP = max(LARGEST_HANDICAPS.values())
HIGHEST_PLACE = 100_000
NUMBER_OF_POINTS = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,4}|/[1-9][0-9]?)?", re.ASCII)


RANGES_OF_PRIZES = {
    "rating_from": "the seed rating",
    "age_from": "the year in which the tournament starts minus the year of birth: U12 is `age_to`"
    " 12",
    "birth_year_from": "a player without a year of birth meets no condition on it",
    "games_from": "the number of games over the board that a winner has played; 1 by default",
}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "maxLength": 120, "description": description}


def _choice(values: Iterable[str], description: str) -> dict[str, Any]:
    return {"type": "string", "enum": [*values], "description": description}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


PRIZE_GROUP: dict[str, Any] = {
    "type": "object",
    "required": ["name", "amounts"],
    "properties": {
        "name": _text("unique among the groups"),
        "amounts": {
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": MOST_COINS},
            "minItems": 1,
            "maxItems": MOST_PRIZES,
            "description": "the prizes of places 1, 2, ... in the smallest coin of `currency`, none"
            " higher than the one before",
        },
        "split": _choice(
            Split,
            "how equal players share: `rank`, those of equal rank share the prizes of their places;"
            " `points`, those of equal points do; `half`, half of each prize by rank and half by"
            " points (Hort). Coins that cannot be shared go one each to the better rank, then to"
            " the lower pairing number",
        ),
        "exclusive": _flag("a winner is skipped in all later groups") | {"default": True},
        "sex": _choice(SEXES, "as FIDE writes it"),
        "federation": _text("equal, without regard to case"),
        "club": _text("equal, without regard to case"),
        "category": _text("of the entry"),
        "unrated": _choice(
            Unrated,
            "players without a rating: `in`, as if rated 0; `out`, excluded; `only`, no others",
        ),
        "withdrawn": _flag("a player can win who has withdrawn and was absent in the last round"),
        **{
            name: {
                "type": ["integer", "null"],
                "minimum": least,
                "maximum": most,
                "description": RANGES_OF_PRIZES.get(name, f"see {name.replace('_to', '_from')}"),
            }
            for name, (least, most) in NUMBER_RANGES.items()
        },
    },
    "additionalProperties": False,
}


@extend_schema_field(
    {
        "type": "array",
        "items": PRIZE_GROUP,
        "maxItems": MOST_GROUPS,
        "description": "prize groups, in the order in which they are awarded",
    }
)
class PrizeGroupsField(serializers.ListField):
    """The prize groups of an event; the service checks their content with the whole set-up."""

    child = serializers.DictField()


@extend_schema_field(
    {
        "type": "object",
        "propertyNames": {"enum": list(complete_points())},
        "additionalProperties": {"type": "string", "pattern": f"^{NUMBER_OF_POINTS.pattern}$"},
        "description": (
            'by kind of result, as `{"win": "3", "draw": "1/2"}`; what is not given is worth'
            " as much as a won, drawn or lost game, which are 1, 1/2 and 0"
        ),
    }
)
class PointsField(serializers.DictField):
    """Points by kind of result, as `{"win": 3, "draw": "1/2"}`: numbers, decimals or fractions."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Return names and values as text; the service checks their meaning."""
        values = super().to_internal_value(data)
        wrong = {
            name: translated(Text("%(value)s is not a number of points", value=shown_value(value)))
            for name, value in values.items()
            if isinstance(value, bool)
            or not isinstance(value, str | int | float)
            or not NUMBER_OF_POINTS.fullmatch(str(value))
        }
        if wrong:
            raise serializers.ValidationError(wrong)
        return {str(name): str(value) for name, value in values.items()}


class SettingsSerializer(ModelSerializer[Tournament]):
    """The settings; the service checks the keys (game, system, tiebreaks, pool)."""

    country = CountryField()
    main_minutes = MainMinutesField()
    increment_seconds = IncrementSecondsField()
    days_per_turn = DaysPerTurnField()
    time_class = serializers.ChoiceField(
        [*TimeClass], read_only=True, allow_null=True, help_text=TIME_CLASS
    )
    options = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        max_length=8,
        label=_("Options of the game"),
        help_text=_("Most games have none."),
    )
    points = PointsField(required=False)
    tiebreaks = serializers.ListField(
        child=serializers.CharField(max_length=16),
        required=False,
        max_length=12,
        min_length=1,
        label=_("Ranking and tie-breaks, in their order"),
        help_text=_("Codes such as BH; empty: the usual ones of the system."),
    )
    rounds = serializers.IntegerField(
        min_value=1, max_value=MOST_TOURNAMENT_ROUNDS, label=_("Rounds")
    )
    name = NameField(max_length=MAX_NAME_LENGTH, label=_("Name"))
    place = OptionalNameField(
        max_length=MAX_NAME_LENGTH, label=pgettext_lazy("of an event", "Place")
    )
    description = MarkdownField(
        max_length=LONGEST_DESCRIPTION,
        label=_("Text"),
        help_text="Markdown without HTML and pictures",
        style={
            "help": _(
                "What a player wants to know before coming. An empty line begins a paragraph, **two"
                " stars** are bold, # begins a heading, - a list, [words](https://…) are a link."
            )
        },
    )
    venue = OptionalNameField(
        max_length=LONGEST_LINE,
        label=_("Venue with its address"),
        style={"help": _("Such as: Chess Club, Rua Augusta 12, 1100-053 Lisbon.")},
    )
    map_url = WebAddressField(
        max_length=500,
        label=_("Link to a map"),
        style={"help": _("To the venue on a map of your choice; it begins with https://.")},
    )
    fee = OptionalNameField(
        max_length=MAX_NAME_LENGTH,
        label=_("Entry fee"),
        help_text="in words",
        style={
            "help": _("As a number or in words, such as 20, juniors 10. It is in the currency.")
        },
    )
    contact = OptionalNameField(
        max_length=LONGEST_LINE,
        label=_("Contact"),
        style={
            "help": _("Who answers questions, for everybody: a name, a mail address, a telephone.")
        },
    )
    pool = OptionalText(max_length=40, label=_("Rating pool"))
    handicap_table = OptionalText(
        max_length=12,
        label=_("Table of handicaps"),
        help_text=_("Empty: that of the pool at the start."),
        style={"base_template": "select.html", "choices": table_choices},
    )
    arbiter = OptionalNameField(max_length=MAX_NAME_LENGTH, label=_("Arbiter"))
    time_control = OptionalNameField(max_length=MAX_NAME_LENGTH, label=_("Time control in words"))
    initial_seat = serializers.ChoiceField(
        ["first", "second"], required=False, label=_("Seat of the first number in round 1")
    )
    handicap_kinds = serializers.ListField(
        child=serializers.ChoiceField([(kind.value, kind.label) for kind in CatalogueKind]),
        required=False,
        max_length=len(CatalogueKind),
        label=_("Kinds of handicaps"),
        help_text=_("None: all kinds that have a value in this game."),
    )
    system_options = SystemOptionsField(
        required=False,
        label=_("Options of the system"),
        help_text="options of the system, as in `rules/systems`",
    )
    separations = serializers.ListField(
        child=SeparationSerializer(), required=False, max_length=MOST_SEPARATIONS
    )
    prizes = PrizeGroupsField(required=False, max_length=MOST_GROUPS)
    currency = OptionalChoiceField(
        CURRENCIES,
        label=_("Currency"),
        help_text="of prizes and fee, by ISO 4217; null: none is named, with two decimals",
        style={"help": _("Of the fee and of the prizes.")},
    )

    class Meta:
        model = Tournament
        fields = [
            "name", "place", "country", "starts_on", "ends_on", "time_zone", "arbiter",
            "time_control", "main_minutes", "increment_seconds", "time_class",
            "play", "days_per_turn",
            "state", "public", "ruleset", "board_size", "options", "swap", "advice", "rated",
            "pool", "confirm_hours", "system", "rounds", "points", "tiebreaks", "unrated_rating",
            "initial_seat", "half_byes", "prizes", "currency", "system_options", "separations",
            "balance_seats",
            "games_per_pairing", "handicaps", "handicap_table", "handicap_share", "handicap_cap",
            "handicap_kinds",
            "half_byes_until_round", "missed_rounds", "seed_source",
            "places", "fills_places", "check_in", "live_delay", "forecast", "description",
            "venue", "map_url",
            "fee", "contact", "applications", "registration_from", "registration_until",
        ]  # fmt: skip
        read_only_fields = ["state"]
        extra_kwargs = {
            "starts_on": {"label": _("First day"), "validators": [validate_date]},
            "ends_on": {"label": _("Last day"), "validators": [validate_date]},
            "registration_from": {
                "label": _("First day of applications"),
                "help_text": "of applications",
                "style": {"help": _("Empty: as soon as the event is open for entries.")},
                "validators": [validate_date],
            },
            "registration_until": {
                "label": _("Last day of applications"),
                "help_text": "of applications",
                "style": {
                    "help": _("Empty: until the start. A director can enter players later, too.")
                },
                "validators": [validate_date],
            },
            "time_zone": {"label": _("Time zone")},
            "play": {"help_text": PLAY, "style": {"help": ""}},
            "public": {
                "label": _("Visible to everyone"),
                "help_text": _(
                    "From the registration on; in preparation only its officials see it. Without"
                    " this, only its officials and players ever see it."
                ),
            },
            "ruleset": {"source": "game", "label": _("Game")},
            "board_size": {"source": "board", "label": pgettext_lazy("of a game", "Board")},
            "swap": {"label": _("The second player may swap after the first stone")},
            "advice": {
                "label": _("The stronger player may advise the other"),
                "help_text": _(
                    "Each game of two players with different ratings then has advice to the player"
                    " with the lower one, and is not rated."
                ),
            },
            "system": {"label": _("System")},
            "rated": {
                "label": _("The games are rated"),
                "help_text": _(
                    "When the event is final, its results change the ratings of its players, if"
                    " the pool accepts it."
                ),
            },
            "unrated_rating": {
                "min_value": LOWEST_RATING,
                "max_value": HIGHEST_RATING,
                "label": _("Rating of unrated players in tie-breaks"),
                "help_text": _(
                    "Empty: none, so that tie-breaks by ratings (ARO, TPR, PTP, APRO, APPO, RTNG)"
                    " are left empty for all as soon as one player is unrated (FIDE C.07, article"
                    " 10)."
                ),
            },
            "confirm_hours": {
                "max_value": 24 * 60,
                "label": _("Hours to confirm a report"),
                "help_text": _("After this time, a report that nobody disputes counts."),
            },
            "half_byes": {
                "max_value": MOST_TOURNAMENT_ROUNDS,
                "label": _("Half-point byes that a player may request"),
                "style": {"help": ""},
            },
            "half_byes_until_round": {
                "max_value": MOST_TOURNAMENT_ROUNDS,
                "label": _("Last round of a requested half-point bye"),
                "help_text": _("Empty: every round."),
            },
            "seed_source": {
                "label": _("Seed ratings"),
                "help_text": _(
                    "Pool: entries get their rating in the pool at the start, if they have one."
                ),
            },
            "places": {
                "min_value": 1,
                "max_value": HIGHEST_PLACE,
                "label": _("Places"),
                "help_text": _(
                    "Accepted entries at most; others are on the waiting list. Empty: no limit."
                ),
            },
            "applications": {
                "label": _("Who can apply for a place"),
                "style": {"help": _("Whoever has the organiser's link can apply in any case.")},
            },
            "fills_places": {
                "label": _("A free place goes to the first of the waiting list"),
                "help_text": _("Otherwise a director accepts the next one."),
            },
            "check_in": {
                "label": _("Players check in"),
                "help_text": _(
                    "A player who has not checked in, for the event or for the round, is not"
                    " paired."
                ),
            },
            "missed_rounds": {
                "label": _("Rounds that a late entry has missed"),
                "help_text": _("Half-point byes: as many as a player may request."),
            },
            "forecast": {
                "label": _("Forecast of the end"),
                "help_text": _("How the event can end, by simulations of the rounds to come."),
            },
            "games_per_pairing": {
                "min_value": 1,
                "max_value": 2,
                "label": _("Games of a pairing"),
                "help_text": "2: each pairing has a second game with exchanged seats; the points of"
                " the tournament are those of a pairing, and the tie-break GPTS counts the games",
                "style": {"help": _("With two, the seats are exchanged for the second game.")},
            },
            "handicap_share": {
                "min_value": 1,
                "max_value": 100,
                "label": _("Share of the difference"),
                "help_text": _("How much of the rating difference is given, in percent."),
            },
            "handicap_cap": {
                "min_value": 1,
                "max_value": MOST_HANDICAP,
                "label": _("Largest handicap"),
                "help_text": _("The most stones or points. Empty: as many as the table has."),
            },
            "handicaps": {
                "label": _("Handicaps"),
                "help_text": _(
                    "Recommended: each game has the handicap of the table for the ratings. By"
                    " hand: games are even until a director gives one."
                ),
            },
        }


class SlugField(serializers.SlugField):
    """The slug of an event, which is the last part of its address."""

    default_error_messages = {
        "invalid": _("an address has letters a to z, digits, hyphens and underscores")
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=80, label=_("Address"), **options)


AcceptChangesField = partial(
    AcceptField, [PAIRINGS, RANKS, PRIZES], "what of the published may change"
)


class ReviewSerializer(serializers.Serializer):
    reason = OptionalText(max_length=2000, label=_("Reason"))
    accept = AcceptChangesField()


class TournamentChangeSerializer(SettingsSerializer):
    """Changes of the settings; omitted values stay unchanged."""

    slug = SlugField(
        help_text="the last part of the tournament's address, which changes until registration"
        " opens",
        style={
            "help": _(
                "The end of the event's address. You can change it until registration opens; links"
                " to the old address do not work then."
            )
        },
    )
    reason = OptionalText(
        max_length=2000,
        write_only=True,
        label=_("Reason"),
        help_text=_(
            "Needed to change the number of rounds, the ranking, or what is published, once round 1"
            " is published."
        ),
    )
    accept = AcceptChangesField(write_only=True)

    class Meta(SettingsSerializer.Meta):
        fields = ["slug", *SettingsSerializer.Meta.fields]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, partial=True, **options)


def accepted_in(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a form of some settings accepts, and its reason."""
    return {name: form[name] for name in ("reason", "accept") if name in form}


class TournamentSerializer(SettingsSerializer):
    """A tournament with its slug, which names it."""

    slug = SlugField(
        required=False,
        help_text="the last part of the tournament's address; omitted: made of the name",
        style={
            "help": _(
                "The end of the event's address: letters a to z, digits and hyphens, such as "
                "spring-open-2027. Empty: made of the name."
            )
        },
    )

    class Meta(SettingsSerializer.Meta):
        fields = ["slug", *SettingsSerializer.Meta.fields]


class CopySerializer(TournamentSerializer):
    """What a copy of a tournament has of its own."""

    def get_field_names(self, declared_fields: Mapping[str, Any], info: Any) -> list[str]:
        return ["name", "slug", "starts_on"]


class ImportedTournamentSerializer(TournamentSerializer):
    """A tournament with its addresses."""

    url = serializers.SerializerMethodField()
    page_url = serializers.SerializerMethodField()

    def get_url(self, tournament: Tournament) -> str:
        return absolute_url(f"tournaments/{tournament.slug}")

    def get_page_url(self, tournament: Tournament) -> str:
        return page_url(f"e/{tournament.slug}")


class TournamentDetailSerializer(ImportedTournamentSerializer):
    """A single tournament, with the draw seed and the state of its rating."""

    separations = serializers.ListField(
        child=SeparationSerializer(), help_text="while it is running, only for its officials"
    )
    draw_seed_digest = serializers.SerializerMethodField(help_text="SHA-256, from registration on")
    draw_seed = serializers.SerializerMethodField(
        help_text="of every random draw, once a round is published or the event is final"
    )

    rating_batch = serializers.SerializerMethodField(help_text="null if it requests no rating")

    class Meta(ImportedTournamentSerializer.Meta):
        fields = [*ImportedTournamentSerializer.Meta.fields, "created_at", "updated_at"]
        read_only_fields = ["created_at"]

    def get_draw_seed_digest(self, tournament: Tournament) -> str | None:
        return published_digest(tournament)

    def get_draw_seed(self, tournament: Tournament) -> str | None:
        return published_seed(tournament)

    @extend_schema_field(described(EventRatingBatch)(allow_null=True))
    def get_rating_batch(self, tournament: Tournament) -> EventRatingBatch | None:
        return rating_as_json(tournament)


class FinalTournamentSerializer(TournamentDetailSerializer):
    """A tournament that has become final, with the task that rates its games."""

    task = TaskSerializer(required=False, help_text="if the pool accepts them; not in a dry run")

    class Meta(TournamentDetailSerializer.Meta):
        may_be_absent = ("task",)


class CreatedTournamentSerializer(TournamentDetailSerializer):
    """A tournament as it was created."""

    warnings = described(Caution)(many=True)


class TournamentWithActionsSerializer(TournamentDetailSerializer):
    """A single tournament, with what the caller can do with it."""

    warnings = described(Caution)(many=True, help_text="for its officials")
    allowed_actions = described(AllowedAction)(
        many=True, help_text="with `actions`: for its directors; `apply` for every account"
    )

    class Meta(TournamentDetailSerializer.Meta):
        may_be_absent = ("separations", "allowed_actions")


class EffectSerializer(serializers.Serializer):
    """What changes of what is published."""

    rank_changes = described(RankChange)(many=True, help_text="after the last complete round")
    prize_changes = described(PrizeChange)(many=True, help_text="after the last complete round")
    due_rounds = described(DueRound)(many=True, help_text="they would be paired differently")
    accept = serializers.ListField(child=serializers.CharField(), help_text="the codes it needs")


class EditedTournamentSerializer(EffectSerializer, CreatedTournamentSerializer):
    """A tournament after a change of its settings, with what changes of what is published."""
