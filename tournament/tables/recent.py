"""The table of an event that a request asks for, and tables that were computed recently.

The pages and files of an event show the same few tables in many ways, each player with a login has
their own, and each card shows a part of one. They are used again while the event has not changed,
but only by reads outside of a transaction: a transaction may have changed rows before it writes the
line in the journal.
"""

from collections.abc import Hashable
from dataclasses import replace
from functools import lru_cache

from django.conf import settings
from rest_framework.request import Request

from games.core.errors import Unprocessable, invalid_parameter
from games.rules.text import Text
from tournament.core.heads import table_state
from tournament.core.queries import last_complete_round
from tournament.core.rankings import Table, compute_table
from tournament.models import Tournament
from tournament.standings.errors import StandingsError, TiebreakError


def recent_table(tournament: Tournament, codes: str = "", *, through: int) -> Table:
    """Return the table after a round, as `compute_table` does."""
    if not settings.STORED_RESPONSES:
        return compute_table(tournament, codes, through=through)
    state = tuple(table_state(tournament.slug))
    return replace(compute_once(tournament.pk, state, codes, through), tournament=tournament)


# In memory, and not in Django's cache: to unpickle a table of 1,000 players takes 15 ms.
@lru_cache(maxsize=12)
def compute_once(event: int, _state: tuple[Hashable, ...], codes: str, through: int) -> Table:
    """Return a table, with the settings of now: its event was loaded before its state was."""
    return compute_table(Tournament.objects.get(pk=event), codes, through=through)


def requested_table(request: Request, tournament: Tournament) -> Table:
    """Return the table after `?round=`, by default after the last complete round.

    Raises Unprocessable for another round, and for invalid `?tiebreaks=`, with the valid ones.
    """
    through = requested_round(request, tournament)
    codes = request.query_params.get("tiebreaks", "")
    try:
        return recent_table(tournament, codes, through=through)
    except StandingsError as error:
        raise standings_problem(error) from error


def standings_problem(error: StandingsError) -> Unprocessable:
    """Return the problem of a table; unknown tie-breaks list the valid ones."""
    if not isinstance(error, TiebreakError):
        return Unprocessable("cannot_be_written", str(error))
    return invalid_parameter("tiebreaks", str(error), error.valid or None)


def requested_round(request: Request, tournament: Tournament) -> int:
    """Return the complete round of `?round=`, the last one without it; raise Unprocessable."""
    text = request.query_params.get("round", "")
    last = last_complete_round(tournament)
    if not text:
        return last
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= last):
        detail = Text(
            "round %(number)s is not a complete round; complete rounds are 0 to %(last)s",
            number=f"{text[:20]!r}",
            last=last,
        )
        raise invalid_parameter("round", detail, min=0, max=last)
    return int(text)
