"""Standings, crosstable and prizes in the forms that people and programs read."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.errors import Unprocessable
from games.http.request import can_see_drafts, is_flag_set
from tournament import queries
from tournament.documents import crosstable, prizes, standings, trf
from tournament.documents.corrections import corrected_awards, corrected_cells
from tournament.documents.renderers import svg
from tournament.documents.renderers.pdf import tables
from tournament.models import Snapshot
from tournament.queries.standings import Stood, Table
from tournament.serializers.prizes import PrizesSerializer
from tournament.serializers.tables import CrosstableSerializer, StandingsSerializer
from tournament.standings.crosstable_rows import CrosstableOrder
from tournament.trf import TrfEdition
from tournament.views.examples import CROSSTABLE, PRIZES, STANDINGS, given
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
    codes_refused,
    file_name,
    note_beside,
    snapshot_of,
    table_of_now,
    table_wanted,
)

TERMS = OpenApiParameter("terms", bool, description="JSON: what each value is made of")
ORDER = OpenApiParameter(
    "order", str, enum=list(CrosstableOrder), description="how the lines stand"
)
SHAPE = OpenApiParameter("shape", str, enum=["rounds", "square"])
MOST_SQUARE = 200
TRF_FORMS = {"trf": TrfEdition.TRF16, "trf16": TrfEdition.TRF16, "trf26": TrfEdition.TRF26}


def _report(request: Request, table: Table, form: str) -> HttpResponse:
    """FIDE's report of a table; whoever directs the event finds years of birth and sex in it."""
    with codes_refused():
        people = can_see_drafts(request, table.tournament.stream)
        text = trf.report_of(table, TRF_FORMS[form], with_people=people)
    return written(text, form, file_name(table))


class Standings(NegotiatedView):
    forms = ("json", "csv", "ndjson", "html", "pdf", "trf", "trf16", "trf26")

    @extend_schema(
        operation_id="standings",
        parameters=[ROUND, NOW, TIEBREAKS, TERMS, MARK, PAPER],
        responses={
            (200, "application/json"): StandingsSerializer,
            (200, "text/plain"): OpenApiTypes.STR,
            **PDF,
            **TEXTS,
        },
        examples=given(STANDINGS),
    )
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """The standings of now, or of an old round as they stood when it was complete.

        With `?round=` every form, by the event's codes or others, with `?terms=1` too, is
        computed from the results and players as they were; `corrected` tells beside it what comes
        out otherwise now, by the same codes, and `computed` says `then`. `?now=1` computes the
        old round from the results of now; so does a round from before they were kept, which says
        so. Forms by suffix or `Accept`: `.json`, `.csv` (`rank,id,name` and a column a code; `id`
        is the pairing number, and an apostrophe disarms text that a spreadsheet would run),
        `.ndjson`, `.html`, `.pdf`, `.trf` (FIDE's TRF16; `.trf26` for the other edition), in
        which years of birth and sex stand for the event's directors alone.
        """
        tournament = tournament_seen_by(request, slug)
        form = self.form_wanted(request, form)
        terms = is_flag_set(request, "terms") and form == "json"
        table = table_wanted(request, tournament, with_terms=terms)
        if form in TRF_FORMS:
            return _report(request, table, form)
        content = self._content(request, table, form, with_terms=terms)
        if form == "json":
            return Response(content)
        at = content.get("stood_at")
        note = note_beside(request, at and Stood(at, ""), content.get("corrected", ()))
        if form == "pdf":
            sheet = tables.standings_pdf(table, content, paper_wanted(request), note=note)
            return written(sheet, form, file_name(table))
        mark = is_flag_set(request, "bom")
        text = standings.written(content, form, title=table.title, note=note, mark=mark)
        return written(text, form, file_name(table))

    def _content(
        self, request: Request, table: Table, form: str, *, with_terms: bool
    ) -> dict[str, Any]:
        """The rows, and what was corrected since where the form has a place for it."""
        if table.stood and form in NOTED:
            now = table_of_now(table)
            return standings.as_it_stood(table, table.stood, now, with_terms=with_terms)
        kept = None if table.stood or with_terms else self._kept_rows(request, table)
        if kept is not None:
            return standings.as_it_was_kept(kept, table)
        return standings.as_it_is(table, with_terms=with_terms)

    def _kept_rows(self, request: Request, table: Table) -> Snapshot | None:
        """The snapshot of old, with rows alone, that the address asks for by no other codes."""
        asked = request.query_params
        if not asked.get("round") or asked.get("tiebreaks") or is_flag_set(request, "now"):
            return None
        return snapshot_of(table.tournament, table.through)


class CrosstableView(NegotiatedView):
    forms = ("json", "csv", "ndjson", "html", "svg", "pdf", "trf", "trf16", "trf26")

    @extend_schema(
        operation_id="crosstable",
        parameters=[ROUND, NOW, TIEBREAKS, ORDER, SHAPE, MARK, PAPER],
        responses={
            (200, "application/json"): CrosstableSerializer,
            (200, "image/svg+xml"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
            **PDF,
            **TEXTS,
        },
        examples=given(CROSSTABLE),
    )
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """Everybody's results in a line, with the digest of them all.

        A cell is the opponent's label, the own seat (f or s) and the result: `12f1`, `3s=`,
        `7f-`; a bye is its letter. `?shape=square` is that of a round robin, a column an
        opponent. `.svg` is a picture to embed; `.trf` and `.trf26` are FIDE's reports, as below
        `standings`. CSV columns: `line,rank,id,name`, a column a round (or a line, in a square)
        and `points`; `=` alone stands there as `'=`. `?round=` gives an old round as it stood, and
        `corrected` the cells that a later correction changed.
        """
        tournament = tournament_seen_by(request, slug)
        form = self.form_wanted(request, form)
        order = CrosstableOrder(choice(request, "order", list(CrosstableOrder)))
        usual = ("square", "rounds") if queries.is_round_robin(tournament) else ("rounds", "square")
        square = choice(request, "shape", usual) == "square"
        table = table_wanted(request, tournament)
        if form in TRF_FORMS:
            return _report(request, table, form)
        if square and len(table.rows) > MOST_SQUARE:
            raise Unprocessable(
                "too_many_players", f"a square has at most {MOST_SQUARE} lines; take shape=rounds"
            )
        corrected: list[dict[str, Any]] = []
        if table.stood and form in NOTED:
            now = table_of_now(table)
            corrected = list(corrected_cells(table, now, order, square=square))
        if form == "json":
            beside = {"corrected": corrected} if table.stood else {}
            return Response(crosstable.shown(table, order, square=square) | beside)
        note = note_beside(request, table.stood, corrected)
        if form == "pdf":
            paper = paper_wanted(request)
            content = tables.crosstable_pdf(table, order, paper, square=square, note=note)
            return written(content, form, file_name(table, ".crosstable"))
        if form == "svg":
            text = svg.crosstable_svg(table, order, square=square)
        else:
            mark = is_flag_set(request, "bom")
            text = crosstable.written(table, form, order, square=square, note=note, mark=mark)
        return written(text, form, file_name(table, ".crosstable"))


class Prizes(NegotiatedView):
    forms = ("json", "csv", "ndjson", "html", "pdf")

    @extend_schema(
        operation_id="prizes",
        parameters=[ROUND, NOW, TIEBREAKS, MARK, PAPER],
        responses={(200, "application/json"): PrizesSerializer, **PDF, **TEXTS},
        examples=given(PRIZES),
    )
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """Who wins what in each group of the event's `prizes`, as the table stands or stood.

        Groups are dealt with in their order; who has won in an exclusive group is passed over in
        later ones, and so is who has played no game or has withdrawn, unless the group says
        otherwise. Equals share as its `split` says, to the coin; what nobody takes is `left`.
        With `?round=` the table is that of an old round as it stood, and `corrected` tells who
        wins something else by now; the groups are those of now. CSV columns:
        `group,place,id,name,coins`.
        """
        tournament = tournament_seen_by(request, slug)
        form = self.form_wanted(request, form)
        table = table_wanted(request, tournament)
        with codes_refused():
            corrected: list[dict[str, Any]] = []
            if table.stood and form in NOTED:
                corrected = list(corrected_awards(table, table_of_now(table)))
            if form == "json":
                beside = {"corrected": corrected} if table.stood else {}
                return Response(prizes.shown(table) | beside)
            note = note_beside(request, table.stood, corrected)
            if form == "pdf":
                sheet = tables.prizes_pdf(table, paper_wanted(request), note=note)
                return written(sheet, form, file_name(table, ".prizes"))
            text = prizes.written(table, form, note=note, mark=is_flag_set(request, "bom"))
        return written(text, form, file_name(table, ".prizes"))
