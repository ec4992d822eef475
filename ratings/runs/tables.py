"""The files of the changes of a player's ratings, newest first."""

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import QuerySet

from games.core.decimals import EXPECTED, RATING, write
from games.core.journal.chain import format_time
from games.core.tables.table import Cell, CellType, Column, ColumnKind, Heading, TableDocument
from games.models import Player
from ratings.models import Change
from ratings.runs.changes import newest_first

HISTORY: Final = (
    Column("pool", "Pool", ColumnKind.TEXT),
    Column("run", "Run"),
    Column("game", "Game", cell_type=CellType.CODE),
    Column("tournament", "Tournament", ColumnKind.TEXT),
    Column("tournament_name", "Event", ColumnKind.TEXT),
    Column("round", "Round"),
    Column("board", "Board"),
    Column("played_on", "Date", ColumnKind.TEXT, cell_type=CellType.DATE),
    Column("effective_at", "Effective", ColumnKind.TEXT, cell_type=CellType.DATE),
    Column("seat", "Seat", ColumnKind.TEXT),
    Column("opponent_player", "Opponent's id", cell_type=CellType.CODE),
    Column("opponent", "Opponent", ColumnKind.TEXT),
    Column("score", "Score"),
    Column("before", "Before"),
    Column("opponent_before", "Opponent's rating"),
    Column("handicap_part", "Handicap"),
    Column("expected", "Expected"),
    Column("expected_at_pairing", "Expected at pairing"),
    Column("k", "K"),
    Column("change", "Change"),
    Column("after", "After"),
    Column("explanation", "Explanation", ColumnKind.TEXT),
)
RATINGS: Final = "before", "opponent_before", "handicap_part", "k", "change", "after"
EXPECTED_SCORES: Final = "expected", "expected_at_pairing"


def history_document(player: Player, changes: "QuerySet[Change]") -> TableDocument:
    """Return the changes of a player."""
    return TableDocument(
        heading=Heading(
            title=f"{player.name}: changes of the rating",
            subtitle="changes of the rating",
            file_stem=f"player-{player.pk}",
        ),
        columns=HISTORY,
        records=newest_first(changes),
        cells=_history_cells,
    )


def _history_cells(change: Mapping[str, Any]) -> tuple[Cell, ...]:
    game, opponent = change["game"], change["opponent"]
    tournament = game["tournament"] or {}
    values = {
        **change,
        "run": change["run_number"],
        "game": game["id"],
        "tournament": tournament.get("slug", ""),
        "tournament_name": tournament.get("name", ""),
        "round": game["round"] or "",
        "board": game["board"] or "",
        "played_on": str(game["played_on"] or ""),
        "effective_at": format_time(change["effective_at"]),
        "expected_at_pairing": change["band"]["expected_at_pairing"],
        "opponent_player": opponent["id"],
        "opponent": opponent["name"],
    }
    values |= {name: write(values[name], RATING) for name in RATINGS}
    values |= {name: write(values[name], EXPECTED) for name in EXPECTED_SCORES}
    return tuple(values[column.name] for column in HISTORY)
