"""Serializers of the settings of a tournament."""

import re
from datetime import date
from typing import Any

from rest_framework import serializers

from games.http.texts import translated
from games.rules.text import Text
from games.serializers.fields import (
    TIME_CLASS,
    CountryField,
    IncrementSecondsField,
    MainMinutesField,
    validate_text,
)
from games.time_controls import TimeClass
from ratings.systems.handicap import LARGEST_HANDICAPS
from ratings.systems.recommendation import CatalogueKind
from tournament.models import Tournament
from tournament.serializers.prizes import PrizeGroupsField
from tournament.serializers.systems import SeparationSerializer, SystemOptionsField
from tournament.services.setup import MOST_TOURNAMENT_ROUNDS
from tournament.standings.prizes import MOST_GROUPS

MOST_SEPARATIONS = 40
MOST_HANDICAP = max(LARGEST_HANDICAPS.values())
HIGHEST_PLACE = 100_000
FIRST_YEAR, LAST_YEAR = 1900, 2199
NUMBER_OF_POINTS = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,4}|/[1-9][0-9]?)?", re.ASCII)


def validate_date(day: date) -> None:
    """Reject a date that TRF files cannot contain, such as one in the year 1."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise serializers.ValidationError(
            translated(
                Text(
                    "the year must be from %(first)s to %(last)s", first=FIRST_YEAR, last=LAST_YEAR
                )
            )
        )


class PointsField(serializers.DictField):
    """Points by kind of result, as `{"win": 3, "draw": "1/2"}`: numbers, decimals or fractions."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Return names and values as text; the service checks their meaning."""
        values = super().to_internal_value(data)
        wrong = [
            name
            for name, value in values.items()
            if isinstance(value, bool)
            or not isinstance(value, str | int | float)
            or not NUMBER_OF_POINTS.fullmatch(str(value))
        ]
        if wrong:
            raise serializers.ValidationError(
                translated(Text("%(value)s is not a number of points", value=f"{wrong[0][:20]!r}"))
            )
        return {str(name): str(value) for name, value in values.items()}


class TournamentChangeSerializer(serializers.ModelSerializer[Tournament]):
    """The settings that can change; the service checks the keys (game, system, tiebreaks, pool)."""

    country = CountryField()
    main_minutes = MainMinutesField()
    increment_seconds = IncrementSecondsField()
    time_class = serializers.ChoiceField(
        [*TimeClass], read_only=True, allow_null=True, help_text=TIME_CLASS
    )
    options = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, max_length=8
    )
    points = PointsField(required=False)
    tiebreaks = serializers.ListField(
        child=serializers.CharField(max_length=16), required=False, max_length=12, min_length=1
    )
    rounds = serializers.IntegerField(min_value=1, max_value=MOST_TOURNAMENT_ROUNDS)
    confirm_hours = serializers.IntegerField(min_value=0, max_value=24 * 60, required=False)
    half_byes = serializers.IntegerField(
        min_value=0, max_value=MOST_TOURNAMENT_ROUNDS, required=False
    )
    half_byes_until_round = serializers.IntegerField(
        min_value=0,
        max_value=MOST_TOURNAMENT_ROUNDS,
        required=False,
        allow_null=True,
        help_text="the last round that can have a half-point bye; null: every round",
    )
    seed_source = serializers.ChoiceField(
        Tournament.SeedSource.choices,
        required=False,
        help_text="pool: entries get their rating in the pool at the start, if they have one",
    )
    places = serializers.IntegerField(
        min_value=1,
        max_value=HIGHEST_PLACE,
        required=False,
        allow_null=True,
        help_text="of accepted entries; null: no limit",
    )
    fills_places = serializers.BooleanField(
        required=False,
        help_text=(
            "true: before the start, the first of the waiting list gets a free place; else a "
            "director accepts"
        ),
    )
    check_in = serializers.ChoiceField(
        Tournament.CheckIn.choices,
        required=False,
        help_text="event, round: a player who has not checked in for it is not paired",
    )
    missed_rounds = serializers.ChoiceField(
        Tournament.MissedRounds.choices,
        required=False,
        help_text="half: a late entry has half-point byes, as many as `half_byes` allows",
    )
    forecast = serializers.ChoiceField(
        Tournament.Forecasts.choices,
        required=False,
        help_text="who sees how the event can end: everyone, its officials, or nobody",
    )
    initial_seat = serializers.ChoiceField(["first", "second"], required=False)
    games_per_pairing = serializers.IntegerField(
        min_value=1,
        max_value=2,
        required=False,
        help_text=(
            "2: each pairing has a second game with exchanged seats; the points of the event are "
            "those of a pairing, and the tie-break GPTS counts the games"
        ),
    )
    handicap_share = serializers.IntegerField(
        min_value=1,
        max_value=100,
        required=False,
        help_text="how much of the rating difference is given, in percent",
    )
    handicap_cap = serializers.IntegerField(
        min_value=1,
        max_value=MOST_HANDICAP,
        required=False,
        allow_null=True,
        help_text="the most stones or points to recommend; null for as many as the table has",
    )
    handicap_kinds = serializers.ListField(
        child=serializers.ChoiceField([*CatalogueKind]),
        required=False,
        max_length=len(CatalogueKind),
        help_text="what to recommend; empty for all kinds that have a value in these games",
    )
    system_options = SystemOptionsField(
        required=False, help_text="options of the system, as in `rules/systems`"
    )
    separations = serializers.ListField(
        child=SeparationSerializer(), required=False, max_length=MOST_SEPARATIONS
    )
    prizes = PrizeGroupsField(required=False, max_length=MOST_GROUPS)

    class Meta:
        model = Tournament
        fields = [
            "name", "place", "country", "starts_on", "ends_on", "time_zone", "arbiter",
            "time_control", "main_minutes", "increment_seconds", "time_class",
            "state", "public", "game", "board", "options", "swap", "rated",
            "pool", "confirm_hours", "system", "rounds", "points", "tiebreaks", "initial_seat",
            "half_byes", "prizes", "system_options", "separations", "balance_seats",
            "games_per_pairing", "handicaps", "handicap_table", "handicap_share", "handicap_cap",
            "handicap_kinds",
            "half_byes_until_round", "missed_rounds", "seed_source",
            "places", "fills_places", "check_in", "forecast",
        ]  # fmt: skip
        read_only_fields = ["state"]
        extra_kwargs = {
            "handicaps": {
                "help_text": "recommended: each game has the handicap that the table of the pool "
                "gives for the ratings; by_hand: games are even until a director gives one"
            },
            "handicap_table": {
                "help_text": "version of the handicap values; empty for that of the pool at the "
                "start, which then stays until the end"
            },
            **{
                name: {"validators": [validate_text]}
                for name in ("name", "place", "arbiter", "time_control")
            },
            **{name: {"validators": [validate_date]} for name in ("starts_on", "ends_on")},
        }
