"""Serializers of rounds, their pairings, and pairings set by hand."""

from datetime import datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from rest_framework import serializers

from games.serializers.fields import AllowedActionSerializer
from games.serializers.tasks import TaskSerializer
from tournament.models import Pairing, Round
from tournament.pairing.differences import DifferenceCode
from tournament.queries.versions import ACTIONS
from tournament.serializers.pairing import FindingSerializer
from tournament.serializers.tournaments import validate_date

MOST_BOARDS = 10_000
MOST_VERSIONS = 32_767


class RoundSerializer(serializers.ModelSerializer[Round]):
    class Meta:
        model = Round
        fields = [
            "number", "state", "version", "system", "reason", "relaxed", "starts_on",
            "starts_at", "published_at", "completed_at",
        ]  # fmt: skip


class RoundDetailSerializer(RoundSerializer):
    allowed_actions = AllowedActionSerializer(
        many=True, read_only=True, help_text="for its directors; else empty"
    )

    class Meta(RoundSerializer.Meta):
        fields = [*RoundSerializer.Meta.fields, "allowed_actions"]


class LocalTimeField(serializers.DateTimeField):
    """A date and time; without an offset, it is in the time zone `zone` of the context."""

    def default_timezone(self) -> tzinfo:
        """Return the time zone of values without an offset."""
        return ZoneInfo(self.context.get("zone", "UTC"))

    def to_internal_value(self, value: Any) -> datetime:
        """Return the time in that zone; reject years that TRF files cannot contain."""
        if isinstance(value, str) and len(value) <= len("2026-05-01"):
            self.fail("invalid", format="2026-05-01T10:00")
        time: datetime = super().to_internal_value(value)
        validate_date(time.date())
        return time


class RoundRequestSerializer(serializers.Serializer):
    """The start of a round: a date, or a date and time."""

    starts_on = serializers.DateField(
        allow_null=True, required=False, validators=[validate_date], help_text="without a time"
    )
    starts_at = LocalTimeField(
        allow_null=True,
        required=False,
        help_text="without an offset, such as 2026-05-01T10:00, in the time zone of the event",
    )

    def validate(self, content: dict[str, Any]) -> dict[str, Any]:
        """Require a date, or a date and time."""
        if len(content) != 1:
            raise serializers.ValidationError("send either starts_on or starts_at")
        return content


class PairedEntrySerializer(serializers.Serializer):
    entry = serializers.IntegerField()
    pairing_number = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()


class ReturnGameSerializer(serializers.Serializer):
    game = serializers.IntegerField()
    state = serializers.CharField()
    basis = serializers.CharField(allow_null=True)
    result = serializers.CharField(allow_null=True, help_text="by the seats of this game")
    termination = serializers.CharField(allow_null=True)


class PairingSerializer(serializers.Serializer):
    board = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(Pairing.Kind.choices)
    by_hand = serializers.BooleanField(
        help_text="set by hand, and different from the engine's pairing"
    )
    first = PairedEntrySerializer()
    second = PairedEntrySerializer(allow_null=True)
    game = serializers.IntegerField(allow_null=True)
    state = serializers.CharField(allow_null=True)
    basis = serializers.CharField(allow_null=True)
    result = serializers.CharField(allow_null=True, help_text="26-25, 1-0, 0-1, 1/2, 0-0")
    termination = serializers.CharField(allow_null=True)
    return_game = ReturnGameSerializer(
        allow_null=True,
        help_text="the second game, with exchanged seats, if the event has two in each pairing",
    )
    points = serializers.CharField(
        allow_null=True, help_text="of both games, by the seats of the pairing: 2-0, 1.5-0.5"
    )
    reasons = FindingSerializer(many=True, required=False, help_text="with `?explain=1`")


class DifferenceSerializer(serializers.Serializer):
    code = serializers.ChoiceField([code.value for code in DifferenceCode])
    board = serializers.IntegerField(allow_null=True)
    players = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="pairing numbers; null at a bye"
    )
    engine = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(allow_null=True)),
        help_text="the engine's boards of these players",
    )


class RoundNoteSerializer(serializers.Serializer):
    code = serializers.CharField(
        help_text="handicap, forfeit, decided, level-tie, qualified or preference-given-up"
    )
    entries = serializers.ListField(child=serializers.IntegerField())
    values = serializers.DictField(
        help_text="`handicap`: the recommended handicap, for the first of the entries"
    )


class RoundPairingsSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    state = serializers.ChoiceField(Round.State.choices)
    starts_on = serializers.DateField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    system = serializers.CharField()
    reason = serializers.CharField()
    pairings = PairingSerializer(many=True)
    notes = RoundNoteSerializer(
        many=True, required=False, help_text="findings of the system for players"
    )
    relaxed = serializers.ListField(
        child=serializers.CharField(),
        help_text="rules that the organiser relaxed, or that a round set by hand breaks",
    )
    violations = FindingSerializer(many=True, required=False, help_text="of pairings set by hand")
    differences = DifferenceSerializer(
        many=True, required=False, help_text="between pairings set by hand and the engine's"
    )
    numbers = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="with reasons: the entries in the order of the pairing numbers in the reasons",
    )
    task = TaskSerializer(
        required=False, help_text="the task that computes the reasons of a large round"
    )


class BoardRequestSerializer(serializers.Serializer):
    first = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, help_text="the id of an entry"
    )
    second = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, allow_null=True, default=None
    )
    bye = serializers.ChoiceField(
        [kind for kind in Pairing.Kind.values if kind != "game"],
        required=False,
        default=Pairing.Kind.PAIRING_BYE,
    )


def require_few_boards(boards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the boards; raise ValidationError for more than a round can have."""
    if len(boards) > MOST_BOARDS:
        raise serializers.ValidationError(f"a round has at most {MOST_BOARDS} boards")
    return boards


class ByHandRequestSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=240)
    pairings = BoardRequestSerializer(many=True, allow_empty=False)

    def validate_pairings(self, boards: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Limit the number of boards."""
        return require_few_boards(boards)


class BoardChangeSerializer(BoardRequestSerializer):
    board = serializers.IntegerField(
        min_value=1,
        max_value=MOST_BOARDS,
        required=False,
        allow_null=True,
        default=None,
        help_text="required for two players; a new board has the next number",
    )

    def validate(self, board: dict[str, Any]) -> dict[str, Any]:
        """Require a board number for two players, and none for a bye."""
        if (board["board"] is None) != (board["second"] is None):
            raise serializers.ValidationError(
                "two players need a board number, and a bye has none", "board_needed"
            )
        return board


class AcceptField(serializers.ListField):
    """The codes of what the caller accepts."""

    child = serializers.CharField(max_length=40)

    def __init__(self) -> None:
        super().__init__(
            required=False,
            default=list,
            max_length=20,
            help_text="the codes of the rules that the round may break, as `acceptance_needed` "
            "lists them; also `game-reported`: games with reports become void",
        )


class BoardChangesSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=240)
    boards = BoardChangeSerializer(many=True, allow_empty=False)
    accept = AcceptField()

    def validate_boards(self, boards: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Limit the number of boards."""
        return require_few_boards(boards)


class PublishRequestSerializer(serializers.Serializer):
    reason = serializers.CharField(
        max_length=240, required=False, allow_blank=True, default="", help_text="not used"
    )
    accept = AcceptField()


class RoundActionSerializer(serializers.Serializer):
    reason = serializers.CharField(
        max_length=240,
        required=False,
        allow_blank=True,
        default="",
        help_text="required to reopen a round, and to unpair one that is published",
    )


class RestoreRequestSerializer(serializers.Serializer):
    version = serializers.IntegerField(min_value=1, max_value=MOST_VERSIONS)
    reason = serializers.CharField(max_length=240)


class VersionEventSerializer(serializers.Serializer):
    action = serializers.CharField(help_text=", ".join((*ACTIONS, "imported")))
    by = serializers.CharField(help_text="as the journal names it: account/17, system")
    at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)


class RoundVersionSerializer(serializers.Serializer):
    version = serializers.IntegerField()
    state = serializers.ChoiceField(
        Round.State.choices, help_text="of the round while this version was current"
    )
    is_current = serializers.BooleanField()
    boards = serializers.IntegerField()
    system = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    notes = RoundNoteSerializer(many=True)
    relaxed = serializers.ListField(child=serializers.CharField())
    history = VersionEventSerializer(many=True, help_text="oldest first")
