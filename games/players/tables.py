"""The players as a table, which an import reads back.

Columns: `player,name,country,club,seed_rating,fide,ids,seed_games,seed_reached_2400`. `player` is
the id of the player, `fide` that of FIDE; `ids` are those of other organisations, as `ecf:120787D`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from games.core.uploads.headings import SOME_ID


def seed_columns(player_of: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> tuple[Column, ...]:
    """Return the columns of the ids of a player, and of what led to the rating of the record."""
    return (
        Column(
            "fide",
            kind=ColumnKind.TEXT,
            cell=lambda row: player_of(row)["external_ids"].get("fide"),
        ),
        Column(
            "ids", kind=ColumnKind.TEXT, cell=lambda row: _other_ids(player_of(row)["external_ids"])
        ),
        Column(
            "seed_games",
            cell=lambda row: (row["seed_rating"] and player_of(row)["seed_games"]) or None,
        ),
        Column(
            "seed_reached_2400",
            kind=ColumnKind.TEXT,
            cell=lambda row: (
                "yes" if row["seed_rating"] and player_of(row)["seed_reached_2400"] else None
            ),
        ),
    )


def _other_ids(ids: Mapping[str, Any]) -> str:
    """Return the ids but that of FIDE, as an import reads them."""
    schemes = sorted(ids.keys() - {"fide"}, key=lambda scheme: (scheme != SOME_ID, scheme))
    return " ".join(
        str(ids[scheme])
        if scheme == SOME_ID and ":" not in str(ids[scheme])
        else f"{scheme}:{ids[scheme]}"
        for scheme in schemes
    )


def players_document(players: Iterable[Mapping[str, Any]]) -> TableDocument:
    """Return the table of players from their JSON."""
    return TableDocument(
        heading=Heading(title="Players", subtitle="", file_stem="players"),
        columns=(
            Column("player", of="id", cell_type=CellType.CODE),
            *(Column(name, kind=ColumnKind.TEXT) for name in ("name", "country", "club")),
            Column("seed_rating"),
            *seed_columns(lambda player: player),
        ),
        records=players,
    )
