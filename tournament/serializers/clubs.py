"""The shapes of the totals of clubs and federations."""

from rest_framework import serializers

from tournament.serializers.entries import EntryPlayer
from tournament.serializers.tables import TableHead
from tournament.standings.clubs import GroupBy


class CountedPlayer(serializers.Serializer):
    rank = serializers.IntegerField()
    number = serializers.IntegerField(help_text="the pairing number")
    player = EntryPlayer()
    points = serializers.CharField(help_text="an exact decimal")


class ClubRowSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    shared = serializers.BooleanField(help_text="whether another one stands at the same place")
    name = serializers.CharField()
    points = serializers.CharField(help_text="of the counted players together")
    missing = serializers.IntegerField(help_text="how many players it lacks to `best`")
    players = CountedPlayer(many=True, help_text="who counts, best first")


class CorrectedClub(serializers.Serializer):
    name = serializers.CharField()
    rank = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="then, now; null: not there"
    )
    points = serializers.ListField(
        child=serializers.CharField(allow_null=True), help_text="then, now"
    )


class ClubsSerializer(TableHead):
    by = serializers.ChoiceField([side.value for side in GroupBy])
    best = serializers.IntegerField(help_text="how many players of each are added up")
    tiebreaks = serializers.ListField(child=serializers.CharField())
    rows = ClubRowSerializer(many=True)
    corrected = CorrectedClub(many=True, required=False, help_text="what differs by now")
