"""The entries of an event as a table, which an import of entries reads back.

Columns: `number,player,name,country,club,seed_rating,state`, and for the event's officials the
other values that a file can give an entry: `birth_year,sex,category`. `number` is the pairing
number, `player` the id of the player.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rest_framework import serializers

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
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
)
PUBLIC: Final = tuple(column.name for column in COLUMNS if column.name not in VALUES)


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
        *(entry.get(name) or "" for name in VALUES),
    )
