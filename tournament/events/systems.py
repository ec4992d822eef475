"""The pairing systems with their sources and options, and what an event sets about its own."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.pages import PageView
from games.core.serializers import results_of
from games.core.views import ApiView
from tournament.events.serializers import OPTION_VALUE
from tournament.pairing.systems import PAIRING_SYSTEMS


@extend_schema_field(OPTION_VALUE)
class OptionValueField(serializers.JSONField):
    """The value of an option."""


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
        """List the pairing systems with their options and sources.

        `code` is the `system` of a tournament, `options` are the members of its `system_options`
        with their defaults, and `source` is the regulation that it follows.
        """
        systems = [system.as_json(code) for code, system in PAIRING_SYSTEMS.items()]
        return Response({"results": systems})


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
