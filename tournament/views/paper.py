"""Pairings as files, and sheets to print: pairings, result slips, player cards.

Tables stand with their other forms.
"""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from games.http.errors import NotFound
from games.http.request import can_see_drafts, is_flag_set
from tournament import queries
from tournament.documents import pairings
from tournament.documents.renderers.pdf.slips import cards_pdf, slips_pdf
from tournament.documents.renderers.pdf.tables import pairings_pdf
from tournament.models import Round, Tournament
from tournament.views.lookup import round_of, tournament_seen_by
from tournament.views.negotiation import written
from tournament.views.paper_params import PAPER, PDF, paper_wanted
from tournament.views.params import MARK, choice
from tournament.views.rounds import UNPUBLISHED


def round_to_print(request: Request, slug: str, number: int) -> tuple[Tournament, Round]:
    """A round that the asker may see the pairings of; raises NotFound."""
    tournament = tournament_seen_by(request, slug)
    this_round = round_of(tournament, number)
    if this_round.state in UNPUBLISHED and not can_see_drafts(request, tournament.stream):
        raise NotFound("not_published", f"round {number} is not published yet")
    return tournament, this_round


class PairingsSheet(APIView):
    @extend_schema(
        operation_id="pairings_sheet",
        parameters=[OpenApiParameter("by", str, enum=["board", "name"]), PAPER],
        responses=PDF,
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """A round's pairings to print, by board or, with `?by=name`, a line a player."""
        tournament, this_round = round_to_print(request, slug, number)
        by_name = choice(request, "by", ("board", "name")) == "name"
        paper = paper_wanted(request)
        content = pairings_pdf(tournament, this_round, paper, by_name=by_name)
        return written(content, "pdf", f"{slug}.r{number}.pairings")


class PairingsFile(APIView):
    form = ""

    @extend_schema(
        parameters=[MARK],
        responses={
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/x-ndjson"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """A round's pairings as a file, a line a board, byes last.

        CSV columns: `round,board,kind,first_id,first,second_id,second,result,termination,state`;
        the ids are pairing numbers, and an apostrophe disarms names that a spreadsheet would run.
        """
        tournament, this_round = round_to_print(request, slug, number)
        lines = queries.pairings_of(tournament, this_round)
        text = pairings.written(lines, number, self.form, mark=is_flag_set(request, "bom"))
        return written(text, self.form, f"{slug}.r{number}.pairings")


class Slips(APIView):
    @extend_schema(operation_id="result_slips", parameters=[PAPER], responses=PDF)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """A result slip for each board of a published round, with a code that leads to its game."""
        tournament, this_round = round_to_print(request, slug, number)
        content = slips_pdf(tournament, this_round, paper_wanted(request))
        return written(content, "pdf", f"{slug}.r{number}.slips")


class Cards(APIView):
    @extend_schema(operation_id="player_cards", parameters=[PAPER], responses=PDF)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """A card for each player who takes part, with a code that leads to the player."""
        tournament = tournament_seen_by(request, slug)
        return written(cards_pdf(tournament, paper_wanted(request)), "pdf", f"{slug}.cards")
