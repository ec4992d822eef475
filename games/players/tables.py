"""The players as a table, which an import reads back.

Columns: `player,name,country,club,seed_rating,fide,ids,seed_games,seed_reached_2400`. `player` is
the id of the player, `fide` that of FIDE; `ids` are those of other organisations, as `ecf:120787D`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from games.core.uploads.headings import SOME_ID

COLUMNS: Final = (
    Column("player", cell_type=CellType.CODE),
    *(Column(name, kind=ColumnKind.TEXT) for name in ("name", "country", "club")),
    Column("seed_rating"),
    Column("fide", kind=ColumnKind.TEXT),
    Column("ids", kind=ColumnKind.TEXT),
    Column("seed_games"),
    Column("seed_reached_2400", kind=ColumnKind.TEXT),
)


def seed_cells(player: Mapping[str, Any], rating: object) -> tuple[Any, ...]:
    """Return the ids of a player, and what led to a rating, as an import reads them."""
    ids = player["external_ids"]
    schemes = sorted(ids.keys() - {"fide"}, key=lambda scheme: (scheme != SOME_ID, scheme))
    others = [
        str(ids[scheme])
        if scheme == SOME_ID and ":" not in str(ids[scheme])
        else f"{scheme}:{ids[scheme]}"
        for scheme in schemes
    ]
    return (
        str(ids.get("fide", "")),
        " ".join(others),
        (rating and player["seed_games"]) or "",
        "yes" if rating and player["seed_reached_2400"] else "",
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
            *seed_cells(player, player["seed_rating"]),
        ),
    )
