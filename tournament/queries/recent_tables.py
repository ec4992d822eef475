"""Tables that were computed recently, and are used again while the event has not changed.

The pages and files of an event show the same few tables in many ways, each player with a login has
their own, and each card shows a part of one. Only reads outside of a transaction may use these
tables: a transaction may have changed rows before it writes the line in the journal.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Final

from django.conf import settings

from games.state_cache import StateCache
from tournament.models import Tournament
from tournament.queries.heads import table_state
from tournament.queries.standings import Table, codes_of, compute_table

MOST_STORED_ROWS: Final = 8_000
"""Rows of players in all stored tables of a process; a row takes about 3 kB."""

tables: StateCache[Table] = StateCache(MOST_STORED_ROWS if settings.RESPONSE_CACHE else 0)


def recent_table(
    tournament: Tournament, key: Hashable, compute: Callable[[Tournament], Table]
) -> Table:
    """Return the table of this key, which `compute` returns if none is stored.

    The key names everything that the table depends on, besides the event and its journal.
    """
    if not tables.capacity:
        return compute(tournament)
    full_key = (tournament.pk, key)
    with tables.computing(full_key):
        state = tuple(table_state(tournament.slug))
        found = tables.find(full_key, state)
        if found is None:
            found = compute(Tournament.objects.get(pk=tournament.pk))
            if tuple(table_state(tournament.slug)) == state:
                tables.store(full_key, state, found, size=len(found.rows) + 1)
    return replace(found, tournament=tournament)


def recent_current_table(
    tournament: Tournament,
    codes: Sequence[str] | str = "",
    *,
    through: int,
    skip_unproven: bool = False,
) -> Table:
    """Return the table after a round from the current results, as `compute_table` does."""
    key = ("current", through, codes if isinstance(codes, str) else tuple(codes), skip_unproven)
    options: Any = {"codes": codes, "through": through, "skip_unproven": skip_unproven}
    return recent_table(tournament, key, lambda current: compute_table(current, **options))


def recent_comparison(table: Table) -> Table:
    """Return the table of a snapshot from the current results, as far as they are proven."""
    codes = codes_of(table.labels)
    return recent_current_table(table.tournament, codes, through=table.through, skip_unproven=True)
