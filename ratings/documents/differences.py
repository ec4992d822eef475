"""The players whose rating differs after two runs.

CSV columns: `id,name,before,games_before,after,games,difference`; a rating is empty for a player
who has none.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import QuerySet

from games.core.tables.table import Cell, Column, ColumnKind, Heading, TableDocument
from ratings.models import Pool
from ratings.runs.queries import DIFFERENCE_FIELDS, difference_as_json

DIFFERENCE_COLUMNS: Final = (
    Column("id", "Id"),
    Column("name", "Name", ColumnKind.TEXT),
    Column("before", "Before"),
    Column("games_before", "Games before"),
    Column("after", "After"),
    Column("games", "Games"),
    Column("difference", "Difference"),
)


def differences_document(
    pool: Pool, later: int, earlier: int, differences: "QuerySet[Any]"
) -> TableDocument:
    """Return the differences between two runs of a pool, by player."""
    rows = differences.order_by("player_id").values(*DIFFERENCE_FIELDS)
    return TableDocument(
        heading=Heading(
            title=f"{pool.name}: runs {earlier} and {later}",
            subtitle="ratings that differ",
            file_stem=f"{pool.code}-runs-{earlier}-{later}",
        ),
        columns=DIFFERENCE_COLUMNS,
        records=map(difference_as_json, rows.iterator(chunk_size=2000)),
        cells=_cells,
    )


def _cells(row: Mapping[str, Any]) -> tuple[Cell, ...]:
    before, after = row["before"] or {}, row["after"] or {}
    return (
        row["player"]["id"],
        row["player"]["name"],
        before.get("rating", ""),
        before.get("games", ""),
        after.get("rating", ""),
        after.get("games", ""),
        row["difference"] or "",
    )
