"""The files of the changes of a player's ratings, newest first."""

from typing import Final

from django.db.models import QuerySet

from games.core.decimals import EXPECTED, RATING
from games.core.journal.chain import format_time
from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from games.models import Player
from ratings.models import Change
from ratings.runs.changes import newest_first

HISTORY: Final = (
    Column("pool", "Pool", ColumnKind.TEXT),
    Column("run", "Run", of="run_number"),
    Column("game", "Game", of="game.id", cell_type=CellType.CODE),
    Column("tournament", "Tournament", ColumnKind.TEXT, of="game.tournament.slug"),
    Column("tournament_name", "Event", ColumnKind.TEXT, of="game.tournament.name"),
    Column("round", "Round", of="game.round"),
    Column("board", "Board", of="game.board"),
    Column(
        "played_on", "Date", ColumnKind.TEXT, of="game.played_on", cell=str, cell_type=CellType.DATE
    ),
    Column(
        "effective_at",
        "Effective",
        ColumnKind.TEXT,
        of="effective_at",
        cell=format_time,
        cell_type=CellType.DATE,
    ),
    Column("seat", "Seat", ColumnKind.TEXT),
    Column("opponent_player", "Opponent's id", of="opponent.id", cell_type=CellType.CODE),
    Column("opponent", "Opponent", ColumnKind.TEXT, of="opponent.name"),
    Column("score", "Score"),
    Column("before", "Before", digits=RATING),
    Column("opponent_before", "Opponent's rating", digits=RATING),
    Column("handicap_part", "Handicap", digits=RATING),
    Column("expected", "Expected", digits=EXPECTED),
    Column(
        "expected_at_pairing", "Expected at pairing", of="band.expected_at_pairing", digits=EXPECTED
    ),
    Column("k", "K", digits=RATING),
    Column("change", "Change", digits=RATING),
    Column("after", "After", digits=RATING),
    Column("explanation", "Explanation", ColumnKind.TEXT),
)


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
    )
