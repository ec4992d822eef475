"""The shapes of imports and of what they answer."""

from typing import Any

from rest_framework import serializers

from tournament.serializers.tournaments import day_of_play


class ReportSetUp(serializers.Serializer):
    """What an address says of an event that its report cannot."""

    game = serializers.CharField(max_length=32)
    board = serializers.CharField(max_length=12)
    system = serializers.CharField(max_length=24, required=False)
    slug = serializers.SlugField(max_length=80, required=False)
    name = serializers.CharField(max_length=120, required=False)
    starts_on = serializers.DateField(required=False, validators=[day_of_play])
    ends_on = serializers.DateField(required=False, validators=[day_of_play])
    tiebreaks = serializers.CharField(max_length=200, required=False)
    pool = serializers.CharField(max_length=40, required=False)
    rated = serializers.BooleanField(required=False)
    public = serializers.BooleanField(required=False)

    def validate_tiebreaks(self, text: str) -> list[str]:
        """The codes of a list."""
        return text.split(",")

    def to_internal_value(self, data: Any) -> Any:
        """Only what was sent: an unchecked box of a form is no answer."""
        values = super().to_internal_value(data)
        return {name: value for name, value in values.items() if name in data}


class MetPlayer(serializers.Serializer):
    number = serializers.IntegerField(help_text="the pairing number")
    name = serializers.CharField()
    action = serializers.ChoiceField(["created", "known"])
    player = serializers.IntegerField(allow_null=True)


class CheckedRound(serializers.Serializer):
    round = serializers.IntegerField()
    boards = serializers.IntegerField()
    agrees = serializers.BooleanField(help_text="whether the system pairs it so as well")
    due = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="boards that the system makes and the report does not hold; 0 is the bye",
    )
    held = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), help_text="the other way"
    )
    why = serializers.CharField(help_text="why it cannot be paired again")


class OtherRank(serializers.Serializer):
    number = serializers.IntegerField()
    report = serializers.IntegerField()
    here = serializers.IntegerField()


class ReportImported(serializers.Serializer):
    dry_run = serializers.BooleanField()
    tournament = serializers.CharField()
    state = serializers.CharField()
    players = MetPlayer(many=True)
    rounds = CheckedRound(many=True)
    ranks = OtherRank(many=True)
    left_out = serializers.ListField(
        child=serializers.CharField(), help_text="what the report tells and no row holds, by name"
    )


class EnteredLine(serializers.Serializer):
    line = serializers.IntegerField()
    name = serializers.CharField()
    action = serializers.CharField(help_text="created, known, or entered: it had been before")
    player = serializers.IntegerField(allow_null=True)


class EntriesImported(serializers.Serializer):
    dry_run = serializers.BooleanField()
    lines = EnteredLine(many=True)


class TakenRecord(serializers.Serializer):
    line = serializers.IntegerField()
    game = serializers.IntegerField()
    round = serializers.IntegerField()
    board = serializers.IntegerField()
    digest = serializers.CharField()


class RecordsImported(serializers.Serializer):
    dry_run = serializers.BooleanField()
    records = TakenRecord(many=True)
