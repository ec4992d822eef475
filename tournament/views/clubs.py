"""How clubs and federations stand, by the best of their players."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.errors import Unprocessable
from games.http.request import is_flag_set
from tournament.documents import clubs
from tournament.documents.corrections import corrected_clubs
from tournament.documents.renderers.pdf.tables import clubs_pdf
from tournament.serializers.clubs import ClubsSerializer
from tournament.standings.clubs import GroupBy
from tournament.views.examples import CLUBS, given
from tournament.views.lookup import tournament_seen_by
from tournament.views.negotiation import NegotiatedView, written
from tournament.views.paper_params import PAPER, PDF, paper_wanted
from tournament.views.params import (
    MARK,
    NOTED,
    NOW,
    ROUND,
    TEXTS,
    TIEBREAKS,
    choice,
    file_name,
    note_beside,
    table_of_now,
    table_wanted,
)

USUAL_BEST, MOST_BEST = 4, 99
BEST = OpenApiParameter(
    "best",
    {"type": "integer", "minimum": 1, "maximum": MOST_BEST, "default": USUAL_BEST},
    description="how many players of each club are added up",
)
BY = OpenApiParameter("by", str, enum=list(GroupBy), description="what players are added up by")


def best_wanted(request: Request) -> int:
    """The number of `?best=`, else the usual one; raises Unprocessable."""
    text = request.query_params.get("best", "")
    if not text:
        return USUAL_BEST
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MOST_BEST):
        detail = f"best is {text[:20]!r}; it is a whole number from 1 to {MOST_BEST}"
        errors = [{"pointer": "/best", "code": "wrong_best", "detail": detail}]
        raise Unprocessable("wrong_best", detail, errors)
    return int(text)


class Clubs(NegotiatedView):
    forms = ("json", "csv", "ndjson", "html", "pdf")

    @extend_schema(
        operation_id="clubs",
        parameters=[ROUND, NOW, TIEBREAKS, BEST, BY, MARK, PAPER],
        responses={(200, "application/json"): ClubsSerializer, **PDF, **TEXTS},
        examples=given(CLUBS),
    )
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """Clubs, or with `?by=federation` federations, by the points of their best players.

        The first `best` of each in the table count. Of equal totals the one that lacks fewer
        players stands first, then the one with the lower sum of ranks; what is equal then shares
        its place. Players without a club are left out. CSV columns:
        `rank,name,points,missing,ids,players`. With `?round=` the table is that of an old round
        as it stood, and `corrected` tells whose place or points are others by now.
        """
        tournament = tournament_seen_by(request, slug)
        form = self.form_wanted(request, form)
        by, best = GroupBy(choice(request, "by", list(GroupBy))), best_wanted(request)
        table = table_wanted(request, tournament)
        corrected: list[dict[str, Any]] = []
        if table.stood and form in NOTED:
            corrected = list(corrected_clubs(table, table_of_now(table), by=by, best=best))
        if form == "json":
            beside = {"corrected": corrected} if table.stood else {}
            return Response(clubs.shown(table, by=by, best=best) | beside)
        note = note_beside(request, table.stood, corrected)
        if form == "pdf":
            sheet = clubs_pdf(table, paper_wanted(request), by=by, best=best, note=note)
            return written(sheet, form, file_name(table, ".clubs"))
        mark = is_flag_set(request, "bom")
        text = clubs.written(table, form, by=by, best=best, note=note, mark=mark)
        return written(text, form, file_name(table, ".clubs"))
