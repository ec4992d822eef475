"""The pairings of a round as files, and sheets to print: pairings, slips, record sheets, cards.

What a director prints: sheets and slips of the rounds, cards, tables; what is out of date.
"""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from games.core.requests import is_flag_set, requested_choice
from games.core.tables.pdf import PAPER_SIZES, PdfRenderer
from games.core.tables.views import (
    BOM_PARAMETER,
    CSV,
    NDJSON,
    PAPER,
    PDF,
    NegotiatedView,
    file_response,
)
from games.core.text import language_of_sheet, vary_by_language
from games.core.views import ApiView
from tournament.core.headings import requested_frame
from tournament.core.lookup import tournament_seen_by, visible_round
from tournament.core.pages import RunPage
from tournament.entries.cards import print_cards
from tournament.entries.queries import find_outdated_papers
from tournament.models import Round, Tournament
from tournament.rounds.queries import load_pairings
from tournament.rounds.slips import print_round_sheets, print_slips
from tournament.rounds.tables import pairings_by_name_document, pairings_document


class PairingsSheet(NegotiatedView):
    renderer_classes = [PdfRenderer]

    @extend_schema(
        operation_id="pairings_sheet",
        parameters=[OpenApiParameter("by", str, enum=["board", "name"]), PAPER],
        responses=PDF,
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return the pairings of a round to print, by board or by name with `?by=name`."""
        tournament = tournament_seen_by(request, slug)
        this_round = visible_round(request, tournament, number)
        by_name = requested_choice(request, "by", ("board", "name")) == "name"
        build = pairings_by_name_document if by_name else pairings_document
        with self.language:
            frame = requested_frame(request, tournament)
            document = build(tournament, this_round, load_pairings(tournament, this_round))
            return self.render(document, document.heading.file_stem, frame=frame)


class PairingsFile(NegotiatedView):
    """The pairings in the format of the single renderer that the address sets."""

    public_read = "slug"

    @extend_schema(parameters=[BOM_PARAMETER], responses=CSV | NDJSON)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return the pairings of a round as a file with a row for each pairing, byes last.

        CSV columns: `round,board,kind,first_id,first,second_id,second,result,termination,state,
        starts_on,start_time`;
        the ids are pairing numbers, and an apostrophe precedes names that a spreadsheet would run.
        """
        tournament = tournament_seen_by(request, slug)
        this_round = visible_round(request, tournament, number)
        pairings = load_pairings(tournament, this_round)
        document = pairings_document(tournament, this_round, pairings)
        byte_order_mark = is_flag_set(request, "bom")
        return self.render(document, document.heading.file_stem, byte_order_mark=byte_order_mark)


class Slips(ApiView):
    throttle_scope = "pdf"

    @extend_schema(operation_id="result_slips", parameters=[PAPER], responses=PDF)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return a result slip for each board of a published round, with a code of its game."""
        tournament = tournament_seen_by(request, slug)
        this_round = visible_round(request, tournament, number)
        with language_of_sheet(request):
            content = print_slips(tournament, this_round, requested_frame(request, tournament))
        return _pdf_response(content, f"{slug}.r{number}.slips")


class RecordSheets(ApiView):
    throttle_scope = "pdf"

    @extend_schema(operation_id="record_sheets", parameters=[PAPER], responses=PDF)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return a blank record sheet for each game of a published round.

        It has the board with the names of its cells, the players and conditions, lines for the
        turns on one page or two, and a code of the game.
        """
        tournament = tournament_seen_by(request, slug)
        this_round = visible_round(request, tournament, number)
        with language_of_sheet(request):
            frame = requested_frame(request, tournament)
            content = print_round_sheets(tournament, this_round, frame)
        return _pdf_response(content, f"{slug}.r{number}.sheets")


class Cards(ApiView):
    throttle_scope = "pdf"

    @extend_schema(operation_id="player_cards", parameters=[PAPER], responses=PDF)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return a card for each accepted player, with a code of the player."""
        tournament = tournament_seen_by(request, slug)
        with language_of_sheet(request):
            content = print_cards(tournament, requested_frame(request, tournament))
        return _pdf_response(content, f"{slug}.cards")


def _pdf_response(content: bytes, file_stem: str) -> HttpResponse:
    name = f"{file_stem}.pdf"
    return vary_by_language(file_response(content, "application/pdf", name, disposition="inline"))


class PapersPage(RunPage):
    template = "tournament/rounds/run_papers.html"
    section = "print"

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the paired rounds, the last one first, and the papers that are out of date."""
        paired = [this_round for this_round in rounds if this_round.state != Round.State.PLANNED]
        return {
            "papers": PAPER_SIZES,
            "paper": requested_choice(request, "paper", PAPER_SIZES),
            "paired": paired[::-1],
            "outdated": find_outdated_papers(tournament),
            "api": f"/api/v1/tournaments/{tournament.slug}",
        }
