"""The results of a round as a table with a row for each game.

Columns: `round,board,game,first_number,first_player,first,second_number,second_player,second,
result,termination,basis,state,corrections`; the numbers are pairing numbers, the players their ids,
the corrections their numbers.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument, listed
from games.rules.seat import Seat
from tournament.models import Round

COLUMNS: Final = (
    Column("round"),
    Column("board"),
    Column("game", of="game_id", cell_type=CellType.CODE),
    *(
        column
        for seat in Seat
        for column in (
            Column(f"{seat}_number", of=f"{seat}.number"),
            Column(f"{seat}_player", of=f"{seat}.player.id", cell_type=CellType.CODE),
            Column(seat, kind=ColumnKind.TEXT, of=f"{seat}.player.name"),
        )
    ),
    *(Column(name, kind=ColumnKind.TEXT) for name in ("result", "termination", "basis", "state")),
    Column("corrections", kind=ColumnKind.TEXT, of="corrections", cell=listed),
)


def results_document(this_round: Round, body: Mapping[str, Any]) -> TableDocument:
    """Return the table of the games of a round from their JSON."""
    stem = f"{this_round.tournament.slug}.r{this_round.number}.results"
    return TableDocument(
        heading=Heading(title=this_round.tournament.name, subtitle="", file_stem=stem),
        columns=COLUMNS,
        records=[{"round": this_round.number, **game} for game in body["rows"]],
        body=body,
    )
