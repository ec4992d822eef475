"""The shapes of tournaments: what is sent of the set-up, and what is shown of it."""

import re
from datetime import date
from typing import Any

from rest_framework import serializers

from games.serializers.fields import CountryField, validate_text
from tournament.models import Tournament
from tournament.serializers.prizes import PrizeGroupsField
from tournament.serializers.systems import SeparationSerializer, SystemOptionsField
from tournament.services.draw_seed import published_digest, published_seed
from tournament.services.setup import MOST_TOURNAMENT_ROUNDS
from tournament.standings.prizes import MOST_GROUPS

MOST_SEPARATIONS = 40
FIRST_YEAR, LAST_YEAR = 1900, 2199
NUMBER_OF_POINTS = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,4}|/[1-9][0-9]?)?", re.ASCII)


def validate_date(day: date) -> None:
    """Refuse a day that no event is played on, and that time zones and reports cannot write."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise serializers.ValidationError(f"a year lies between {FIRST_YEAR} and {LAST_YEAR}")


class PointsField(serializers.DictField):
    """Points by kind of result, `{"win": 3, "draw": 1}`; decimals and `1/2` as text."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Names and values as text; what they mean is checked with the whole set-up."""
        values = super().to_internal_value(data)
        wrong = [
            name
            for name, value in values.items()
            if isinstance(value, bool)
            or not isinstance(value, str | int | float)
            or not NUMBER_OF_POINTS.fullmatch(str(value))
        ]
        if wrong:
            raise serializers.ValidationError(f"{wrong[0][:20]!r} is no number of points")
        return {str(name): str(value) for name, value in values.items()}


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament; the keys (game, system, tiebreaks, pool) are checked against their dicts."""

    slug = serializers.SlugField(max_length=80, required=False)
    country = CountryField()
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
    initial_seat = serializers.ChoiceField(["first", "second"], required=False)
    system_options = SystemOptionsField(
        required=False, help_text="what `rules/systems` lists for the system"
    )
    separations = serializers.ListField(
        child=SeparationSerializer(), required=False, max_length=MOST_SEPARATIONS
    )
    prizes = PrizeGroupsField(required=False, max_length=MOST_GROUPS)

    class Meta:
        model = Tournament
        fields = [
            "slug", "name", "place", "country", "starts_on", "ends_on", "time_zone", "arbiter",
            "time_control", "state", "public", "game", "board", "options", "swap", "rated",
            "pool", "confirm_hours", "system", "rounds", "points", "tiebreaks", "initial_seat",
            "half_byes", "prizes", "system_options", "separations", "balance_seats",
        ]  # fmt: skip
        read_only_fields = ["state"]
        extra_kwargs = {
            **{
                name: {"validators": [validate_text]}
                for name in ("name", "place", "arbiter", "time_control")
            },
            **{name: {"validators": [validate_date]} for name in ("starts_on", "ends_on")},
        }


class TournamentPage(TournamentSerializer):
    """A tournament by itself, with what it has promised of its lots."""

    draw_seed_digest = serializers.SerializerMethodField(
        help_text="SHA-256 of the seed of all lots, from the opening of registration on"
    )
    draw_seed = serializers.SerializerMethodField(
        help_text="the seed, once a round is published or the event is final"
    )

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "draw_seed_digest", "draw_seed"]

    def get_draw_seed_digest(self, tournament: Tournament) -> str | None:
        """The seed's digest, once registration is open."""
        return published_digest(tournament)

    def get_draw_seed(self, tournament: Tournament) -> str | None:
        """The seed, once it has served."""
        return published_seed(tournament)
