"""The ratings of an event: what each player's results changed, and their performance.

CSV columns: `id,name,games,score,expected,performance,before,change,after`, where `id` is that of
the player.
"""

from typing import Any, Final

from django.utils.translation import gettext

from games.core.tables.table import Column, ColumnKind, Heading, TableDocument
from games.rules.messages import gettext_noop
from tournament.models import Tournament

EVENT_RATINGS_COLUMNS: Final = (
    Column("id", gettext_noop("Id")),
    Column("name", gettext_noop("Name"), ColumnKind.TEXT, is_wide=True, is_key=True),
    Column("games", gettext_noop("Games")),
    Column("score", gettext_noop("Score")),
    Column("expected", gettext_noop("Expected")),
    Column("performance", gettext_noop("Performance")),
    Column("before", gettext_noop("Before")),
    Column("change", gettext_noop("Change")),
    Column("after", gettext_noop("After")),
)
PRINTED_RATINGS_COLUMNS: Final = tuple(
    column.name for column in EVENT_RATINGS_COLUMNS if column.name != "id"
)
RATING_NOTES: Final = {
    "rated": gettext_noop("Only rated games count."),
    "expected": gettext_noop(
        "Only rated games count. The changes are those that the results so far would give."
    ),
    "unrated": gettext_noop("The event requests no rating."),
}


def ratings_document(tournament: Tournament, body: dict[str, Any]) -> TableDocument:
    """Return the table of the ratings of an event from its JSON."""
    return TableDocument(
        heading=Heading(
            title=gettext("%(event)s: ratings") % {"event": tournament.name},
            subtitle=gettext("Ratings"),
            file_stem=f"{tournament.slug}.ratings",
        ),
        columns=EVENT_RATINGS_COLUMNS,
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
        page=PRINTED_RATINGS_COLUMNS,
        sheet=PRINTED_RATINGS_COLUMNS,
        notes=(RATING_NOTES[body["state"]],),
        body=body,
    )
