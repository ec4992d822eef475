"""Serializers of pools, runs, rating lists and changes; ratings are decimals as text."""

from rest_framework import serializers

from games.serializers.fields import NamedSerializer
from ratings.models import Pool


class RunSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    engine_version = serializers.IntegerField()
    parameter_digest = serializers.CharField()
    input_digest = serializers.CharField()
    from_batch = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    made_current_at = serializers.DateTimeField(allow_null=True)


class PoolSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    preset = serializers.CharField()
    parameters = serializers.DictField(child=serializers.IntegerField())
    handicap_table = serializers.CharField(
        help_text="version of the handicap values: the project's priors, not measurements"
    )
    casual_games = serializers.ListField(child=serializers.CharField())
    run = RunSerializer(allow_null=True)


class NewPoolSerializer(serializers.ModelSerializer[Pool]):
    parameters = serializers.DictField(
        child=serializers.JSONField(),
        required=False,
        default=dict,
        help_text="whole numbers: k0, kmin, n0, start",
    )
    casual_games = serializers.ListField(
        child=serializers.CharField(max_length=32), required=False, default=list, max_length=40
    )

    class Meta:
        model = Pool
        fields = ["code", "name", "preset", "parameters", "casual_games"]


class RankedPlayerSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField()
    club = serializers.CharField()


class PlayerRatingSerializer(serializers.Serializer):
    rating = serializers.CharField(help_text="points, three decimals")
    games = serializers.IntegerField()
    provisional = serializers.BooleanField(help_text="fewer than ten games")
    inactive = serializers.BooleanField(help_text="no game for twelve months")
    last_game_at = serializers.DateTimeField()


class RatingSerializer(PlayerRatingSerializer):
    rank = serializers.IntegerField()
    player = RankedPlayerSerializer()


class PoolRatingSerializer(PlayerRatingSerializer):
    pool = serializers.CharField()


class GameReferenceSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    event = serializers.CharField()
    round = serializers.CharField()
    played_on = serializers.DateField(allow_null=True)


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
    change = serializers.CharField(help_text="the exact share of this game, nine decimals")
    after = serializers.CharField(help_text="the rating after the batch")


class PlayerChangeSerializer(ChangeSerializer):
    player = serializers.IntegerField()


class GameRatingSerializer(serializers.Serializer):
    pool = serializers.CharField()
    state = serializers.ChoiceField(["pending", "rated", "excluded"])
    exclusion = serializers.CharField(allow_null=True)
    changes = PlayerChangeSerializer(many=True)
