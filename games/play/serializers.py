"""Serializers of games, reports and rulings, of the rules and the referee."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from games.core.serializers import OptionalChoiceField, OptionalText, RecordField, SeatField
from games.core.types import described
from games.core.uploads.tasks import TaskSerializer
from games.core.wrong_values import WrongValue
from games.models import Report
from games.play import types
from games.play.outcomes import CLAIM_TERMINATIONS, FORFEIT_MARK, full_result
from games.rules.game_outcome import RulingTermination
from games.rules.outcome import Termination
from games.rules.records.claims import BOTH_LOSE_TOKEN, WIN_TOKENS
from games.rules.seat import Seat
from games.rules.text import Text


class ResultField(serializers.CharField):
    """A result: a score, `1-0`, `0-1`, `1/2`; which ones, says the service for each game.

    What people type for one on pages, as `1`, `14:7` or `+`, is read as well.
    """

    def to_internal_value(self, data: Any) -> str:
        is_typed = type(data) in (str, int)
        result: str = super().to_internal_value(full_result(str(data)) if is_typed else data)
        return result


BEFORE_HANDICAP: Final = (
    "true: scores are those counted on the board, and the points of the handicap are added to them;"
    " false: the scores have the points of the handicap, as everywhere else and in records"
)


class ClaimedResultSerializer(serializers.Serializer):
    result = ResultField(
        help_text="a score such as 26-25, with the points of the handicap; 1-0 or 0-1 if the loser"
        " resigned or lost on time, which `termination` then says; 1/2 for a draw",
    )
    termination = serializers.ChoiceField(
        CLAIM_TERMINATIONS,
        default=Termination.AGREED,
        help_text="the loser `resigned` or lost on `time`, or both `agreed` on a score",
    )


class ReportRequestSerializer(serializers.Serializer):
    record = RecordField(required=False)
    claim = ClaimedResultSerializer(required=False)
    seat = SeatField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("record" in attrs) == ("claim" in attrs):
            raise WrongValue(Text("send either `record` or `claim`"))
        return attrs


class ConfirmationRequestSerializer(serializers.Serializer):
    version = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        default=None,
        allow_null=True,
        help_text="of the report that is confirmed: 409 if the other side has sent another since",
        style={"help": ""},
    )
    seat = SeatField()


class DisputeRequestSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=2000)
    seat = SeatField()


class RulingRequestSerializer(serializers.Serializer):
    result = ResultField(
        required=False,
        help_text="a score such as 26-25, or 1-0, 0-1, 1/2; 0-0 if both lose a played game; 1-0f,"
        " 0-1f, 0-0f for a forfeit",
    )
    before_handicap = serializers.BooleanField(default=False, help_text=BEFORE_HANDICAP)
    termination = serializers.ChoiceField(
        [
            (ending.value, ending.label)
            for ending in (*CLAIM_TERMINATIONS, RulingTermination.FORFEIT, RulingTermination.RULED)
        ],
        default=RulingTermination.RULED,
        label=_("How it ended"),
    )
    record = RecordField(required=False)
    reason = serializers.CharField(max_length=2000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "record" not in attrs and "result" not in attrs:
            raise WrongValue(Text("send `result`, or a `record` that proves one"))
        token = attrs.get("result", "").removesuffix(FORFEIT_MARK)
        if token == attrs.get("result", "") or token not in (*WIN_TOKENS, BOTH_LOSE_TOKEN):
            return attrs
        if attrs["termination"] not in (RulingTermination.FORFEIT, RulingTermination.RULED):
            detail = Text("a forfeited game was not played, so it did not end otherwise")
            raise WrongValue({"termination": detail})
        return attrs | {"result": token, "termination": RulingTermination.FORFEIT.value}


class ArbiterReasonSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=2000)


class StatedOutcome(described(types.Outcome)):  # type: ignore[misc]
    """How a game ended by a report; null for one that states no result."""

    def get_attribute(self, instance: Any) -> Any:
        return super().get_attribute(instance) or None


class ReportSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    version = serializers.IntegerField(help_text="its number among the reports of the game, from 1")
    kind = serializers.ChoiceField(Report.Kind.choices)
    seat = OptionalChoiceField(
        [*Seat],
        read_only=True,
        allow_blank=False,
        help_text="the side that it is from; null for an arbiter",
    )
    device = serializers.ChoiceField(
        Report.Device.choices,
        help_text="whose device sent it: a director's if a director issued the token or may rule"
        " the game; a result that only such reports of both sides give has the basis `links`,"
        " that of one side `ruling`",
    )
    outcome = StatedOutcome(
        allow_null=True, help_text="how the game ended; null for a report that states no result"
    )
    digest = OptionalText(read_only=True, help_text="of the record")
    confirms = serializers.IntegerField(
        source="confirms.version",
        allow_null=True,
        help_text="the version that a confirmation answers, or the ruling that is removed",
    )
    reason = OptionalText(read_only=True, help_text="of a dispute, or of an arbiter")
    received_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True, help_text="when the game counted it")
    record_text = OptionalText(source="record", read_only=True, help_text="with names and comments")


class ReportAcceptedSerializer(serializers.Serializer):
    report = ReportSerializer()
    task = TaskSerializer(required=False, help_text="settles the game; not in a dry run")

    class Meta:
        may_be_absent = ("task",)


VERDICTS = PolymorphicProxySerializer(
    component_name="VerdictOrVerdicts",
    serializers=[described(types.Verdict), described(types.Verdicts)],
    resource_type_field_name=None,
)
"""The verdict on one record, or those on several."""


class RefereeRequestSerializer(serializers.Serializer):
    record = RecordField(required=False)
    records = serializers.ListField(
        child=RecordField(),
        required=False,
        max_length=1000,
        help_text="several records; send either this or `record`",
    )


class GameRulesSerializer(serializers.Serializer):
    """The description of a game."""

    code = serializers.CharField()
    name = serializers.CharField()
    players = serializers.IntegerField()
    board_sizes = serializers.ListField(
        child=serializers.CharField(), source="boards", help_text="the usual ones"
    )
    board_names = serializers.DictField(child=serializers.CharField(), help_text="of some sizes")
    default_board_size = serializers.CharField(source="first_board", help_text="of new tournaments")
    board_size_form = serializers.CharField(source="board_form", help_text="all sizes, in words")
    options = serializers.ListField(child=serializers.CharField())
    swap = serializers.BooleanField(source="swaps", help_text="whether the pie rule can be used")
    notation = serializers.CharField()
    summary = serializers.CharField()
    source = serializers.CharField(  # type: ignore[assignment]  # a field is no attribute
        help_text="the text of the rules"
    )


class RulesSerializer(serializers.Serializer):
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = GameRulesSerializer(many=True)
    limits = described(types.RecordLimits)()
