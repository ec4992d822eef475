"""The pairing systems with their sources and options, and what an event sets about its own."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import require_found
from games.core.pages import PageView
from games.core.serializers import results_of
from games.core.text import translated
from games.core.views import ApiView
from games.rules.text import Text
from tournament.pairing.separations import By
from tournament.pairing.systems import PAIRING_SYSTEMS

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


class SystemsList(ApiView):
    @extend_schema(operation_id="rules_systems", responses=results_of(SystemSerializer))
    def get(self, request: Request) -> Response:
        """List the pairing systems with their options and sources."""
        systems = [system.as_json(code) for code, system in PAIRING_SYSTEMS.items()]
        return Response({"results": systems})


class SystemPage(ApiView):
    @extend_schema(operation_id="rules_system", responses=SystemSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return a pairing system."""
        detail = Text(
            "there is no pairing system %(name)s; the systems are %(names)s",
            name=f"{code[:40]!r}",
            names=", ".join(PAIRING_SYSTEMS),
        )
        return Response(require_found(PAIRING_SYSTEMS.get(code), detail).as_json(code))


class SystemsPage(PageView):
    template = "tournament/events/systems.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the description of each pairing system, and the labels of the options."""
        return {
            "systems": [
                system.as_json(code)
                | {
                    "options": [
                        {**option.as_json(), "label": option.label} for option in system.options
                    ]
                }
                for code, system in PAIRING_SYSTEMS.items()
            ]
        }
