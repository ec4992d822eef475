"""The pairing systems."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import NotFound
from games.core.serializers import results_of
from games.core.views import ApiView
from games.rules.text import Text
from tournament.events.systems import SystemSerializer
from tournament.pairing.systems import PAIRING_SYSTEMS


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
        if code not in PAIRING_SYSTEMS:
            listed = ", ".join(PAIRING_SYSTEMS)
            raise NotFound(
                "not_found",
                Text(
                    "there is no pairing system %(name)s; the systems are %(names)s",
                    name=f"{code[:40]!r}",
                    names=listed,
                ),
            )
        return Response(PAIRING_SYSTEMS[code].as_json(code))
