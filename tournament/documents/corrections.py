"""What was corrected since a snapshot, as part of the document of every table.

The table of the snapshot is compared with the table of the current results. Players are compared
by their entries, because a late entry changes pairing numbers and corrects nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC
from typing import Any

from games.documents.document import TableDocument
from tournament.queries.standings import Table

CURRENT_NOTE = "Computed from the current results."
MOST_NAMES = 20


def with_corrections(
    document: TableDocument, table: Table, corrected: Iterable[Mapping[str, Any]]
) -> TableDocument:
    """Add what was corrected to the JSON, and to a note with the time of the snapshot.

    `corrected` has an object for each player or club.
    """
    assert table.as_of is not None, "only a snapshot can have been corrected since"
    rows = list(corrected)
    notes = [f"As of {table.as_of.time.astimezone(UTC):%Y-%m-%d at %H:%M} UTC."]
    names = list(dict.fromkeys(row.get("player", row)["name"] for row in rows))
    if names:
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        notes.append(f"Corrected since: {', '.join(names[:MOST_NAMES])}{more}.")
    body = {**document.body, "corrected": rows}
    return replace(document, body=body, notes=(*document.notes, *notes))


def ranks_without_late_entries(table: Table, current: Table) -> dict[int, int]:
    """Return the current ranks, by entry id, among the entries that the snapshot has."""
    known = set(table.entries.values())
    ranks = [(current.entries[row.number], row.rank) for row in current.rows]
    late = [rank for entry, rank in ranks if entry not in known]
    return {
        entry: rank - sum(late_rank < rank for late_rank in late)
        for entry, rank in ranks
        if entry in known
    }
