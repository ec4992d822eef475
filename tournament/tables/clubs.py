"""The totals of clubs or federations: CSV columns `rank,name,points,missing,numbers,players`.

`missing` is the number of players short of the best n. `ids` are the pairing numbers of the
counted players, best first; `players` are their names with rank and points: `Ada (1, 2.5)`.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.utils.formats import get_format
from django.utils.translation import gettext
from rest_framework import serializers

from games.core.serializers import PointsTextField
from games.core.tables.table import Column, ColumnKind, NamedPlayer, NamedPlayers, TableDocument
from games.core.text import decimal_text, semicolons
from games.rules.messages import gettext_noop
from tournament.core.rankings import Table
from tournament.core.serializers import ListedEntrySerializer
from tournament.standings.clubs import ClubTotal, GroupBy, club_totals
from tournament.standings.crosstable import PlayerId
from tournament.standings.points import format_decimal
from tournament.tables.headings import TableHeadSerializer, heading_of

TITLES = {
    GroupBy.CLUB: gettext_noop("The best %(best)s of each club"),
    GroupBy.FEDERATION: gettext_noop("The best %(best)s of each federation"),
}


def clubs_document(table: Table, *, by: GroupBy, best: int) -> TableDocument:
    """Return the totals of the `best` players of each club or federation."""
    totals = club_totals(table.crosstable, table.rows, best=best, by=by)
    ranks = {row.number: row.rank for row in table.rows}
    clubs_at_rank = Counter(total.rank for total in totals)
    records: list[dict[str, Any]] = [
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
    heading = heading_of(table, gettext(TITLES[by]) % {"best": best}, ".clubs")
    explanation = gettext("The best %(best)s of each count; rank and points follow each name.")
    return TableDocument(
        heading=heading,
        columns=(
            Column("rank", gettext_noop("Rank")),
            Column("name", by.label, ColumnKind.TEXT, is_wide=True),
            Column("points", gettext_noop("Points")),
            Column("missing"),
            Column("missing_if_any", gettext_noop("Lacks")),
            Column("numbers", kind=ColumnKind.TEXT),
            Column("players", gettext_noop("Players"), ColumnKind.TEXT, is_wide=True),
        ),
        records=records,
        cells=lambda record: (
            record["rank"],
            record["name"],
            record["points"],
            record["missing"],
            record["missing"] or "",
            " ".join(str(counted["number"]) for counted in record["players"]),
            NamedPlayers(tuple(map(_named_player, record["players"]))),
        ),
        csv=("rank", "name", "points", "missing", "numbers", "players"),
        page=("rank", "points", "name", "players", "missing_if_any"),
        sheet=("rank", "name", "points", "missing_if_any", "players"),
        explanation=explanation % {"best": best},
        body={
            **heading.members,
            "by": str(by),
            "best": best,
            "tiebreaks": list(table.labels),
            "rows": records,
        },
    )


def _counted_as_json(
    table: Table, total: ClubTotal, ranks: Mapping[PlayerId, int]
) -> list[dict[str, Any]]:
    crosstable = table.crosstable
    return [
        {
            "rank": ranks[number],
            **table.entry_as_json(number),
            "points": crosstable.points.format_units(crosstable.points_of(number)),
        }
        for number in total.counted
    ]


def _named_player(counted: Mapping[str, Any]) -> NamedPlayer:
    """Return a player with rank and points: `1, 2.5`; `1; 2,5` where a comma is the sign."""
    values = (str(counted["rank"]), decimal_text(counted["points"]))
    has_comma = get_format("DECIMAL_SEPARATOR") == ","
    return NamedPlayer(
        counted["player"]["name"], semicolons(values) if has_comma else ", ".join(values)
    )


class CountedPlayerSerializer(ListedEntrySerializer):
    rank = serializers.IntegerField()
    points = PointsTextField()


class ClubRowSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    shared = serializers.BooleanField(help_text="true if another club has the same rank")
    name = serializers.CharField()
    points = PointsTextField(help_text="the sum of the counted players' points")
    missing = serializers.IntegerField(help_text="the number of players short of `best`")
    players = CountedPlayerSerializer(many=True, help_text="the counted players, best first")


class ClubsSerializer(TableHeadSerializer):
    by = serializers.ChoiceField([group.value for group in GroupBy])
    best = serializers.IntegerField(help_text="the number of players of each club that count")
    tiebreaks = serializers.ListField(child=serializers.CharField())
    rows = ClubRowSerializer(many=True)
