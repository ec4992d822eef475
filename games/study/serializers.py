"""Serializers of found games and of the turns that follow an opening."""

from rest_framework import serializers

from games.core.serializers import EstimateField, RatingNumberField
from games.play.serializers import GameSerializer
from games.rules.seat import Seat


class SeatRatingsSerializer(serializers.Serializer):
    first = RatingNumberField(allow_null=True)
    second = RatingNumberField(allow_null=True)


class FoundGameSerializer(GameSerializer):
    ratings = SeatRatingsSerializer(help_text="when the players were paired; null without one")
    ply = serializers.IntegerField(help_text="the plies after which the pattern is on the board")


class ContinuationSerializer(serializers.Serializer):
    move = serializers.CharField(help_text="in the orientation of the request")
    equal = serializers.ListField(
        child=serializers.CharField(), help_text="all turns that are the same up to a symmetry"
    )
    games = serializers.IntegerField()
    wins = serializers.IntegerField(help_text="of the seat that plays the turn, as all results")
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    share = EstimateField(help_text="of the points: a win counts one, a draw one half")
    rating = RatingNumberField(
        allow_null=True, help_text="the mean of those who played it, when they were paired"
    )
    last_played_on = serializers.DateField(allow_null=True)


class NextMovesSerializer(serializers.Serializer):
    moves = serializers.ListField(child=serializers.CharField(), help_text="in canonical spelling")
    to_move = serializers.ChoiceField([*Seat])
    games = serializers.IntegerField(help_text="public games that begin like this")
    ended = serializers.IntegerField(help_text="those that ended here")
    results = ContinuationSerializer(many=True)
