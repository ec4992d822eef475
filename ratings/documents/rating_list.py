"""The rating list of a pool, live or as it was published on a day.

CSV columns: `rank,id,name,country,rating,low,high,games`, where `low` and `high` are the interval.
Pages and sheets contain the best players only, because a pool may have a million.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.conf import settings

from games.documents.document import Cell, Column, ColumnKind, Heading, TableDocument
from games.documents.renderers.pdf.frame import SheetFrame
from ratings.models import Pool, Run
from ratings.queries.lists import Listed, ListTerms, list_rows

MOST_PRINTED: Final = 1000
COLUMNS: Final = (
    Column("rank", "Rank", is_key=True),
    Column("id", "Id"),
    Column("name", "Name", ColumnKind.TEXT, is_wide=True, is_key=True),
    Column("country", "Country", ColumnKind.TEXT),
    Column("rating", "Rating"),
    Column("low", "Low"),
    Column("high", "High"),
    Column("games", "Games"),
    Column("shown", "Rating"),
)
PRINTED: Final = ("rank", "name", "country", "shown", "low", "high", "games")


def rating_list_document(
    pool: Pool, ratings: Listed, terms: ListTerms, *, file_stem: str, is_printed: bool
) -> TableDocument:
    """Return a rating list; of a printed one the best players."""
    day = f"{terms.as_of:%Y-%m-%d}"
    rows = list_rows(ratings[:MOST_PRINTED] if is_printed else ratings, terms)
    limit = f"at most the best {MOST_PRINTED} players are printed; the CSV file has all"
    return TableDocument(
        heading=Heading(
            title=f"{pool.name}: rating list of {day}",
            subtitle=f"rating list of {day}",
            file_stem=file_stem,
        ),
        columns=COLUMNS,
        records=rows,
        cells=_cells,
        csv=tuple(column.name for column in COLUMNS if column.name != "shown"),
        page=PRINTED,
        sheet=PRINTED,
        notes=tuple(f"{rule.capitalize()}." for rule in (*terms.rules.values(), limit)),
    )


def rating_list_frame(
    pool: Pool, run: Run | None, address: str, paper: str, printed_at: datetime
) -> SheetFrame:
    """Return the head and foot of a printed list, with the run that computed it."""
    source = f"{settings.PUBLIC_URL}{address}"
    return SheetFrame(
        title=pool.name,
        place=f"after run {run.number}" if run else "no game is rated yet",
        source=f"{source} · run {run.number}: {run.input_digest[:16]}" if run else source,
        printed=f"printed {printed_at:%Y-%m-%d %H:%M} UTC",
        paper=paper,
    )


def _cells(row: Mapping[str, Any]) -> tuple[Cell, ...]:
    player, interval = row["player"], row["interval"]
    return (
        row["rank"],
        player["id"],
        player["name"],
        player["country"],
        row["rating"],
        interval["low"],
        interval["high"],
        row["games"],
        row["rating"] + ("?" if row["provisional"] else ""),
    )
