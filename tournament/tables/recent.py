"""The table of an event that a request asks for, and tables that were computed recently.

The pages and files of an event show the same few tables in many ways, each player with a login has
their own, and each card shows a part of one. They are used again while the event has not changed,
but only by reads outside of a transaction: a transaction may have changed rows before it writes the
line in the journal.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from django.conf import settings
from rest_framework.request import Request

from games.core.errors import Unprocessable, invalid_parameter
from games.core.requests import is_flag_set
from games.rules.text import Text
from tournament.core.heads import table_state
from tournament.core.queries import last_complete_round
from tournament.core.rankings import Table, codes_of, compute_table
from tournament.core.snapshots import find_snapshot, read_table
from tournament.models import Tournament
from tournament.standings.errors import StandingsError, TiebreakError


@dataclass(frozen=True, slots=True)
class RequestedTable:
    """What a table depends on: the event, the heads of journals, and a key for everything else."""

    tournament: int
    state: tuple[Hashable, ...]
    key: Hashable
    compute: Callable[[Tournament], Table] = field(compare=False)


def recent_table(
    tournament: Tournament, key: Hashable, compute: Callable[[Tournament], Table]
) -> Table:
    """Return the table of this key, which `compute` returns if none is stored."""
    if not settings.STORED_RESPONSES:
        return compute(tournament)
    state = tuple(table_state(tournament.slug))
    found = compute_once(RequestedTable(tournament.pk, state, key, compute))
    return replace(found, tournament=tournament)


# In memory, and not in Django's cache: to unpickle a table of 1,000 players takes 15 ms.
@lru_cache(maxsize=12)
def compute_once(table: RequestedTable) -> Table:
    """Return a table, with the settings of now: its event was loaded before its state was."""
    return table.compute(Tournament.objects.get(pk=table.tournament))


def recent_current_table(
    tournament: Tournament,
    codes: Sequence[str] | str = "",
    *,
    through: int,
) -> Table:
    """Return the table after a round from the current results, as `compute_table` does."""
    key = ("current", through, codes if isinstance(codes, str) else tuple(codes))
    return recent_table(
        tournament, key, lambda current: compute_table(current, codes, through=through)
    )


def recent_comparison(table: Table) -> Table:
    """Return the table of a snapshot from the current results."""
    return recent_current_table(table.tournament, codes_of(table.labels), through=table.through)


def requested_table(
    request: Request,
    tournament: Tournament,
    *,
    with_terms: bool = False,
) -> Table:
    """Return the table of `?round=` from its snapshot, else from the current results.

    `?current=1` ignores the snapshot, `?snapshot=` is a version of it. Raises Unprocessable for a
    version that does not exist, and for invalid `?tiebreaks=`, with the valid ones.
    """
    try:
        return _requested_table(request, tournament, with_terms=with_terms)
    except StandingsError as error:
        raise standings_problem(error) from error


def standings_problem(error: StandingsError) -> Unprocessable:
    """Return the problem of a table; unknown tie-breaks list the valid ones."""
    if not isinstance(error, TiebreakError):
        return Unprocessable("cannot_be_written", str(error))
    return invalid_parameter("tiebreaks", str(error), error.valid)


def _requested_table(request: Request, tournament: Tournament, *, with_terms: bool) -> Table:
    round_number = _requested_round(request, tournament)
    codes = request.query_params.get("tiebreaks", "")
    if round_number is None:
        for name in sorted(request.query_params.keys() & {"current", "snapshot"}):
            detail = Text("%(field)s is about the table of a round: give round, too", field=name)
            raise invalid_parameter(name, detail)
        round_number = last_complete_round(tournament)
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
            raise invalid_parameter("snapshot", detail)
        if snapshot:
            return recent_table(
                tournament,
                ("snapshot", snapshot.pk, codes, with_terms),
                lambda current: read_table(
                    current, round_number, snapshot, codes, with_terms=with_terms
                ),
            )
    return recent_current_table(tournament, codes, through=round_number)


def _requested_round(request: Request, tournament: Tournament) -> int | None:
    """Return the complete round of `?round=`, None without one; raise Unprocessable."""
    text = request.query_params.get("round", "")
    if not text:
        return None
    last = last_complete_round(tournament)
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= last):
        detail = Text(
            "round %(number)s is not a complete round; complete rounds are 0 to %(last)s",
            number=f"{text[:20]!r}",
            last=last,
        )
        raise invalid_parameter("round", detail)
    return int(text)
