"""The rating list of a pool, live or as it was published on a day.

CSV columns: `rank,player,name,country,rating,low,high,games`, where `low` and `high` are the
interval.
Pages and sheets contain the best players only, because a pool may have a million.
"""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext

from games.core.decimals import RATING, write
from games.core.tables.pdf import SheetFrame
from games.core.tables.table import CellType, Column, ColumnKind, Heading, Record, TableDocument
from games.core.text import moment_text, sentence
from games.rules.messages import gettext_noop
from ratings.lists.queries import Listed, ListTerms, list_rows
from ratings.models import Pool, Run

MOST_PRINTED: Final = 1000


def _shown(row: Record) -> str:
    return write(row["rating"], RATING) + ("?" if row["provisional"] else "")


COLUMNS: Final = (
    Column("rank", gettext_noop("Rank"), is_key=True),
    Column("player", gettext_noop("Id"), of="player.id", cell_type=CellType.CODE),
    Column(
        "name", gettext_noop("Name"), ColumnKind.TEXT, of="player.name", is_wide=True, is_key=True
    ),
    Column("country", gettext_noop("Country"), ColumnKind.TEXT, of="player.country"),
    Column("rating", gettext_noop("Rating"), digits=RATING),
    Column("low", gettext_noop("Low"), of="interval.low"),
    Column("high", gettext_noop("High"), of="interval.high"),
    Column("games", gettext_noop("Games")),
    Column("shown", gettext_noop("Rating"), cell=_shown),
)
PRINTED: Final = ("rank", "name", "country", "shown", "low", "high", "games")


def rating_list_document(
    pool: Pool, ratings: Listed, terms: ListTerms, *, file_stem: str, is_printed: bool
) -> TableDocument:
    """Return a rating list; of a printed one the best players."""
    subtitle = gettext("Rating list of %(day)s") % {"day": date_format(terms.as_of)}
    rows = list_rows(ratings[:MOST_PRINTED] if is_printed else ratings, terms)
    limit = gettext("At most the best %(most)s players are printed; the CSV file has all.")
    rules = (f"{sentence(rule)}." for rule in terms.rules.values())
    return TableDocument(
        heading=Heading(title=f"{pool.name}: {subtitle}", subtitle=subtitle, file_stem=file_stem),
        columns=COLUMNS,
        records=rows,
        csv=tuple(column.name for column in COLUMNS if column.name != "shown"),
        page=PRINTED,
        sheet=PRINTED,
        notes=(*rules, limit % {"most": MOST_PRINTED}),
    )


def rating_list_frame(pool: Pool, run: Run | None, paper: str, printed_at: datetime) -> SheetFrame:
    """Return the head and foot of a printed list, with the number of the run that computed it."""
    place = gettext("no game is rated yet")
    if run:
        place = gettext("after run %(number)s") % {"number": run.number}
    time = moment_text(printed_at)
    return SheetFrame(
        title=pool.name,
        place=place,
        source=f"{settings.PUBLIC_URL}/pools/{pool.code}",
        printed=gettext("printed %(time)s") % {"time": time},
        paper=paper,
    )
