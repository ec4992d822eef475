"""The ratings of an event: what each player's results changed, and their performance.

CSV columns: `id,name,games,score,expected,performance,before,change,after`, where `id` is that of
the player.
"""

from typing import Any, Final

from games.documents.document import Column, ColumnKind, Heading, TableDocument
from tournament.models import Tournament

COLUMNS: Final = (
    Column("id", "Id"),
    Column("name", "Name", ColumnKind.TEXT, is_wide=True, is_key=True),
    Column("games", "Games"),
    Column("score", "Score"),
    Column("expected", "Expected"),
    Column("performance", "Performance"),
    Column("before", "Before"),
    Column("change", "Change"),
    Column("after", "After"),
)
PRINTED: Final = tuple(column.name for column in COLUMNS if column.name != "id")
NOTES: Final = {
    "rated": "Only rated games count.",
    "expected": "Only rated games count. The changes are those that the results so far would give.",
    "unrated": "The event requests no rating.",
}


def ratings_document(tournament: Tournament, body: dict[str, Any]) -> TableDocument:
    """Return the table of the ratings of an event from its JSON."""
    return TableDocument(
        heading=Heading(
            title=f"{tournament.name}: ratings",
            subtitle="Ratings",
            file_stem=f"{tournament.slug}.ratings",
        ),
        columns=COLUMNS,
        records=body["rows"],
        cells=lambda row: (
            row["player"]["id"],
            row["player"]["name"],
            row["games"],
            row["score"],
            row["expected"],
            "" if row["performance"] is None else row["performance"],
            row["before"],
            row["change"],
            row["after"],
        ),
        page=PRINTED,
        sheet=PRINTED,
        notes=(NOTES[body["state"]],),
        body=body,
    )
