"""The tables of an event in every format: standings, crosstable, prizes, clubs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.text import capfirst
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.permissions import can_see_drafts
from games.core.preconditions import require_change, tag_of
from games.core.requests import is_flag_set, requested_choice
from games.core.tables.html import HtmlRenderer
from games.core.tables.json import JsonRenderer
from games.core.tables.pdf import PdfRenderer
from games.core.tables.table import DocumentRenderer, TableDocument
from games.core.tables.views import BOM_PARAMETER, PAPER, TABLE_FORMATS, NegotiatedView
from games.core.tables.xlsx import XlsxRenderer
from games.core.types import described, with_chosen_rows
from tournament.core.crosstable import is_round_robin
from tournament.core.heads import head_note, table_state
from tournament.core.lookup import tournament_seen_by
from tournament.core.rankings import Table
from tournament.core.rows import chosen_rows, row_parameters
from tournament.core.sheets import requested_frame
from tournament.models import Tournament
from tournament.standings.clubs import GroupBy
from tournament.standings.crosstable_rows import CrosstableOrder
from tournament.standings.errors import StandingsError
from tournament.tables.clubs import Clubs, clubs_document
from tournament.tables.crosstable import CrosstableLine, CrosstableOfEvent, crosstable_document
from tournament.tables.groups import GroupStandings, GroupTable, groups_document
from tournament.tables.headings import (
    BEST,
    BY,
    ORDER_PARAMETER,
    ROUND_PARAMETER,
    SHAPE,
    TABLE_PARAMETERS,
    TERMS,
    requested_best,
)
from tournament.tables.notes import correction_notes
from tournament.tables.prizes import Prizes, prizes_document
from tournament.tables.recent import requested_round, requested_table, standings_problem
from tournament.tables.standings import Standings, StandingsLine, standings_document
from tournament.tables.trf import Trf16Renderer, Trf26Renderer, TrfRenderer, trf_file

STANDINGS_EXAMPLE = "rank,number,name,PTS,BH,withdrawn,corrections\n1,1,Ada,1,0,,\n2,2,Ben,0,1,,\n"
CROSSTABLE = (
    "line,rank,number,name,1,points,withdrawn,corrections\n1,1,1,Ada,2f1,1,,\n2,2,2,Ben,1s0,0,,\n"
)
GROUPS = (
    "group,rank,number,name,PTS,qualification,withdrawn,corrections\n"
    "A,1,1,Ada,1,qualified,,\nA,2,4,Ben,0,,,\n"
)
PRIZES = "group,place,number,name,amount,currency\nfirst,1,1,Ada,100.00,EUR\n"
CLUBS = 'rank,name,points,missing,numbers,players\n1,Rooks,1,3,1,"Ada (1, 1)"\n'


def response_example(text: str) -> list[OpenApiExample]:
    """Return the example of a table as CSV."""
    return [
        OpenApiExample(
            "as CSV", text, media_type="text/csv", response_only=True, status_codes=["200"]
        )
    ]


class TableView(NegotiatedView):
    """A table of an event.

    `page` is the page of the site with the same table.
    """

    page = ""
    public_read = "slug"
    has_links = True
    state: list[Any] = []
    has_rows = False
    """Whether a request can choose some of its rows (tournament/core/rows.py)."""

    renderer_classes: Sequence[type[DocumentRenderer]] = TABLE_FORMATS

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Take the state for the tag before the view loads the event; a PDF has no tag."""
        super().initial(request, *args, **kwargs)
        if not isinstance(self.renderer, PdfRenderer):
            self.state = table_state(kwargs["slug"])

    def handle_exception(self, exc: Exception) -> Response:
        """Report a StandingsError as Unprocessable."""
        if isinstance(exc, StandingsError):
            exc = standings_problem(exc)
        return super().handle_exception(exc)

    def load_table(self, request: Request, tournament: Tournament) -> Table:
        """Return the requested table."""
        return requested_table(request, tournament)

    def table_response(
        self, request: Request, tournament: Tournament, build: Callable[[Any], TableDocument]
    ) -> HttpResponse:
        """Return the requested table, as the document that `build` makes of it."""
        with self.language:
            renderer = self.renderer
            context: dict[str, Any] = {}
            is_director = can_see_drafts(request, tournament.stream)
            if isinstance(renderer, PdfRenderer):
                context["frame"] = requested_frame(request, tournament)
            else:
                address = (request.get_full_path(), renderer.media_type, get_language())
                require_change(request, tag_of(settings.VERSION, is_director, *address, self.state))
            table = self.load_table(request, tournament)
            if isinstance(renderer, TrfRenderer):
                file = trf_file(table, for_officials=is_director)
                return self.render(file, f"{tournament.slug}.r{table.through}")
            document = build(table)
            if self.has_rows and isinstance(renderer, JsonRenderer):
                document = replace(document, body=chosen_rows(request, document.body))
            if isinstance(renderer, HtmlRenderer | PdfRenderer | XlsxRenderer):
                document = replace(document, notes=(*document.notes, *correction_notes(table)))
            if isinstance(renderer, HtmlRenderer):
                note = f"{capfirst(head_note(tournament))}."
                document = replace(document, notes=(*document.notes, note))
                context["page"] = f"/e/{tournament.slug}/{self.page}"
            response = self.render_table(document, **context)
            if not renderer.shows_notes:
                response["Link"] = f'<{_address_of_notes(request)}>; rel="describedby"'
            return response


def _address_of_notes(request: Request) -> str:
    """Return the address of the same table as JSON, which says what its notes are."""
    path = request.path.removesuffix(f".{request.accepted_renderer.format}")
    query = request.GET.copy()
    query.pop("bom", None)
    return f"{path}.json{'?' if query else ''}{query.urlencode()}"


class StandingsView(TableView):
    page = "standings"
    renderer_classes = [*TABLE_FORMATS, TrfRenderer, Trf16Renderer, Trf26Renderer]
    has_rows = True
    parameters = (*TABLE_PARAMETERS, TERMS, *row_parameters(StandingsLine))

    @extend_schema(
        responses=with_chosen_rows(Standings), examples=response_example(STANDINGS_EXAMPLE)
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the standings after the last complete round, or after that of `?round=`.

        They are computed from the results as they are now. CSV columns: `rank,number,name`, one
        for each tie-break, and `withdrawn`; `number` is the pairing number, and an apostrophe
        precedes text that a spreadsheet would run. A tie-break that nobody has a value of is an
        empty column; the header `Link` (`describedby`) of CSV and NDJSON leads to the JSON, whose
        `empty` says why. The files of FIDE's formats TRF16 and TRF26 include years of birth and sex
        for the tournament's directors only. The journal has no digest of the standings; it has that
        of the crosstable, from which they follow.
        """
        tournament = tournament_seen_by(request, slug)
        build = partial(standings_document, with_terms=is_flag_set(request, "terms"))
        return self.table_response(request, tournament, build)


class GroupsView(TableView):
    page = "groups"
    parameters = (ROUND_PARAMETER, BOM_PARAMETER, PAPER)

    def load_table(self, request: Request, tournament: Tournament) -> GroupTable:
        """Return the groups after the requested round."""
        return GroupTable.load(tournament, requested_round(request, tournament))

    @extend_schema(responses=described(GroupStandings), examples=response_example(GROUPS))
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return a table for each group before a knockout, after the last complete round of them.

        There are none before the start, and 404 in other systems. `qualification` is
        `tie_not_decided` for players who are tied for a place that qualifies, until a director
        decides. CSV columns: `group,rank,number,name`, one for each tie-break, `qualification`,
        `withdrawn` and `corrections`.
        """
        return self.table_response(request, tournament_seen_by(request, slug), groups_document)


class CrosstableView(TableView):
    page = "crosstable"
    has_rows = True
    parameters = (*TABLE_PARAMETERS, ORDER_PARAMETER, SHAPE, *row_parameters(CrosstableLine))

    @extend_schema(
        responses=with_chosen_rows(CrosstableOfEvent), examples=response_example(CROSSTABLE)
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return a line with the results of each player, and the digest of all results.

        The journal has the digest after each complete round (`round.complete`).
        A cell is the label of the opponent's line, the player's own seat (f or s) and the result:
        `12f1`, `3s=`, `7f-`; a bye is one letter. `?shape=square`, the default of a round robin,
        has a column for each opponent instead of each round. CSV columns: `line,rank,number,name`,
        one for each round (or line, in a square), `points` and `withdrawn`; a lone `=` becomes
        `'=`.
        """
        tournament = tournament_seen_by(request, slug)
        order = CrosstableOrder(requested_choice(request, "order", list(CrosstableOrder)))
        shapes = ("square", "rounds") if is_round_robin(tournament) else ("rounds", "square")
        is_square = requested_choice(request, "shape", shapes) == "square"
        build = partial(crosstable_document, order=order, is_square=is_square)
        return self.table_response(request, tournament, build)


class PrizesView(TableView):
    page = "prizes"
    parameters = TABLE_PARAMETERS

    @extend_schema(responses=described(Prizes), examples=response_example(PRIZES))
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the awards in each group of the tournament's `prizes`.

        Groups are awarded in their order. A winner of an exclusive group is skipped in later ones;
        a player who has played no game or has withdrawn is skipped unless the group says otherwise.
        Equal players share to the coin, as the group's `split` says; `left` is what no player wins.
        The groups are always the current ones. CSV columns:
        `group,place,number,name,amount,currency`.
        """
        tournament = tournament_seen_by(request, slug)
        return self.table_response(request, tournament, prizes_document)


class ClubsView(TableView):
    page = "clubs"
    parameters = (*TABLE_PARAMETERS, BEST, BY)

    @extend_schema(responses=described(Clubs), examples=response_example(CLUBS))
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return clubs, or federations with `?by=country`, by the points of their best players.

        The first `best` players of each in the standings count. Of equal totals, the club that
        lacks fewer players is first, then the one with the lower sum of ranks; clubs that are still
        equal share their rank. Players without a club are left out. CSV columns:
        `rank,name,points,missing,numbers,players`.
        """
        tournament = tournament_seen_by(request, slug)
        by = GroupBy(requested_choice(request, "by", list(GroupBy)))
        build = partial(clubs_document, by=by, best=requested_best(request))
        return self.table_response(request, tournament, build)
