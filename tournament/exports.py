"""An event in the forms that leave the house: standings by row, FIDE's tournament report."""

from collections.abc import Sequence
from typing import Any

from games.queries import plain
from tournament import queries
from tournament.models import Tournament
from tournament.standings.crosstable import Crosstable
from tournament.standings.points import decimal_text
from tournament.standings.table import Row, rank
from tournament.standings.trf import TrfFile, TrfHeader, write_trf

KINDS = {True: "Individual: Round-Robin", False: "Individual: Swiss-System"}


def standings(
    tournament: Tournament, codes: Sequence[str] | str, *, through: int
) -> tuple[tuple[Row, ...], dict[str, Any]]:
    """The ranked rows, and the same with the players' names and ids as the API shows them.

    Raises TiebreakError for codes that no one knows or that do not fit the event.
    """
    table = queries.load_crosstable(tournament, through=through)
    rows = rank(table, codes)
    people = {
        row["pairing_number"]: row
        for row in plain(
            queries.numbered_entries(tournament),
            "pairing_number",
            "player_id",
            "player__name",
            "player__country",
            "player__club",
        )
    }
    shown = {
        "tournament": tournament.slug,
        "round": through,
        "provisional": through < tournament.rounds,
        "tiebreaks": list(rows[0].values) if rows else [],
        "rows": [_shown(row, table, people[row.number]) for row in rows],
    }
    return rows, shown


def _shown(row: Row, table: Crosstable, person: dict[str, Any]) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "number": row.number,
        "player": {
            "id": person["player_id"],
            "name": person["player__name"],
            "country": person["player__country"],
            "club": person["player__club"],
        },
        "seed_rating": table.by_number[row.number].rating,
        "values": {
            code: None if value is None else decimal_text(value)
            for code, value in row.values.items()
        },
    }


def trf(tournament: Tournament, *, through: int) -> str:
    """The tournament report (TRF16) after a round; ranks by the event's own tie-breaks."""
    table = queries.load_crosstable(tournament, through=through)
    rows = rank(table, tournament.tiebreaks)
    dates = [
        found.strftime("%y/%m/%d") if found else ""
        for found in tournament.round_set.filter(number__lte=through)
        .order_by("number")
        .values_list("starts_on", flat=True)
    ]
    header = TrfHeader(
        name=tournament.name,
        city=tournament.place,
        federation=tournament.country,
        start=tournament.starts_on.strftime("%Y/%m/%d"),
        end=tournament.ends_on.strftime("%Y/%m/%d"),
        kind=KINDS[table.round_robin],
        chief_arbiter=tournament.arbiter,
        time_control=tournament.time_control,
        round_dates=tuple(dates) if any(dates) else (),
    )
    ranks = {row.number: row.rank for row in rows}
    return write_trf(TrfFile(crosstable=table, header=header, ranks=ranks))
