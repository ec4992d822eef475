"""The entries of an event as a table, which an import of entries reads back.

Columns: `number,player,name,country,club,seed_rating,state`, and for the event's officials
`birth_year,sex,category`. `number` is the pairing number, `player` the id of the player.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from tournament.models import Tournament

COLUMNS: Final = (
    Column("number"),
    Column("player", cell_type=CellType.CODE),
    *(Column(name, kind=ColumnKind.TEXT) for name in ("name", "country", "club")),
    Column("seed_rating"),
    Column("state", kind=ColumnKind.TEXT),
    Column("birth_year"),
    *(Column(name, kind=ColumnKind.TEXT) for name in ("sex", "category")),
)
PUBLIC: Final = tuple(column.name for column in COLUMNS[:-3])


def entries_document(
    tournament: Tournament, entries: Sequence[Mapping[str, Any]], *, is_official: bool
) -> TableDocument:
    """Return the table of entries from their JSON."""
    return TableDocument(
        heading=Heading(title=tournament.name, subtitle="", file_stem=f"{tournament.slug}.entries"),
        columns=COLUMNS,
        records=entries,
        cells=_cells,
        csv=() if is_official else PUBLIC,
    )


def _cells(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    player = entry["player"]
    return (
        entry["number"] or "",
        player["id"],
        player["name"],
        player["country"] or "",
        entry["club"] or player["club"] or "",
        entry["seed_rating"] or "",
        entry["state"],
        entry.get("birth_year") or "",
        entry.get("sex") or "",
        entry.get("category") or "",
    )
