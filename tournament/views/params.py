"""Which table an address asks for: after which round, by which codes, as it stood or as it is."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.http.errors import Unprocessable, unknown_key
from games.http.request import is_flag_set
from tournament import queries
from tournament.documents.corrections import note_of
from tournament.models import Snapshot, Tournament
from tournament.queries.standings import Stood, Table, compute_table, now_beside
from tournament.snapshots.format import has_crosstable
from tournament.snapshots.reading import table_kept
from tournament.standings.errors import StandingsError, TiebreakError

ROUND = OpenApiParameter(
    "round", int, description="a complete round, whose table is told as it stood when it was"
)
TIEBREAKS = OpenApiParameter("tiebreaks", str, description="other codes than the event's: PTS,BH")
NOW = OpenApiParameter("now", bool, description="with `round`: from the results as they are now")
MARK = OpenApiParameter("bom", bool, description="CSV: begin with a byte order mark")
TEXTS = {
    (200, "text/csv"): OpenApiTypes.STR,
    (200, "application/x-ndjson"): OpenApiTypes.STR,
    (200, "text/html"): OpenApiTypes.STR,
}
NOTED = ("json", "html", "pdf")
"""The forms that have a place for what was corrected."""


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
        raise unknown_key(name, word, valid)
    return word


def table_wanted(request: Request, tournament: Tournament, *, with_terms: bool = False) -> Table:
    """The table that the address asks for: of an old round as it stood, unless it says `?now=1`.

    Raises Unprocessable for codes and rounds that will not do. A round of which no crosstable was
    kept is computed from the results of now.
    """
    asked = round_asked(request, tournament)
    codes = request.query_params.get("tiebreaks", "")
    with codes_refused():
        if asked is not None and not is_flag_set(request, "now"):
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
