"""The table of an event that the query of a request names, for the API and for pages."""

from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.requests import is_flag_set
from games.rules.text import Text
from tournament import queries
from tournament.core.rankings import Table
from tournament.models import Tournament
from tournament.queries.recent_tables import recent_current_table, recent_table
from tournament.snapshots.reading import find_snapshot, read_table
from tournament.standings.errors import StandingsError, TiebreakError


def requested_table(
    request: Request,
    tournament: Tournament,
    *,
    with_terms: bool = False,
    skip_unproven: bool = False,
) -> Table:
    """Return the table of `?round=` from its snapshot, else from the current results.

    `?current=1` ignores the snapshot, `?snapshot=` is a version of it. Raises Unprocessable for a
    version that does not exist, and for invalid `?tiebreaks=`, with the valid ones; tie-breaks that
    need a record where one is missing are invalid too, or left out with `skip_unproven`.
    """
    try:
        return _requested_table(
            request, tournament, with_terms=with_terms, skip_unproven=skip_unproven
        )
    except StandingsError as error:
        raise standings_problem(error) from error


def standings_problem(error: StandingsError) -> Unprocessable:
    """Return the problem of a table; unknown tie-breaks list the valid ones."""
    if not isinstance(error, TiebreakError):
        return Unprocessable("cannot_be_written", str(error))
    code = "unknown_tiebreak" if error.valid else "unfit_tiebreak"
    return Unprocessable(code, str(error), at="/tiebreaks", valid=list(error.valid))


def _requested_table(
    request: Request, tournament: Tournament, *, with_terms: bool, skip_unproven: bool
) -> Table:
    round_number = _requested_round(request, tournament)
    codes = request.query_params.get("tiebreaks", "")
    if round_number is None:
        round_number = queries.last_complete_round(tournament)
    elif not is_flag_set(request, "current"):
        version = request.query_params.get("snapshot", "")
        is_number = version.isascii() and version.isdigit() and len(version) <= 4
        snapshot = find_snapshot(tournament, round_number, int(version) if is_number else None)
        if version and (snapshot is None or not is_number):
            detail = Text(
                "round %(number)s has no snapshot %(version)s",
                number=round_number,
                version=f"{version[:20]!r}",
            )
            raise Unprocessable("no_such_version", detail)
        if snapshot:
            return recent_table(
                tournament,
                ("snapshot", snapshot.pk, codes, with_terms),
                lambda current: read_table(
                    current, round_number, snapshot, codes, with_terms=with_terms
                ),
            )
    return recent_current_table(
        tournament, codes, through=round_number, skip_unproven=skip_unproven
    )


def _requested_round(request: Request, tournament: Tournament) -> int | None:
    """Return the complete round of `?round=`, None without one; raise Unprocessable."""
    text = request.query_params.get("round", "")
    if not text:
        return None
    last = queries.last_complete_round(tournament)
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= last):
        raise Unprocessable(
            "no_such_round",
            Text(
                "round %(number)s is not a complete round; complete rounds are 0 to %(last)s",
                number=f"{text[:20]!r}",
                last=last,
            ),
        )
    return int(text)
