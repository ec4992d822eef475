"""Serializers of runs, and of the changes of ratings; ratings are decimals as text."""

from rest_framework import serializers

from games.core.serializers import NamedSerializer
from games.play.serializers import TournamentNameSerializer
from ratings.models import BatchGame


class RunSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    engine_version = serializers.IntegerField()
    parameter_digest = serializers.CharField()
    input_digest = serializers.CharField()
    from_batch = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    made_current_at = serializers.DateTimeField(allow_null=True)


class GameReferenceSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    url = serializers.URLField(help_text="of its page")
    tournament = TournamentNameSerializer(allow_null=True, help_text="null for a casual game")
    round = serializers.IntegerField(allow_null=True)
    board = serializers.IntegerField(allow_null=True)
    played_on = serializers.DateField(allow_null=True)


class BandSerializer(serializers.Serializer):
    expected_at_pairing = serializers.CharField(
        allow_null=True,
        help_text="six decimals, by the ratings at pairing; null if a player had none",
    )
    least = serializers.CharField(help_text="the limit of the pool now, six decimals")
    most = serializers.CharField()


class ChangeSerializer(serializers.Serializer):
    pool = serializers.CharField()
    run = serializers.IntegerField()
    game = GameReferenceSerializer()
    effective_at = serializers.DateTimeField()
    seat = serializers.ChoiceField(["first", "second"])
    opponent = NamedSerializer()
    score = serializers.ChoiceField(["1", "0.5", "0"])
    before = serializers.CharField(help_text="the rating before the batch")
    opponent_before = serializers.CharField()
    handicap_part = serializers.CharField(help_text="the value of the conditions, in points")
    expected = serializers.CharField(help_text="six decimals")
    k = serializers.CharField()
    band = BandSerializer(
        help_text="a game whose expected score at pairing was outside the limits is not rated"
    )
    explanation = serializers.CharField(help_text="why K is what it is, in words")
    change = serializers.CharField(help_text="the exact share of this game, nine decimals")
    after = serializers.CharField(help_text="the rating after the batch")


class PlayerRatingChangeSerializer(ChangeSerializer):
    player = NamedSerializer()


class RatingAfterRunSerializer(serializers.Serializer):
    rating = serializers.CharField(help_text="points, three decimals")
    games = serializers.IntegerField()


class RatingDifferenceSerializer(serializers.Serializer):
    """A rating is null if the player has none after that run."""

    player = NamedSerializer()
    before = RatingAfterRunSerializer(allow_null=True)
    after = RatingAfterRunSerializer(allow_null=True)
    difference = serializers.CharField(allow_null=True, help_text="points, three decimals")


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
