"""The shapes of games, of what is reported of them, and of the journal."""

from typing import Any

from rest_framework import serializers

from games.models import Game
from games.rules.outcome import RulingTermination
from games.rules.position import Termination
from games.services.outcomes import CLAIM_TERMINATIONS

SEATS = ("first", "second")


class Named(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()


class Score(serializers.Serializer):
    first = serializers.IntegerField()
    second = serializers.IntegerField()


class HandicapSerializer(serializers.Serializer):
    seat = serializers.ChoiceField(SEATS)
    stones = serializers.IntegerField(required=False)
    points = serializers.IntegerField(required=False)


class GameSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    event = serializers.CharField()
    stream = serializers.CharField()
    round = serializers.CharField()
    game = serializers.CharField()
    board = serializers.CharField()
    options = serializers.ListField(child=serializers.CharField())
    swap = serializers.BooleanField()
    handicap = HandicapSerializer(allow_null=True)
    advice = serializers.CharField(allow_null=True)
    first = Named()
    second = Named()
    rated = serializers.BooleanField()
    played_on = serializers.DateField(allow_null=True)
    state = serializers.ChoiceField(Game.State.choices)
    basis = serializers.ChoiceField(Game.Basis.choices, allow_null=True)
    termination = serializers.CharField(allow_null=True)
    winner = serializers.ChoiceField(SEATS, allow_null=True)
    draw = serializers.BooleanField()
    score = Score(allow_null=True)
    record = serializers.CharField(allow_null=True, help_text="the digest of the record in force")
    dispute = serializers.CharField(allow_null=True)
    confirm_by = serializers.DateTimeField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)


class ClaimSerializer(serializers.Serializer):
    result = serializers.RegexField(
        r"\A(-?\d{1,4}--?\d{1,4}|1/2)\Z",
        error_messages={"invalid": "a result is a score as 26-25, or 1-0, 0-1 or 1/2"},
    )
    termination = serializers.ChoiceField(
        CLAIM_TERMINATIONS, required=False, default=Termination.AGREED
    )


class RecordField(serializers.Field):
    """A record as text or as a JSON object; what it says is the referee's to judge."""

    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        """The record as it was sent."""
        if not isinstance(data, str | dict) or not data:
            raise serializers.ValidationError("a record is text or a JSON object, and not empty")
        return data

    def to_representation(self, value: Any) -> Any:
        """The record as it is."""
        return value


class ReportRequest(serializers.Serializer):
    record = RecordField(required=False)
    claim = ClaimSerializer(required=False)
    seat = serializers.ChoiceField(SEATS, required=False, default=None, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Either a record or a claim."""
        if ("record" in attrs) == ("claim" in attrs):
            raise serializers.ValidationError("send either `record` or `claim`")
        return attrs


class AnswerRequest(serializers.Serializer):
    version = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, required=False, default=None, allow_null=True
    )
    seat = serializers.ChoiceField(SEATS, required=False, default=None, allow_null=True)


class DisputeRequest(serializers.Serializer):
    reason = serializers.CharField(max_length=2000)
    seat = serializers.ChoiceField(SEATS, required=False, default=None, allow_null=True)


class RulingRequest(serializers.Serializer):
    result = serializers.RegexField(
        r"\A(-?\d{1,4}--?\d{1,4}|1/2|0-0)\Z",
        required=False,
        help_text="a score as 26-25, or 1-0, 0-1, 1/2, or 0-0 for a double forfeit",
    )
    termination = serializers.ChoiceField(
        [*CLAIM_TERMINATIONS, RulingTermination.FORFEIT, RulingTermination.RULED],
        required=False,
        default=RulingTermination.RULED,
    )
    record = RecordField(required=False)
    reason = serializers.CharField(max_length=2000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A ruling says a result, or gives a record that proves one."""
        if "record" not in attrs and "result" not in attrs:
            raise serializers.ValidationError("send `result`, or a `record` that proves one")
        return attrs


class ReasonRequest(serializers.Serializer):
    reason = serializers.CharField(max_length=2000)


class ReportSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    version = serializers.IntegerField()
    kind = serializers.CharField()
    seat = serializers.CharField(help_text="empty for an arbiter's")
    outcome = serializers.JSONField()
    digest = serializers.CharField()
    confirms = serializers.IntegerField(source="confirms.version", allow_null=True, default=None)
    reason = serializers.CharField()
    received_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    record = serializers.CharField()


class RefereeRequest(serializers.Serializer):
    record = RecordField(required=False)
    records = serializers.ListField(child=RecordField(), required=False, max_length=1000)


class GameRulesSerializer(serializers.Serializer):
    """A game's rules in short."""

    code = serializers.CharField()
    name = serializers.CharField()
    players = serializers.IntegerField()
    boards = serializers.ListField(child=serializers.CharField(), help_text="the usual ones")
    board_form = serializers.CharField(help_text="which boards there are, in words")
    options = serializers.ListField(child=serializers.CharField())
    swap = serializers.BooleanField(help_text="whether the pie rule is known")
    notation = serializers.CharField()
    summary = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        """The fields above and `source`, a name that the class itself keeps for another thing."""
        source = serializers.CharField(help_text="the rule text that is followed")
        return {**super().get_fields(), "source": source}


class TaskSerializer(serializers.Serializer):
    id = serializers.CharField()
    state = serializers.ChoiceField(["waiting", "done", "failed"])
    progress = serializers.FloatField(min_value=0, max_value=1)
    result = serializers.DictField(allow_null=True)


class JournalLineSerializer(serializers.Serializer):
    stream = serializers.CharField()
    sequence = serializers.IntegerField()
    previous = serializers.CharField()
    digest = serializers.CharField()
    actor = serializers.CharField()
    at = serializers.CharField()
    kind = serializers.CharField()
    payload_digest = serializers.CharField()
    payload = serializers.DictField(
        allow_null=True, help_text="what the line tells; null to all but the directors"
    )


class JournalSerializer(serializers.Serializer):
    stream = serializers.CharField()
    head = serializers.CharField(help_text="the digest of the last line")
    results = JournalLineSerializer(many=True)
