"""Serializers of the ratings of an event, for the description of the API."""

from rest_framework import serializers

from games.core.serializers import NamedSerializer


class EventRatingSerializer(serializers.Serializer):
    player = NamedSerializer()
    games = serializers.IntegerField(help_text="rated games")
    score = serializers.CharField(help_text="one decimal")
    expected = serializers.CharField(help_text="the sum of the expected scores, six decimals")
    performance = serializers.IntegerField(
        allow_null=True,
        help_text="the lowest rating with an expected score of at least the score, by FIDE's table"
        " (C.07 10.3); a handicap counts as rating points of the opponent; null without a rated"
        " opponent",
    )
    before = serializers.CharField()
    change = serializers.CharField()
    after = serializers.CharField()


class EventRatingsSerializer(serializers.Serializer):
    pool = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(
        ["rated", "expected", "unrated"],
        help_text="`expected`: not rated yet; what the results so far would change now; `unrated`:"
        " the event requests no rating",
    )
    rows = EventRatingSerializer(many=True)
