"""Serializers for pairing systems and for what a tournament sets about its system."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.core.text import translated
from games.rules.text import Text
from tournament.pairing.separations import By

MOST_SYSTEM_PLAYERS = 200
OPTION_VALUE = {"type": ["integer", "string", "boolean", "null"]}


@extend_schema_field({"type": "object", "additionalProperties": OPTION_VALUE})
class SystemOptionsField(serializers.DictField):
    """Values by option; the services validate them with the whole set-up."""

    child = serializers.JSONField(allow_null=True)


@extend_schema_field(OPTION_VALUE)
class OptionValueField(serializers.JSONField):
    """The value of an option."""


class SeparationSerializer(serializers.Serializer):
    by = serializers.ChoiceField([by.value for by in By])
    preference = serializers.BooleanField(
        default=False, help_text="followed if possible; otherwise a rule that is never broken"
    )
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        max_length=MOST_SYSTEM_PLAYERS,
        default=list,
        help_text="ids of players who are kept apart from each other; not public while it runs",
    )
    first_round = serializers.IntegerField(min_value=1, max_value=99, default=1)
    last_round = serializers.IntegerField(
        min_value=0, max_value=99, default=0, help_text="0 means the last round"
    )

    def validate_players(self, players: list[int]) -> list[int]:
        """Require at least two different players, or none."""
        if len(players) == 1 or len(set(players)) < len(players):
            raise serializers.ValidationError(
                translated(Text("name at least two players, each once"))
            )
        return players


class SystemOptionSerializer(serializers.Serializer):
    name = serializers.CharField()
    kind = serializers.ChoiceField(["number", "flag", "word"])
    summary = serializers.CharField()
    default = OptionValueField()
    least = serializers.IntegerField(required=False)
    most = serializers.IntegerField(required=False)
    words = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="the meaning of each word"
    )


class SystemSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment] # a key, not a field's source
    separations = serializers.BooleanField(help_text="whether players can be kept apart")
    seat_balance_off = serializers.BooleanField(help_text="whether `balance_seats` may be false")
    late_entries = serializers.BooleanField()
    two_games = serializers.BooleanField(help_text="`games_per_pairing` may be 2")
    options = SystemOptionSerializer(many=True, help_text="the members of `system_options`")
