"""The players as a table: `player,name,country,club,seed_rating,fide`.

`player` is the id of the player, `fide` that of FIDE.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument

COLUMNS: Final = (
    Column("player", cell_type=CellType.CODE),
    *(Column(name, kind=ColumnKind.TEXT) for name in ("name", "country", "club")),
    Column("seed_rating"),
    Column("fide", kind=ColumnKind.TEXT),
)


def players_document(players: Iterable[Mapping[str, Any]]) -> TableDocument:
    """Return the table of players from their JSON."""
    return TableDocument(
        heading=Heading(title="Players", subtitle="", file_stem="players"),
        columns=COLUMNS,
        records=players,
        cells=lambda player: (
            player["id"],
            player["name"],
            player["country"] or "",
            player["club"] or "",
            player["seed_rating"] or "",
            player["external_ids"].get("fide", ""),
        ),
    )
