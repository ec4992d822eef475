"""The changes of a player's ratings, newest first, with the computation of each.

CSV columns: `pool,run,game,event,round,played_on,effective_at,seat,opponent_id,opponent,score,
before,opponent_before,handicap_part,expected,expected_at_pairing,k,change,after,explanation`.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from django.db.models import QuerySet

from games.core.tables.table import Cell, Column, ColumnKind, Heading, TableDocument
from games.models import Player
from ratings.models import Change
from ratings.runs.changes import newest_first

MOST_PRINTED: Final = 1000
HISTORY_COLUMNS: Final = (
    Column("pool", "Pool", ColumnKind.TEXT),
    Column("run", "Run"),
    Column("game", "Game"),
    Column("event", "Event", ColumnKind.TEXT),
    Column("round", "Round", ColumnKind.TEXT),
    Column("played_on", "Date", ColumnKind.TEXT),
    Column("effective_at", "Effective", ColumnKind.TEXT),
    Column("seat", "Seat", ColumnKind.TEXT),
    Column("opponent_id", "Opponent's id"),
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
HISTORY_PAGE_COLUMNS: Final = (
    "pool", "played_on", "event", "round", "opponent", "opponent_before", "handicap_part", "score",
    "expected", "k", "before", "change", "after", "explanation",
)  # fmt: skip


def history_document(
    player: Player, changes: "QuerySet[Change]", *, is_printed: bool
) -> TableDocument:
    """Return the changes of a player; of a printed table the newest."""
    rows = newest_first(changes)
    limit = f"At most the newest {MOST_PRINTED} changes are printed; the CSV file has all."
    return TableDocument(
        heading=Heading(
            title=f"{player.name}: changes of the rating",
            subtitle="changes of the rating",
            file_stem=f"player-{player.pk}",
        ),
        columns=HISTORY_COLUMNS,
        records=islice(rows, MOST_PRINTED) if is_printed else rows,
        cells=_cells,
        page=HISTORY_PAGE_COLUMNS,
        notes=(limit,),
    )


def _cells(change: Mapping[str, Any]) -> tuple[Cell, ...]:
    game, opponent = change["game"], change["opponent"]
    values = {
        **change,
        "game": game["id"],
        "event": game["event"],
        "round": game["round"],
        "played_on": str(game["played_on"] or ""),
        "effective_at": change["effective_at"].isoformat(),
        "expected_at_pairing": change["band"]["expected_at_pairing"] or "",
        "opponent_id": opponent["id"],
        "opponent": opponent["name"],
    }
    return tuple(values[column.name] for column in HISTORY_COLUMNS)
