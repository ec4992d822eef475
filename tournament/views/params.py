"""The query parameters of a table: after which round, by which tie-breaks, from which results."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.http.errors import Unprocessable, unknown_key
from games.http.request import is_flag_set
from tournament import queries
from tournament.models import Tournament
from tournament.queries.standings import Table, compute_table
from tournament.snapshots.reading import find_snapshot, read_table
from tournament.standings.errors import StandingsError, TiebreakError

ROUND = OpenApiParameter(
    "round", int, description="a complete round: its table from the snapshot taken at that time"
)
TIEBREAKS = OpenApiParameter(
    "tiebreaks", str, description="other tie-breaks than the event's: PTS,BH"
)
CURRENT = OpenApiParameter(
    "current", bool, description="with `round`: from the current results, not from the snapshot"
)
BYTE_ORDER_MARK = OpenApiParameter("bom", bool, description="CSV: start with a byte order mark")
TEXTS = {
    (200, "text/csv"): OpenApiTypes.STR,
    (200, "application/x-ndjson"): OpenApiTypes.STR,
    (200, "text/html"): OpenApiTypes.STR,
}


def requested_table(request: Request, tournament: Tournament, *, with_terms: bool = False) -> Table:
    """Return the table of `?round=` from its snapshot, else from the current results.

    `?current=1` ignores the snapshot. Raises Unprocessable for a round that is not complete,
    TiebreakError for invalid `?tiebreaks=`.
    """
    round_number = _requested_round(request, tournament)
    codes = request.query_params.get("tiebreaks", "")
    if round_number is None:
        round_number = queries.last_complete_round(tournament)
    elif not is_flag_set(request, "current"):
        snapshot = find_snapshot(tournament, round_number)
        if snapshot:
            return read_table(tournament, round_number, snapshot, codes, with_terms=with_terms)
    return compute_table(tournament, codes, through=round_number)


def _requested_round(request: Request, tournament: Tournament) -> int | None:
    text = request.query_params.get("round", "")
    if not text:
        return None
    last = queries.last_complete_round(tournament)
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= last):
        raise Unprocessable(
            "no_such_round",
            f"round {text[:20]!r} is not a complete round; complete rounds are 0 to {last}",
        )
    return int(text)


def requested_choice(request: Request, name: str, valid: Sequence[str]) -> str:
    """Return a parameter that is one of a few words, by default the first."""
    word = request.query_params.get(name) or valid[0]
    if word not in valid:
        raise unknown_key(name, word, valid)
    return word


@contextmanager
def standings_errors_as_problems() -> Iterator[None]:
    """Convert a StandingsError to Unprocessable; unknown tie-breaks list the valid ones."""
    try:
        yield
    except TiebreakError as error:
        code = "unknown_tiebreak" if error.valid else "unfit_tiebreak"
        raise Unprocessable(code, str(error), at="/tiebreaks", valid=list(error.valid)) from error
    except StandingsError as error:
        raise Unprocessable("cannot_be_written", str(error)) from error
