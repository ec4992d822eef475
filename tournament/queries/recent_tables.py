"""Tables that were computed recently, and are used again while the event has not changed.

The pages and files of an event show the same few tables in many ways, each player with a login has
their own, and each card shows a part of one. Only reads outside of a transaction may use these
tables: a transaction may have changed rows before it writes the line in the journal.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from django.conf import settings

from tournament.core.heads import table_state
from tournament.core.rankings import Table, codes_of, compute_table
from tournament.models import Tournament


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
