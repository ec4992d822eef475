"""Serializers of runs, and of the changes of ratings."""

from rest_framework import serializers

from games.core.openapi.types import described
from games.core.references import TournamentReference
from games.core.serializers import ExpectedScoreField, NamedSerializer, RatingNumberField
from games.rules.seat import Seat
from ratings.core.serializers import SHARE_OF_CHANGE
from ratings.models import BatchGame


class RunSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    engine_version = serializers.IntegerField()
    parameter_digest = serializers.CharField()
    input_digest = serializers.CharField()
    from_batch = serializers.IntegerField(
        allow_null=True, help_text="the id of the first batch that it rated"
    )
    created_at = serializers.DateTimeField()
    made_current_at = serializers.DateTimeField(allow_null=True)


class GameReferenceSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    url = serializers.URLField(help_text="of its page")
    tournament = described(TournamentReference)(allow_null=True, help_text="null for a casual game")
    round = serializers.IntegerField(allow_null=True)
    board = serializers.IntegerField(allow_null=True)
    played_on = serializers.DateField(allow_null=True)


class BandSerializer(serializers.Serializer):
    expected_at_pairing = ExpectedScoreField(
        allow_null=True, help_text="by the ratings at pairing; null if a player had none"
    )
    least = ExpectedScoreField(help_text="the limit of the pool now")
    most = ExpectedScoreField()


class ChangeSerializer(serializers.Serializer):
    pool = serializers.CharField()
    run = serializers.IntegerField(help_text="its number in the pool")
    game = GameReferenceSerializer()
    effective_at = serializers.DateTimeField()
    seat = serializers.ChoiceField([*Seat], help_text="of the player")
    opponent = NamedSerializer()
    score = serializers.ChoiceField(["1", "0.5", "0"])
    before = RatingNumberField(
        allow_null=True, help_text="the rating before the batch; null: unrated"
    )
    opponent_before = RatingNumberField(allow_null=True, help_text="null: unrated")
    handicap_part = RatingNumberField(help_text="the value of the conditions, in points")
    expected = ExpectedScoreField()
    k = RatingNumberField()
    band = BandSerializer(
        help_text="a game whose expected score at pairing was outside the limits is not rated"
    )
    explanation = serializers.CharField(help_text="why K is what it is, in words")
    change = RatingNumberField(help_text=SHARE_OF_CHANGE)
    after = RatingNumberField(
        allow_null=True,
        help_text="the rating after the batch; null: unrated, as below 1400 in FIDE's system",
    )


class PlayerRatingChangeSerializer(ChangeSerializer):
    player = NamedSerializer()


class GameRatingSerializer(serializers.Serializer):
    pool = serializers.CharField()
    state = serializers.ChoiceField(["pending", "rated", "excluded"])
    exclusion = serializers.ChoiceField(
        BatchGame.Exclusion.choices, allow_null=True, help_text="the code of why it is not rated"
    )
    reason = serializers.CharField(
        allow_null=True, help_text="why it is not rated, in words; else null"
    )
    changes = PlayerRatingChangeSerializer(many=True)
