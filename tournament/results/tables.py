"""The results of a round as a table with a row for each game.

Columns: `round,board,game,first_number,first_player,first,second_number,second_player,second,
result,termination,basis,state,corrections`; the numbers are pairing numbers, the players their ids,
the corrections their numbers.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from tournament.models import Round

COLUMNS: Final = (
    Column("round"),
    Column("board"),
    Column("game", cell_type=CellType.CODE),
    Column("first_number"),
    Column("first_player", cell_type=CellType.CODE),
    Column("first", kind=ColumnKind.TEXT),
    Column("second_number"),
    Column("second_player", cell_type=CellType.CODE),
    Column("second", kind=ColumnKind.TEXT),
    *(
        Column(name, kind=ColumnKind.TEXT)
        for name in ("result", "termination", "basis", "state", "corrections")
    ),
)


def results_document(this_round: Round, body: Mapping[str, Any]) -> TableDocument:
    """Return the table of the games of a round from their JSON."""
    stem = f"{this_round.tournament.slug}.r{this_round.number}.results"
    return TableDocument(
        heading=Heading(title=this_round.tournament.name, subtitle="", file_stem=stem),
        columns=COLUMNS,
        records=[{"round": this_round.number, **game} for game in body["rows"]],
        cells=_cells,
        body=body,
    )


def _cells(game: Mapping[str, Any]) -> tuple[Any, ...]:
    seats = (game["first"], game["second"])
    players = [(each["number"], each["player"]["id"], each["player"]["name"]) for each in seats]
    return (
        game["round"],
        game["board"] or "",
        game["game_id"],
        *players[0],
        *players[1],
        *(game[name] or "" for name in ("result", "termination", "basis", "state")),
        " ".join(map(str, game["corrections"])),
    )
