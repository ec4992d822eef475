"""The pages of the pairing systems."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.http.errors import NotFound
from games.serializers.fields import results_of
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.serializers.systems import SystemSerializer


class SystemsList(APIView):
    @extend_schema(operation_id="rules_systems", responses=results_of(SystemSerializer))
    def get(self, request: Request) -> Response:
        """Every pairing system an event can choose, what it does, its options and its source."""
        return Response(
            {"results": [system.as_json(code) for code, system in PAIRING_SYSTEMS.items()]}
        )


class SystemPage(APIView):
    @extend_schema(operation_id="rules_system", responses=SystemSerializer)
    def get(self, request: Request, code: str) -> Response:
        """One pairing system."""
        if code not in PAIRING_SYSTEMS:
            listed = ", ".join(PAIRING_SYSTEMS)
            raise NotFound("not_found", f"there is no system {code[:40]!r}; there are {listed}")
        return Response(PAIRING_SYSTEMS[code].as_json(code))
