"""Serializers of tournaments: in lists, alone, and after a change."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.core.serializers import AllowedActionSerializer
from ratings.core.serializers import OfficerSerializer
from tournament.events.rating import RATING_STATES, rating_as_json
from tournament.events.serializers import TournamentChangeSerializer
from tournament.events.systems import SeparationSerializer
from tournament.models import Tournament
from tournament.rounds.draw_seed import published_digest, published_seed


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
        many=True, read_only=True, help_text="for its directors; `apply` for every account"
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
