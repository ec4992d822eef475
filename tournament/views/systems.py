"""The pages of the pairing systems."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.errors import NotThere
from games.serializers.answers import results_of
from tournament.pairing import SYSTEMS
from tournament.serializers.systems import SystemShape


class SystemsList(APIView):
    @extend_schema(operation_id="rules_systems", responses=results_of(SystemShape))
    def get(self, request: Request) -> Response:
        """Every pairing system an event can choose, what it does, its options and its source."""
        return Response({"results": [system.as_dict(code) for code, system in SYSTEMS.items()]})


class SystemPage(APIView):
    @extend_schema(operation_id="rules_system", responses=SystemShape)
    def get(self, request: Request, code: str) -> Response:
        """One pairing system."""
        if code not in SYSTEMS:
            listed = ", ".join(SYSTEMS)
            raise NotThere("not_found", f"there is no system {code[:40]!r}; there are {listed}")
        return Response(SYSTEMS[code].as_dict(code))
