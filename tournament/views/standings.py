"""Standings in the forms that people and programs read."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.errors import Unprocessable
from tournament import exports, queries
from tournament.models import Tournament
from tournament.serializers.shapes import StandingsShape
from tournament.standings.errors import TiebreakError
from tournament.standings.table import table_csv
from tournament.views.finding import tournament_seen_by

FORMS = {"json": "application/json", "csv": "text/csv", "trf": "text/plain"}


def round_wanted(request: Request, tournament: Tournament) -> int:
    """The round of `?round=`, else the last complete one; raises Unprocessable."""
    last = queries.last_complete_round(tournament)
    text = request.query_params.get("round", "")
    if not text:
        return last
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= last):
        raise Unprocessable(
            "no_such_round", f"round {text[:20]!r} is not complete; 0 to {last} are"
        )
    return int(text)


class Standings(APIView):
    @extend_schema(
        operation_id="standings",
        parameters=[
            OpenApiParameter("round", int, description="the last round to count"),
            OpenApiParameter("tiebreaks", str, description="other codes than the event's: PTS,BH"),
            OpenApiParameter("bom", bool, description="CSV: begin with a byte order mark"),
        ],
        responses={
            (200, "application/json"): StandingsShape,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """The standings after a round, computed from the results as they are now.

        `.json`, `.csv` (`rank,id,name` and a column a code) or `.trf` (FIDE's TRF16), by suffix
        or by `Accept`.
        """
        tournament = tournament_seen_by(request, slug)
        last = round_wanted(request, tournament)
        form = form or self._accepted(request)
        codes = request.query_params.get("tiebreaks") or ",".join(tournament.tiebreaks)
        try:
            if form == "trf":
                return self._file(exports.trf(tournament, through=last), tournament, last, form)
            rows, shown = exports.standings(tournament, codes, through=last)
        except TiebreakError as error:
            raise Unprocessable(
                "unknown_tiebreak",
                str(error),
                [{"pointer": "/tiebreaks", "code": "unknown_tiebreak", "detail": str(error)}],
                valid=list(error.valid),
            ) from error
        if form == "csv":
            text = table_csv(rows, byte_order_mark=request.query_params.get("bom") == "1")
            return self._file(text, tournament, last, form)
        return Response(shown)

    def _accepted(self, request: Request) -> str:
        accept = request.headers.get("Accept", "")
        return "csv" if "text/csv" in accept else "json"

    def _file(self, text: str, tournament: Tournament, last: int, form: str) -> HttpResponse:
        answer = HttpResponse(text, content_type=f"{FORMS[form]}; charset=utf-8")
        name = f"{tournament.slug}.r{last}.{form}"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Choose JSON for what DRF itself writes; the other forms are plain answers."""
        return super().perform_content_negotiation(request, force=True)
