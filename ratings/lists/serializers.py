"""Serializers of rating lists, live and published."""

from rest_framework import serializers

from games.core.serializers import RatingNumberField
from ratings.systems.intervals import INTERVAL_METHOD

RULES = "who is on the list, and what rank and interval mean, in words"


class RankedPlayerSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField(allow_null=True)
    club = serializers.CharField(allow_null=True)


class IntervalSerializer(serializers.Serializer):
    low = serializers.IntegerField()
    high = serializers.IntegerField()


class GamesAtOnceSerializer(serializers.Serializer):
    least = serializers.FloatField(help_text="the mean size of the batches, weighted by K")
    most = serializers.FloatField(help_text="the mean weighted by the eighth power of K")


class PlayerRatingSerializer(serializers.Serializer):
    rating = RatingNumberField()
    interval = IntervalSerializer(
        allow_null=True, help_text=f"{INTERVAL_METHOD}; null where there is none"
    )
    games = serializers.IntegerField()
    games_at_once = GamesAtOnceSerializer(
        help_text="how many games of the player were rated together, which the interval depends on"
    )
    provisional = serializers.BooleanField(help_text="fewer than ten games")
    inactive = serializers.BooleanField(help_text="no game for twelve months")
    last_game_at = serializers.DateTimeField()


class RatingSerializer(PlayerRatingSerializer):
    rank = serializers.IntegerField()
    player = RankedPlayerSerializer()


class PlaceSerializer(RatingSerializer):
    rank = serializers.IntegerField(allow_null=True, help_text="null: not on the list")
    rules = serializers.DictField(child=serializers.CharField(), help_text=RULES)


class PoolRatingSerializer(PlayerRatingSerializer):
    pool = serializers.CharField()


class PublishedListSerializer(serializers.Serializer):
    pool = serializers.CharField()
    published_on = serializers.DateField()
    published_at = serializers.DateTimeField()
    run = serializers.IntegerField(help_text="the number of the run that computed the ratings")
    input_digest = serializers.CharField(help_text="of the run")
    players = serializers.IntegerField()
    rules = serializers.DictField(child=serializers.CharField(), help_text=RULES)
    ratings = serializers.CharField(help_text="the address of the rows; also with .csv, .ndjson")
