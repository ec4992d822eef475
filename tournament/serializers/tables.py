"""The shapes of standings and crosstables."""

from rest_framework import serializers

from tournament.serializers.entries import EntryPlayer


class TableHead(serializers.Serializer):
    """What every table begins with."""

    tournament = serializers.CharField()
    round = serializers.IntegerField(help_text="the last round that counts")
    provisional = serializers.BooleanField(help_text="rounds are still to come")
    computed = serializers.ChoiceField(
        ["now", "then"], help_text="from the results as they are now, or as they stood"
    )
    stood_at = serializers.DateTimeField(
        required=False, help_text="when an old round asked for by ?round= stood so"
    )


class TermSerializer(serializers.Serializer):
    round = serializers.IntegerField(help_text="0 for what no round gave")
    opponent = serializers.IntegerField(allow_null=True, help_text="a pairing number")
    basis = serializers.CharField(help_text="what the value is drawn from, as an opponent's score")
    value = serializers.CharField(
        help_text="what counts unless it is cut: a part of the sum or mean, the points of a game"
    )
    why = serializers.CharField()
    cut = serializers.CharField(allow_null=True)


class StandingsRow(serializers.Serializer):
    rank = serializers.IntegerField()
    number = serializers.IntegerField(help_text="the pairing number")
    player = EntryPlayer()
    seed_rating = serializers.IntegerField()
    values = serializers.DictField(
        child=serializers.CharField(allow_null=True),
        help_text="exact decimals by tie-break code, null where a value is not defined",
    )
    terms = serializers.DictField(
        child=TermSerializer(many=True), required=False, help_text="by code, with ?terms=1"
    )


class CorrectedRow(serializers.Serializer):
    number = serializers.IntegerField()
    player = EntryPlayer()
    rank = serializers.ListField(child=serializers.IntegerField(), help_text="then, now")
    values = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(allow_null=True)),
        help_text="what differs by code: then, now",
    )


class StandingsSerializer(TableHead):
    tiebreaks = serializers.ListField(child=serializers.CharField())
    rows = StandingsRow(many=True)
    digest = serializers.CharField(required=False, help_text="of the crosstable that it stood on")
    corrected = CorrectedRow(many=True, required=False, help_text="what differs by now")


class CrosstableLine(serializers.Serializer):
    line = serializers.IntegerField(help_text="what the cells of others call this line")
    rank = serializers.IntegerField()
    number = serializers.IntegerField(help_text="the pairing number")
    player = EntryPlayer()
    cells = serializers.ListField(child=serializers.CharField(allow_blank=True))
    points = serializers.CharField()


class CorrectedCells(serializers.Serializer):
    number = serializers.IntegerField()
    player = EntryPlayer()
    points = serializers.ListField(child=serializers.CharField(), help_text="then, now")
    cells = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(allow_blank=True)),
        help_text="what differs by column: then, now; opponents by their labels of then",
    )


class CrosstableSerializer(TableHead):
    order = serializers.ChoiceField(["rank", "number"])
    shape = serializers.ChoiceField(["rounds", "square"])
    digest = serializers.CharField(help_text="SHA-256 over every result")
    columns = serializers.ListField(child=serializers.CharField())
    lines = CrosstableLine(many=True)
    corrected = CorrectedCells(many=True, required=False, help_text="what differs by now")
