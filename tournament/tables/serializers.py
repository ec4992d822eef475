"""The JSON of standings and crosstables."""

from typing import Any

from rest_framework import serializers

from tournament.core.serializers import PlayerSummarySerializer


class TableHeadSerializer(serializers.Serializer):
    """The members that the JSON of every table begins with."""

    tournament = serializers.CharField()
    round = serializers.IntegerField(help_text="the last round that counts")
    provisional = serializers.BooleanField(help_text="true if more rounds follow")
    source: Any = serializers.ChoiceField(
        ["snapshot", "current"],
        help_text="the snapshot of a round, or the current results",
    )
    as_of = serializers.DateTimeField(
        required=False, help_text="the time of the snapshot, if that is the source"
    )


class TermSerializer(serializers.Serializer):
    round = serializers.IntegerField(help_text="0 for a part that belongs to no round")
    opponent = serializers.IntegerField(allow_null=True, help_text="a pairing number")
    basis = serializers.CharField(
        help_text="what the value is computed from, as an opponent's score"
    )
    value = serializers.CharField(
        help_text="what counts unless it is cut: a part of the sum or mean, the points of a game"
    )
    why = serializers.CharField()
    cut = serializers.CharField(allow_null=True)


class StandingsRowSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    number = serializers.IntegerField(help_text="the pairing number")
    player = PlayerSummarySerializer()
    seed_rating = serializers.IntegerField()
    values = serializers.DictField(
        child=serializers.CharField(allow_null=True),
        help_text="exact decimals by tie-break code, null where a value is undefined",
    )
    terms = serializers.DictField(
        child=TermSerializer(many=True), required=False, help_text="by code, with ?terms=1"
    )


class CorrectedRowSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    player = PlayerSummarySerializer()
    rank = serializers.ListField(child=serializers.IntegerField(), help_text="snapshot, current")
    values = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(allow_null=True)),
        help_text="the values that differ, by code: snapshot, current",
    )


class AdjournedGameSerializer(serializers.Serializer):
    """A game without a result so far, with the pairing numbers of its players."""

    round = serializers.IntegerField()
    first = serializers.IntegerField()
    second = serializers.IntegerField()


class StandingsSerializer(TableHeadSerializer):
    adjourned = AdjournedGameSerializer(many=True)
    tiebreaks = serializers.ListField(child=serializers.CharField())
    rows = StandingsRowSerializer(many=True)
    digest = serializers.CharField(
        required=False, help_text="of the crosstable of the snapshot, if that is the source"
    )
    corrected = CorrectedRowSerializer(many=True, required=False)


class CrosstableLineSerializer(serializers.Serializer):
    line = serializers.IntegerField(help_text="the label of this line in the cells of others")
    rank = serializers.IntegerField()
    number = serializers.IntegerField(help_text="the pairing number")
    player = PlayerSummarySerializer()
    cells = serializers.ListField(child=serializers.CharField(allow_blank=True))
    points = serializers.CharField()


class CorrectedCellsSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    player = PlayerSummarySerializer()
    points = serializers.ListField(child=serializers.CharField(), help_text="snapshot, current")
    cells = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(allow_blank=True)),
        help_text="the cells that differ, by column: snapshot, current; opponents have the labels"
        " of the snapshot",
    )


class CrosstableSerializer(TableHeadSerializer):
    adjourned = AdjournedGameSerializer(many=True)
    order = serializers.ChoiceField(["rank", "number"])
    shape = serializers.ChoiceField(["rounds", "square"])
    digest = serializers.CharField(help_text="SHA-256 of all results")
    columns = serializers.ListField(child=serializers.CharField())
    lines = CrosstableLineSerializer(many=True)
    corrected = CorrectedCellsSerializer(many=True, required=False)
