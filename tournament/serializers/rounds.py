"""The shapes of rounds, their pairings, and pairings set by hand."""

from typing import Any

from rest_framework import serializers

from games.serializers.tasks import TaskSerializer
from tournament.models import Pairing, Round
from tournament.pairing.differences import DifferenceCode
from tournament.serializers.pairing import FindingSerializer
from tournament.serializers.tournaments import validate_date

MOST_BOARDS = 10_000


class RoundSerializer(serializers.ModelSerializer[Round]):
    class Meta:
        model = Round
        fields = [
            "number", "state", "version", "system", "reason", "relaxed", "starts_on",
            "published_at", "completed_at",
        ]  # fmt: skip


class RoundRequest(serializers.Serializer):
    starts_on = serializers.DateField(allow_null=True, validators=[validate_date])


class PairedEntry(serializers.Serializer):
    entry = serializers.IntegerField()
    pairing_number = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()


class PairingSerializer(serializers.Serializer):
    board = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(Pairing.Kind.choices)
    by_hand = serializers.BooleanField(help_text="set by hand, and not as the engine pairs")
    first = PairedEntry()
    second = PairedEntry(allow_null=True)
    game = serializers.IntegerField(allow_null=True)
    state = serializers.CharField(allow_null=True)
    basis = serializers.CharField(allow_null=True)
    result = serializers.CharField(allow_null=True, help_text="26-25, 1-0, 0-1, 1/2, 0-0")
    termination = serializers.CharField(allow_null=True)
    reasons = FindingSerializer(many=True, required=False, help_text="with `?explain=1`")


class DifferenceSerializer(serializers.Serializer):
    code = serializers.ChoiceField([one.value for one in DifferenceCode])
    board = serializers.IntegerField(allow_null=True)
    players = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="pairing numbers; null at a bye"
    )
    engine = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(allow_null=True)),
        help_text="where the engine has them",
    )


class RoundNote(serializers.Serializer):
    code = serializers.CharField(
        help_text="handicap, forfeit, decided, level-tie, qualified or wish-given-up"
    )
    entries = serializers.ListField(child=serializers.IntegerField())
    values = serializers.DictField(
        help_text="`handicap`: the recommended handicap, for the first of the entries"
    )


class RoundPairings(serializers.Serializer):
    round = serializers.IntegerField()
    state = serializers.ChoiceField(Round.State.choices)
    system = serializers.CharField()
    reason = serializers.CharField()
    pairings = PairingSerializer(many=True)
    notes = RoundNote(many=True, required=False, help_text="what the system has to say")
    relaxed = serializers.ListField(
        child=serializers.CharField(), help_text="rules that gave way on the organiser's word"
    )
    violations = FindingSerializer(many=True, required=False, help_text="of pairings set by hand")
    differences = DifferenceSerializer(
        many=True, required=False, help_text="between pairings set by hand and the engine's"
    )
    numbers = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="with reasons: the entries by the pairing numbers they use, number 1 first",
    )
    task = TaskSerializer(required=False, help_text="what brings the reasons of a large round")


class BoardRequest(serializers.Serializer):
    first = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="an entry's id")
    second = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, allow_null=True, default=None
    )
    bye = serializers.ChoiceField(
        [kind for kind in Pairing.Kind.values if kind != "game"],
        required=False,
        default=Pairing.Kind.PAIRING_BYE,
    )


class ByHandRequest(serializers.Serializer):
    reason = serializers.CharField(max_length=240)
    pairings = BoardRequest(many=True, allow_empty=False)

    def validate_pairings(self, boards: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """A round has a sensible number of boards."""
        if len(boards) > MOST_BOARDS:
            raise serializers.ValidationError(f"at most {MOST_BOARDS} boards")
        return boards


class WhyRequest(serializers.Serializer):
    reason = serializers.CharField(max_length=240, required=False, allow_blank=True, default="")
