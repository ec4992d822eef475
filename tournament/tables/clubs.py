"""The totals of clubs or federations: CSV columns `rank,name,points,missing,numbers,players`.

`missing` is the number of players short of the best n. `ids` are the pairing numbers of the
counted players, best first; `players` are their names with rank and points: `Ada (1, 2.5)`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from django.utils.formats import get_format
from django.utils.translation import gettext

from games.core.tables.table import (
    Column,
    ColumnKind,
    NamedPlayer,
    NamedPlayers,
    TableDocument,
    listed,
)
from games.core.text import decimal_text, semicolons
from games.rules.messages import gettext_noop
from tournament.core.rankings import Table
from tournament.core.references import NumberedEntry
from tournament.standings.clubs import ClubTotal, GroupBy, club_totals
from tournament.standings.crosstable import PlayerId
from tournament.standings.points import format_decimal
from tournament.tables.headings import TableHead, heading_of, table_head

TITLES = {
    GroupBy.CLUB: gettext_noop("The best %(best)s of each club"),
    GroupBy.COUNTRY: gettext_noop("The best %(best)s of each federation"),
}


class CountedPlayer(NumberedEntry):
    """A player who counts for their club."""

    rank: int
    points: str


class ClubLine(TypedDict):
    """A club, or a federation."""

    rank: int
    shared: Annotated[bool, "true if another club has the same rank"]
    name: str
    points: Annotated[str, "the sum of the counted players' points"]
    missing: Annotated[int, "the number of players short of `best`"]
    players: Annotated[list[CountedPlayer], "the counted players, best first"]


class Clubs(TableHead):
    """The totals of clubs or federations."""

    by: GroupBy
    best: Annotated[int, "the number of players of each club that count"]
    tiebreaks: list[str]
    rows: list[ClubLine]


def clubs_document(table: Table, *, by: GroupBy, best: int) -> TableDocument:
    """Return the totals of the `best` players of each club or federation."""
    totals = club_totals(table.crosstable, table.rows, best=best, by=by)
    ranks = {row.number: row.rank for row in table.rows}
    clubs_at_rank = Counter(total.rank for total in totals)
    records: list[ClubLine] = [
        {
            "rank": total.rank,
            "shared": clubs_at_rank[total.rank] > 1,
            "name": total.name,
            "points": format_decimal(total.total),
            "missing": total.missing,
            "players": _counted_as_json(table, total, ranks),
        }
        for total in totals
    ]
    body: Clubs = {
        **table_head(table),
        "by": by,
        "best": best,
        "tiebreaks": list(table.labels),
        "rows": records,
    }
    explanation = gettext("The best %(best)s of each count; rank and points follow each name.")
    return TableDocument(
        heading=heading_of(table, gettext(TITLES[by]) % {"best": best}, ".clubs"),
        columns=(
            Column("rank", gettext_noop("Rank")),
            Column("name", by.label, ColumnKind.TEXT, is_wide=True),
            Column("points", gettext_noop("Points")),
            Column("missing"),
            Column(
                "missing_if_any",
                gettext_noop("Lacks"),
                of="missing",
                cell=lambda number: number or "",
            ),
            Column(
                "numbers",
                kind=ColumnKind.TEXT,
                of="players",
                cell=lambda players: listed(each["number"] for each in players),
            ),
            Column(
                "players",
                gettext_noop("Players"),
                ColumnKind.TEXT,
                of="players",
                cell=_named_players,
                is_wide=True,
            ),
        ),
        records=records,
        csv=("rank", "name", "points", "missing", "numbers", "players"),
        page=("rank", "points", "name", "players", "missing_if_any"),
        sheet=("rank", "name", "points", "missing_if_any", "players"),
        explanation=explanation % {"best": best},
        body=body,
    )


def _counted_as_json(
    table: Table, total: ClubTotal, ranks: Mapping[PlayerId, int]
) -> list[CountedPlayer]:
    crosstable = table.crosstable
    return [
        {
            "rank": ranks[number],
            **table.entry_as_json(number),
            "points": crosstable.points.format_units(crosstable.points_of(number)),
        }
        for number in total.counted
    ]


def _named_players(players: Sequence[Mapping[str, Any]]) -> NamedPlayers:
    return NamedPlayers(tuple(map(_named_player, players)))


def _named_player(counted: Mapping[str, Any]) -> NamedPlayer:
    """Return a player with rank and points: `1, 2.5`; `1; 2,5` where a comma is the sign."""
    values = (str(counted["rank"]), decimal_text(counted["points"]))
    has_comma = get_format("DECIMAL_SEPARATOR") == ","
    return NamedPlayer(
        counted["player"]["name"], semicolons(values) if has_comma else ", ".join(values)
    )
