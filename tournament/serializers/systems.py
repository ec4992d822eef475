"""The shapes of pairing systems, and of what an event tells its own."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.pairing.separations import By

MOST_NAMED = 200
OPTION_VALUE = {"type": ["integer", "string", "boolean", "null"]}


@extend_schema_field({"type": "object", "additionalProperties": OPTION_VALUE})
class SystemOptionsField(serializers.DictField):
    """Values by option; what they may be is checked with the whole set-up."""

    child = serializers.JSONField(allow_null=True)


@extend_schema_field(OPTION_VALUE)
class OptionValueField(serializers.JSONField):
    """The value of an option."""


class SeparationSerializer(serializers.Serializer):
    by = serializers.ChoiceField([one.value for one in By])
    preference = serializers.BooleanField(
        default=False, help_text="kept where it can be; else a rule that is never broken"
    )
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        max_length=MOST_NAMED,
        default=list,
        help_text="ids of players, kept apart from each other; everybody can read them",
    )
    first_round = serializers.IntegerField(min_value=1, max_value=99, default=1)
    last_round = serializers.IntegerField(
        min_value=0, max_value=99, default=0, help_text="0 is every round"
    )

    def validate_players(self, players: list[int]) -> list[int]:
        """Two at least, each once; or none."""
        if len(players) == 1 or len(set(players)) < len(players):
            raise serializers.ValidationError("name two players or more, each once")
        return players


class SystemOptionSerializer(serializers.Serializer):
    name = serializers.CharField()
    kind = serializers.ChoiceField(["number", "flag", "word"])
    summary = serializers.CharField()
    default = OptionValueField()
    least = serializers.IntegerField(required=False)
    most = serializers.IntegerField(required=False)
    words = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="each word with what it means"
    )


class SystemSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment] # a key, not a field's source
    separations = serializers.BooleanField(help_text="whether players can be kept apart")
    seat_balance_off = serializers.BooleanField(help_text="whether `balance_seats` may be false")
    late_entries = serializers.BooleanField()
    options = SystemOptionSerializer(many=True, help_text="what `system_options` may hold")
