"""The JSON of the totals of clubs and federations."""

from rest_framework import serializers

from tournament.core.serializers import PlayerSummarySerializer
from tournament.standings.clubs import GroupBy
from tournament.tables.serializers import TableHeadSerializer


class CountedPlayerSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    number = serializers.IntegerField(help_text="the pairing number")
    player = PlayerSummarySerializer()
    points = serializers.CharField(help_text="an exact decimal")


class ClubRowSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    shared = serializers.BooleanField(help_text="true if another club has the same rank")
    name = serializers.CharField()
    points = serializers.CharField(help_text="the sum of the counted players' points")
    missing = serializers.IntegerField(help_text="the number of players short of `best`")
    players = CountedPlayerSerializer(many=True, help_text="the counted players, best first")


class CorrectedClubSerializer(serializers.Serializer):
    name = serializers.CharField()
    rank = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        help_text="snapshot, current; null without players",
    )
    points = serializers.ListField(
        child=serializers.CharField(allow_null=True), help_text="snapshot, current"
    )


class ClubsSerializer(TableHeadSerializer):
    by = serializers.ChoiceField([group.value for group in GroupBy])
    best = serializers.IntegerField(help_text="the number of players of each club that count")
    tiebreaks = serializers.ListField(child=serializers.CharField())
    rows = ClubRowSerializer(many=True)
    corrected = CorrectedClubSerializer(many=True, required=False)
