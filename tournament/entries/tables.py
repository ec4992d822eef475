"""The entries of an event as a table, which an import of entries reads back.

Columns: `number,player,name,country,club,seed_rating,state`, for the event's officials the other
values that a file can give an entry: `birth_year,sex,category`, and at the end
`fide,ids,seed_games,seed_reached_2400` as in the table of players. `number` is the pairing number,
`player` the id of the player.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from rest_framework import serializers

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from games.models import Player
from games.players.tables import seed_columns
from tournament.entries.serializers import VALUES, EntryValuesSerializer
from tournament.models import Tournament


def _kind_of(value: Any) -> ColumnKind:
    is_number = isinstance(value, serializers.IntegerField)
    return ColumnKind.NUMBER if is_number else ColumnKind.TEXT


def _value_of(name: str, entry: Mapping[str, Any]) -> Any:
    return entry.get(name) or None


COLUMNS: Final = (
    Column("number"),
    Column("player", of="player.id", cell_type=CellType.CODE),
    Column("name", kind=ColumnKind.TEXT, of="player.name"),
    Column("country", kind=ColumnKind.TEXT, of="player.country"),
    Column(
        "club", kind=ColumnKind.TEXT, cell=lambda entry: entry["club"] or entry["player"]["club"]
    ),
    Column("seed_rating"),
    Column("state", kind=ColumnKind.TEXT),
    *(
        Column(name, kind=_kind_of(value), cell=partial(_value_of, name))
        for name, value in EntryValuesSerializer().fields.items()
    ),
)


def entries_document(
    tournament: Tournament,
    entries: Sequence[Mapping[str, Any]],
    players: Mapping[int, Player],
    *,
    is_official: bool,
) -> TableDocument:
    """Return the table of entries from their JSON and their `players` by id."""
    columns = (*COLUMNS, *seed_columns(lambda entry: vars(players[entry["player"]["id"]])))
    return TableDocument(
        heading=Heading(title=tournament.name, subtitle="", file_stem=f"{tournament.slug}.entries"),
        columns=tuple(each for each in columns if is_official or each.name not in VALUES),
        records=entries,
    )
