"""Serializers of tournaments and their settings."""

import re
from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.serializers.fields import AllowedActionSerializer, CountryField, validate_text
from ratings.serializers.pools import OfficerSerializer
from ratings.systems.handicap import LARGEST
from ratings.systems.recommendation import CatalogueKind
from tournament.models import Tournament
from tournament.queries.rating import RATING_STATES, rating_as_json
from tournament.serializers.prizes import PrizeGroupsField
from tournament.serializers.systems import SeparationSerializer, SystemOptionsField
from tournament.services.draw_seed import published_digest, published_seed
from tournament.services.setup import MOST_TOURNAMENT_ROUNDS
from tournament.standings.prizes import MOST_GROUPS

MOST_SEPARATIONS = 40
MOST_HANDICAP = max(LARGEST.values())
FIRST_YEAR, LAST_YEAR = 1900, 2199
NUMBER_OF_POINTS = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,4}|/[1-9][0-9]?)?", re.ASCII)


def validate_date(day: date) -> None:
    """Reject a date that TRF files cannot contain, such as one in the year 1."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise serializers.ValidationError(f"the year must be from {FIRST_YEAR} to {LAST_YEAR}")


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
            raise serializers.ValidationError(f"{wrong[0][:20]!r} is not a number of points")
        return {str(name): str(value) for name, value in values.items()}


class TournamentChangeSerializer(serializers.ModelSerializer[Tournament]):
    """The settings that can change; the service checks the keys (game, system, tiebreaks, pool)."""

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
    missed_rounds = serializers.ChoiceField(
        Tournament.MissedRounds.choices,
        required=False,
        help_text="half: a late entry has half-point byes, as many as `half_byes` allows",
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
            "time_control", "state", "public", "game", "board", "options", "swap", "rated",
            "pool", "confirm_hours", "system", "rounds", "points", "tiebreaks", "initial_seat",
            "half_byes", "prizes", "system_options", "separations", "balance_seats",
            "games_per_pairing", "handicaps", "handicap_share", "handicap_cap", "handicap_kinds",
            "half_byes_until_round", "missed_rounds", "seed_source",
        ]  # fmt: skip
        read_only_fields = ["state"]
        extra_kwargs = {
            **{
                name: {"validators": [validate_text]}
                for name in ("name", "place", "arbiter", "time_control")
            },
            **{name: {"validators": [validate_date]} for name in ("starts_on", "ends_on")},
        }


class TournamentSerializer(TournamentChangeSerializer):
    """A tournament with its slug, which names it and cannot change."""

    slug = serializers.SlugField(max_length=80, required=False)

    class Meta(TournamentChangeSerializer.Meta):
        fields = ["slug", *TournamentChangeSerializer.Meta.fields]


class TournamentRatingSerializer(serializers.Serializer):
    """The rating of an event in its pool: `approved` before it is final, then that of the batch."""

    pool = serializers.CharField()
    state = serializers.ChoiceField(
        RATING_STATES, help_text="waiting: for the approval of an officer of the pool"
    )
    reason = serializers.CharField(help_text="of the officer who refused or withdrew it")
    batch = serializers.IntegerField(allow_null=True)


class TournamentDetailSerializer(TournamentSerializer):
    """A single tournament, with the draw seed and the state of its rating."""

    separations = serializers.ListField(
        child=SeparationSerializer(),
        read_only=True,
        allow_null=True,
        help_text="null while the event is running, except for its officials",
    )
    draw_seed_digest = serializers.SerializerMethodField(
        help_text="SHA-256 of the draw seed, once registration is open"
    )
    draw_seed = serializers.SerializerMethodField(
        help_text="the seed of every random draw, once a round is published or the event is final"
    )

    rating = serializers.SerializerMethodField(help_text="null if the event requests no rating")

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "draw_seed_digest", "draw_seed", "rating"]

    def to_representation(self, tournament: Tournament) -> dict[str, Any]:
        """Return the tournament, without separations if it is read as published."""
        body: dict[str, Any] = super().to_representation(tournament)
        return body | {"separations": None} if tournament.as_published else body

    def get_draw_seed_digest(self, tournament: Tournament) -> str | None:
        """Return the digest of the draw seed once registration is open."""
        return published_digest(tournament)

    def get_draw_seed(self, tournament: Tournament) -> str | None:
        """Return the draw seed once a round is published or the tournament is final."""
        return published_seed(tournament)

    @extend_schema_field(TournamentRatingSerializer(allow_null=True))
    def get_rating(self, tournament: Tournament) -> dict[str, Any] | None:
        """Return the state of the rating; None if the tournament requests none."""
        return rating_as_json(tournament)


class TournamentWithActionsSerializer(TournamentDetailSerializer):
    """A single tournament, with what the caller can do with it."""

    allowed_actions = AllowedActionSerializer(
        many=True, read_only=True, help_text="for its directors; else empty"
    )

    class Meta(TournamentDetailSerializer.Meta):
        fields = [*TournamentDetailSerializer.Meta.fields, "allowed_actions"]


class RankChangeSerializer(serializers.Serializer):
    pairing_number = serializers.IntegerField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class EditedTournamentSerializer(TournamentDetailSerializer):
    """A tournament after a change of its settings."""

    rank_changes = RankChangeSerializer(
        many=True, read_only=True, help_text="after the last complete round, by other tie-breaks"
    )

    class Meta(TournamentDetailSerializer.Meta):
        fields = [*TournamentDetailSerializer.Meta.fields, "rank_changes"]


class RatingRequestSerializer(serializers.Serializer):
    """An event that requests its rating in a pool, for the officers of the pool."""

    slug = serializers.CharField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    state = serializers.ChoiceField(Tournament.State.choices)
    public = serializers.BooleanField()
    organiser = OfficerSerializer(allow_null=True)
    rating = TournamentRatingSerializer()
