"""Tables that were computed recently, and are used again while the event has not changed.

The pages and files of an event show the same few tables in many ways, each player with a login has
their own, and each card shows a part of one. Only reads outside of a transaction may use these
tables: a transaction may have changed rows before it writes the line in the journal.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.core.cache import caches

from tournament.models import Tournament
from tournament.queries.heads import key_in_cache, table_state
from tournament.queries.standings import Table, codes_of, compute_table


def recent_table(tournament: Tournament, key: Any, compute: Callable[[Tournament], Table]) -> Table:
    """Return the table of this key, which `compute` returns if none is stored.

    The key names everything that the table depends on, besides the event and its journal.
    """
    if not settings.STORED_RESPONSES:
        return compute(tournament)
    state = table_state(tournament.slug)
    name = key_in_cache(tournament.pk, key, state)
    found: Table | None = caches["tables"].get(name)
    if found is None:
        found = compute(Tournament.objects.get(pk=tournament.pk))
        if table_state(tournament.slug) == state:
            caches["tables"].set(name, found)
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
