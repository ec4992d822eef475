"""The JSON of a forecast."""

from rest_framework import serializers

from games.core.serializers import EstimateField, PointsTextField, RatingNumberField
from games.core.uploads.tasks import TaskSerializer
from tournament.core.serializers import ListedEntrySerializer


class ChanceSerializer(serializers.Serializer):
    chance = EstimateField(help_text="from 0 to 1")
    error = EstimateField(help_text="the sampling error: half an interval of 95 %")
    certain = serializers.BooleanField(
        allow_null=True, help_text="what the points alone prove; null if they prove nothing"
    )


class RatingOutlookSerializer(serializers.Serializer):
    expected = RatingNumberField(help_text="the mean change by all games of the tournament")
    deviation = RatingNumberField(help_text="the standard deviation of the change")


class ForecastRowSerializer(ListedEntrySerializer):
    rating = serializers.IntegerField(help_text="by which the results were drawn")
    points = PointsTextField(help_text="after the complete rounds")
    win = ChanceSerializer(help_text="to be first")
    top = ChanceSerializer(help_text="to be among the first `top`")
    expected_rank = EstimateField(help_text="the mean of the simulations")
    best_rank = serializers.IntegerField(help_text="5 % of the simulations are better")
    worst_rank = serializers.IntegerField(help_text="5 % of the simulations are worse")
    rating_change = RatingOutlookSerializer(
        allow_null=True,
        help_text="null if the tournament is not rated, or the player has no rating",
    )


class ForecastSerializer(serializers.Serializer):
    tournament = serializers.CharField()
    round = serializers.IntegerField(help_text="the last complete round")
    rounds = serializers.IntegerField()
    digest = serializers.CharField(help_text="of the state of the tournament, also the seed")
    computed_at = serializers.DateTimeField()
    simulations = serializers.IntegerField()
    ended_early = serializers.IntegerField(
        help_text="simulations in which a round had no legal pairing"
    )
    error = EstimateField(help_text="the largest sampling error of a chance")
    top = serializers.IntegerField()
    rows = ForecastRowSerializer(many=True, help_text="the most likely winner first")


class ForecastTaskSerializer(serializers.Serializer):
    task = TaskSerializer(
        allow_null=True,
        required=False,
        help_text="null if a newer state of the event replaced it just now; a dry run has none",
    )
