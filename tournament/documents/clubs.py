"""The totals of clubs or federations as JSON, CSV, a line a row, and a page.

CSV columns: `rank,name,points,missing,ids,players`. `missing` is how many players it lacks, `ids`
are the pairing numbers of those who count, best first, with spaces between them, and `players`
tells the same to people: `Ada (1, 2.5); Ben (4, 2)`, each with rank and points.
"""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ratings.systems.lists import without_formula
from tournament.documents.renderers.html import page_html
from tournament.queries.standings import Table, person
from tournament.standings.clubs import GroupBy, club_totals
from tournament.standings.table import csv_text, format_value

COLUMNS = ("rank", "name", "points", "missing", "ids", "players")
LEFT = (3,)
"""The column of the page that holds text, beside the third."""


def shown(table: Table, *, by: GroupBy, best: int) -> dict[str, Any]:
    """The totals as the API shows them, each with the players who count."""
    totals = club_totals(table.crosstable, table.rows, best=best, by=by)
    at_place = Counter(row.rank for row in totals)
    ranks = {row.number: row.rank for row in table.rows}
    points = table.crosstable.points
    return {
        **table.head(),
        "by": str(by),
        "best": best,
        "tiebreaks": list(table.labels),
        "rows": [
            {
                "rank": row.rank,
                "shared": at_place[row.rank] > 1,
                "name": row.name,
                "points": format_value(row.total),
                "missing": row.missing,
                "players": [
                    {
                        "rank": ranks[number],
                        "number": number,
                        "player": person(table, number),
                        "points": points.format_units(table.crosstable.points_of(number)),
                    }
                    for number in row.counted
                ],
            }
            for row in totals
        ],
    }


def written(
    table: Table, form: str, *, by: GroupBy, best: int, note: str = "", mark: bool = False
) -> str:
    """The totals as csv, ndjson or html; `mark` begins CSV with a BOM."""
    rows = shown(table, by=by, best=best)["rows"]
    if form == "ndjson":
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    if form == "html":
        lines = [
            [row["rank"], row["points"], row["name"], _told(row), row["missing"] or ""]
            for row in rows
        ]
        head = ["Rank", "Points", by.capitalize(), "Players", "Lacks"]
        told = f"The best {best} of each count; behind a name stand rank and points. {note}".strip()
        return page_html(head, lines, title=table.title, note=told, texts=LEFT)
    cells = (
        [
            row["rank"],
            without_formula(row["name"]),
            row["points"],
            row["missing"],
            " ".join(str(player["number"]) for player in row["players"]),
            without_formula(_told(row)),
        ]
        for row in rows
    )
    return csv_text([COLUMNS, *cells], byte_order_mark=mark)


def _told(row: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{one['player']['name']} ({one['rank']}, {one['points']})" for one in row["players"]
    )
