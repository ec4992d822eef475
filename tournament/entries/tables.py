"""The entries of an event as a table, which an import of entries reads back.

Columns: `number,player,name,country,club,seed_rating,state`, for the event's officials the other
values that a file can give an entry: `birth_year,sex,category`, and at the end
`fide,ids,seed_games,seed_reached_2400` as in the table of players. `number` is the pairing number,
`player` the id of the player.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rest_framework import serializers

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from games.models import Player
from games.players.tables import seed_cells
from tournament.entries.serializers import VALUES, EntryValuesSerializer
from tournament.models import Tournament


def _kind_of(value: Any) -> ColumnKind:
    is_number = isinstance(value, serializers.IntegerField)
    return ColumnKind.NUMBER if is_number else ColumnKind.TEXT


COLUMNS: Final = (
    Column("number"),
    Column("player", cell_type=CellType.CODE),
    *(Column(name, kind=ColumnKind.TEXT) for name in ("name", "country", "club")),
    Column("seed_rating"),
    Column("state", kind=ColumnKind.TEXT),
    *(Column(name, kind=_kind_of(value)) for name, value in EntryValuesSerializer().fields.items()),
    Column("fide", kind=ColumnKind.TEXT),
    Column("ids", kind=ColumnKind.TEXT),
    Column("seed_games"),
    Column("seed_reached_2400", kind=ColumnKind.TEXT),
)
PUBLIC: Final = tuple(column.name for column in COLUMNS if column.name not in VALUES)


def entries_document(
    tournament: Tournament,
    entries: Sequence[Mapping[str, Any]],
    players: Mapping[int, Player],
    *,
    is_official: bool,
) -> TableDocument:
    """Return the table of entries from their JSON and their `players` by id."""
    return TableDocument(
        heading=Heading(title=tournament.name, subtitle="", file_stem=f"{tournament.slug}.entries"),
        columns=COLUMNS,
        records=entries,
        cells=lambda entry: _cells(entry, players[entry["player"]["id"]]),
        csv=() if is_official else PUBLIC,
    )


def _cells(entry: Mapping[str, Any], known: Player) -> tuple[Any, ...]:
    player = entry["player"]
    return (
        entry["number"] or "",
        player["id"],
        player["name"],
        player["country"] or "",
        entry["club"] or player["club"] or "",
        entry["seed_rating"] or "",
        entry["state"],
        *(entry.get(name) or "" for name in VALUES),
        *seed_cells(vars(known), entry["seed_rating"]),
    )
