"""Standings, crosstable and prizes in the forms that people and programs read."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import Unprocessable, one_of
from games.views.asking import sees_drafts
from tournament import queries
from tournament.exports import crosstable, picture, prizes, report, standings
from tournament.exports.corrected import corrected_awards, corrected_cells, note_of
from tournament.exports.paper import tables
from tournament.exports.snapshot import has_crosstable, table_kept
from tournament.exports.table import Stood, Table, compute_table, now_beside
from tournament.models import Snapshot, Tournament
from tournament.serializers.prizes import PrizesShape
from tournament.serializers.tables import CrosstableShape, StandingsShape
from tournament.standings.errors import StandingsError, TiebreakError
from tournament.standings.grid import GridOrder
from tournament.standings.trf import TrfForm
from tournament.views.finding import tournament_seen_by
from tournament.views.forms import Formed, written
from tournament.views.printing import PAPER, PDF, paper_wanted

ROUND = OpenApiParameter("round", int, description="the last round to count")
TIEBREAKS = OpenApiParameter("tiebreaks", str, description="other codes than the event's: PTS,BH")
NOW = OpenApiParameter("now", bool, description="an old round from the results as they are now")
MARK = OpenApiParameter("bom", bool, description="CSV: begin with a byte order mark")
TERMS = OpenApiParameter("terms", bool, description="JSON: what each value is made of")
ORDER = OpenApiParameter("order", str, enum=list(GridOrder), description="how the lines stand")
SHAPE = OpenApiParameter("shape", str, enum=["rounds", "square"])
TEXTS = {
    (200, "text/csv"): OpenApiTypes.STR,
    (200, "application/x-ndjson"): OpenApiTypes.STR,
    (200, "text/html"): OpenApiTypes.STR,
}
MOST_SQUARE = 200
NOTED = ("json", "html", "pdf")
"""The forms that have a place for what was corrected."""
TRF_FORMS = {"trf": TrfForm.TRF16, "trf16": TrfForm.TRF16, "trf26": TrfForm.TRF26}


def round_asked(request: Request, tournament: Tournament) -> int | None:
    """The complete round of `?round=`, None when none is named; raises Unprocessable."""
    text = request.query_params.get("round", "")
    if not text:
        return None
    last = queries.last_complete_round(tournament)
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= last):
        raise Unprocessable(
            "no_such_round", f"round {text[:20]!r} is not complete; 0 to {last} are"
        )
    return int(text)


def is_wished(request: Request, name: str) -> bool:
    """Whether a yes-or-no parameter says yes."""
    return request.query_params.get(name, "").lower() in ("1", "true", "yes")


@contextmanager
def codes_refused() -> Iterator[None]:
    """Tell what the standings refuse, unknown codes with the valid ones, as a 422."""
    try:
        yield
    except TiebreakError as error:
        code = "unknown_tiebreak" if error.valid else "unfit_tiebreak"
        raise Unprocessable(
            code,
            str(error),
            [{"pointer": "/tiebreaks", "code": code, "detail": str(error)}],
            valid=list(error.valid),
        ) from error
    except StandingsError as error:
        raise Unprocessable("cannot_be_written", str(error)) from error


def choice(request: Request, name: str, valid: Sequence[str]) -> str:
    """A parameter that is one of a few words, the first of them when it is not given."""
    word = request.query_params.get(name) or valid[0]
    if word not in valid:
        raise one_of(name, word, valid)
    return word


def table_wanted(request: Request, tournament: Tournament, *, with_terms: bool = False) -> Table:
    """The table that the address asks for: of an old round as it stood, unless it says `?now=1`.

    Raises Unprocessable for codes and rounds that will not do. A round of which no crosstable was
    kept is computed from the results of now.
    """
    asked = round_asked(request, tournament)
    codes = request.query_params.get("tiebreaks", "")
    with codes_refused():
        if asked is not None and not is_wished(request, "now"):
            kept = snapshot_of(tournament, asked)
            if kept and has_crosstable(kept.body):
                return table_kept(tournament, asked, kept, codes, with_terms=with_terms)
        through = queries.last_complete_round(tournament) if asked is None else asked
        return compute_table(tournament, codes, through=through)


def snapshot_of(tournament: Tournament, number: int) -> Snapshot | None:
    """What was kept of a round, if it was."""
    return Snapshot.objects.filter(round__tournament=tournament, round__number=number).first()


def table_of_now(table: Table) -> Table:
    """What comes out now beside a table that stood."""
    with codes_refused():
        return now_beside(table)


def note_beside(request: Request, stood: Stood | None, corrected: Iterable[dict[str, Any]]) -> str:
    """What stands beside a round asked for by its number: that it stood so, or is of now."""
    return note_of(stood, corrected) if request.query_params.get("round") else ""


def file_name(table: Table, what: str = "") -> str:
    """What a download is called, as `spring-open.r3`."""
    return f"{table.tournament.slug}.r{table.through}{what}"


class Standings(Formed):
    forms = ("json", "csv", "ndjson", "html", "pdf", "trf", "trf16", "trf26")

    @extend_schema(
        operation_id="standings",
        parameters=[ROUND, NOW, TIEBREAKS, TERMS, MARK, PAPER],
        responses={
            (200, "application/json"): StandingsShape,
            (200, "text/plain"): OpenApiTypes.STR,
            **PDF,
            **TEXTS,
        },
    )
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """The standings after a round, computed from the results as they are now.

        `?round=` gives an old round as it stood when it was completed, with what a later
        correction changed beside it; other codes or `?terms=1` are computed from the results of
        now. Forms by suffix or `Accept`: `.json`, `.csv` (`rank,id,name` and a column a code),
        `.ndjson`, `.html`, `.trf` (FIDE's TRF16; `.trf26` for the other edition), in
        which years of birth and sex stand for the event's directors alone.
        """
        tournament = tournament_seen_by(request, slug)
        form = self.form_wanted(request, form)
        terms = is_wished(request, "terms")
        table = table_wanted(request, tournament, with_terms=terms and form == "json")
        if form in TRF_FORMS:
            with codes_refused():
                people = sees_drafts(request, tournament.stream)
                text = report.report_of(table, TRF_FORMS[form], with_people=people)
            return written(text, form, file_name(table))
        stood, content = table.stood, self._content(request, table, form)
        if form == "json":
            return Response(content)
        if "stood_at" in content:
            stood = Stood(content["stood_at"], "")
        note = note_beside(request, stood, content.get("corrected", ()))
        if form == "pdf":
            sheet = tables.standings_pdf(table, content, paper_wanted(request))
            return written(sheet, form, file_name(table))
        mark = is_wished(request, "bom")
        text = standings.written(content, form, title=table.title, note=note, mark=mark)
        return written(text, form, file_name(table))

    def _content(self, request: Request, table: Table, form: str) -> dict[str, Any]:
        """The rows, and what was corrected since where the form has a place for it."""
        terms = is_wished(request, "terms")
        if table.stood and form in NOTED:
            now = table_of_now(table)
            return standings.as_it_stood(table, table.stood, now, with_terms=terms)
        if not table.stood and not terms:
            kept = self._kept_rows(request, table)
            if kept is not None:
                return standings.as_it_was_kept(kept, table)
        return standings.as_it_is(table, with_terms=terms)

    def _kept_rows(self, request: Request, table: Table) -> Snapshot | None:
        """The snapshot of old, with rows alone, that the address asks for by no other codes."""
        asked = request.query_params
        if not asked.get("round") or asked.get("tiebreaks") or is_wished(request, "now"):
            return None
        return snapshot_of(table.tournament, table.through)


class CrosstableView(Formed):
    forms = ("json", "csv", "ndjson", "html", "svg", "pdf")

    @extend_schema(
        operation_id="crosstable",
        parameters=[ROUND, NOW, TIEBREAKS, ORDER, SHAPE, MARK, PAPER],
        responses={
            (200, "application/json"): CrosstableShape,
            (200, "image/svg+xml"): OpenApiTypes.STR,
            **PDF,
            **TEXTS,
        },
    )
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """Everybody's results in a line, with the digest of them all.

        A cell is the opponent's label, the own seat (f or s) and the result: `12f1`, `3s=`,
        `7f-`; a bye is its letter. `?shape=square` is that of a round robin, a column an
        opponent. `.svg` is a picture to embed.
        """
        tournament = tournament_seen_by(request, slug)
        form = self.form_wanted(request, form)
        order = GridOrder(choice(request, "order", list(GridOrder)))
        usual = ("square", "rounds") if queries.is_round_robin(tournament) else ("rounds", "square")
        square = choice(request, "shape", usual) == "square"
        table = table_wanted(request, tournament)
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
            content = tables.crosstable_pdf(table, order, paper, square=square)
            return written(content, form, file_name(table, ".crosstable"))
        if form == "svg":
            text = picture.crosstable_svg(table, order, square=square)
        else:
            mark = is_wished(request, "bom")
            text = crosstable.written(table, form, order, square=square, note=note, mark=mark)
        return written(text, form, file_name(table, ".crosstable"))


class Prizes(Formed):
    forms = ("json", "csv", "ndjson", "html", "pdf")

    @extend_schema(
        operation_id="prizes",
        parameters=[ROUND, NOW, TIEBREAKS, MARK, PAPER],
        responses={(200, "application/json"): PrizesShape, **PDF, **TEXTS},
    )
    def get(self, request: Request, slug: str, form: str = "") -> HttpResponse:
        """Who wins what in each group of the event's `prizes`, as the table stands.

        Groups are dealt with in their order; who has won in an exclusive group is passed over in
        later ones, and so is who has played no game or has withdrawn, unless the group says
        otherwise. Equals share as its `split` says, to the coin; what nobody takes is `left`.
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
                sheet = tables.prizes_pdf(table, paper_wanted(request))
                return written(sheet, form, file_name(table, ".prizes"))
            text = prizes.written(table, form, note=note, mark=is_wished(request, "bom"))
        return written(text, form, file_name(table, ".prizes"))
