"""What was corrected since: a table as it stood, beside the one that comes out now.

Players are compared by their entries: a late entry moves pairing numbers and corrects nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from itertools import chain, repeat
from typing import Any

from tournament.documents.crosstable import columns_of, lines_of, points_of
from tournament.documents.prizes import awards_in
from tournament.queries.standings import Stood, Table, person
from tournament.standings.clubs import GroupBy, club_totals
from tournament.standings.crosstable import Competitor, PlayerId
from tournament.standings.crosstable_rows import CrosstableOrder, CrosstableRow
from tournament.standings.table import format_value

CORRECTED = "Corrected since: {}."
OF_NOW = "Computed from the results as they are now."
MOST_NAMED = 20


def corrected_rows(
    stood: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """A line for each row, told with its entry, whose rank or values are others now.

    The places of those who came late count for nothing.
    """
    found = {row["entry"]: row for row in now}
    old = {row["entry"] for row in stood}
    newcomers = sorted(row["rank"] for row in now if row["entry"] not in old)
    for row in stood:
        other = found.get(row["entry"])
        if other is None:
            continue
        rank = other["rank"] - sum(place < other["rank"] for place in newcomers)
        values = {
            code: [value, other["values"].get(code)]
            for code, value in row["values"].items()
            if value != other["values"].get(code) and not code.startswith("TPN")
        }
        if values or rank != row["rank"]:
            yield {
                "number": row["number"],
                "player": row["player"],
                "rank": [row["rank"], rank],
                "values": values,
            }


def corrected_cells(
    stood: Table, now: Table, order: CrosstableOrder, *, square: bool
) -> Iterator[dict[str, Any]]:
    """A line for each player whose cells or points are others now, told with the labels of then."""
    renumbered = _as_numbered(now, stood)
    lines = lines_of(stood, order, square=square)
    columns = columns_of(stood, lines, square=square)
    found = {line.number: line for line in lines_of(renumbered, order, square=square)}
    for line in lines:
        other = found[line.number]
        cells = {column: [a, b] for column, a, b in _beside(columns, line, other) if a != b}
        points = [points_of(stood, line), points_of(renumbered, other)]
        if cells or points[0] != points[1]:
            yield {
                "number": line.number,
                "player": person(stood, line.number),
                "points": points,
                "cells": cells,
            }


def _beside(
    columns: Sequence[str], line: CrosstableRow, other: CrosstableRow
) -> Iterator[tuple[str, str, str]]:
    return zip(columns, line.cells, chain(other.cells, repeat("")), strict=False)


def _as_numbered(now: Table, stood: Table) -> Table:
    """The table of now with the numbers, lines and people of then; newcomers behind them."""
    known = {entry: number for number, entry in stood.entries.items()}
    numbers: dict[PlayerId, PlayerId] = {}
    last = max(stood.entries, default=0)
    for number, entry in now.entries.items():
        if entry not in known:
            last += 1
        numbers[number] = known.get(entry, last)
    players = [
        replace(
            player,
            number=numbers[player.number],
            results=tuple(
                replace(result, opponent=numbers[result.opponent]) if result.opponent else result
                for result in player.results
            ),
        )
        for player in now.crosstable.players
    ]
    gone = stood.entries.keys() - set(numbers.values())
    players += [Competitor(number=number) for number in gone]
    newcomers = (
        replace(row, number=numbers[row.number])
        for row in now.rows
        if numbers[row.number] not in stood.entries
    )
    return replace(
        now,
        crosstable=replace(now.crosstable, players=tuple(players)),
        rows=(*stood.rows, *newcomers),
    )


def corrected_awards(stood: Table, now: Table) -> Iterator[dict[str, Any]]:
    """A line for each player who wins something else now, in each group; null stands for nothing.

    The groups are those that the event has now, for both tables.
    """
    then, today = _awards(stood), _awards(now)
    numbers = {entry: number for number, entry in stood.entries.items()}
    today_numbers = {entry: number for number, entry in now.entries.items()}
    for group, entry in dict.fromkeys([*then, *today]):
        (place, coins), (other_place, other) = (
            one.get((group, entry), (None, 0)) for one in (then, today)
        )
        if (place, coins) == (other_place, other):
            continue
        table, number = (stood, numbers[entry]) if entry in numbers else (now, today_numbers[entry])
        yield {
            "group": group,
            "number": number,
            "player": person(table, number),
            "place": [place, other_place],
            "coins": [coins, other],
        }


def _awards(table: Table) -> dict[tuple[str, int], tuple[int | None, int]]:
    return {
        (award.group, table.entries[award.number]): (award.place, award.coins)
        for award in awards_in(table)
    }


def corrected_clubs(
    stood: Table, now: Table, *, by: GroupBy, best: int
) -> Iterator[dict[str, Any]]:
    """A line for each club whose place or points are others now; null stands where it was not.

    Who came late counts for no club.
    """
    known = set(stood.entries.values())
    newcomers = sorted(row.rank for row in now.rows if now.entries[row.number] not in known)
    rows = [
        replace(row, rank=row.rank - sum(place < row.rank for place in newcomers))
        for row in now.rows
        if now.entries[row.number] in known
    ]
    then, today = (
        {
            row.name.casefold(): (row.name, row.rank, format_value(row.total))
            for row in club_totals(table.crosstable, some, best=best, by=by)
        }
        for table, some in ((stood, stood.rows), (now, rows))
    )
    for key in dict.fromkeys([*then, *today]):
        name, rank, points = then.get(key) or (today[key][0], None, None)
        _, other_rank, other_points = today.get(key, ("", None, None))
        if (rank, points) != (other_rank, other_points):
            yield {"name": name, "rank": [rank, other_rank], "points": [points, other_points]}


def note_of(stood: Stood | None, corrected: Iterable[Mapping[str, Any]]) -> str:
    """What a page or a sheet says beside an old round: when it stood so, whose lines changed."""
    if stood is None:
        return OF_NOW
    told = f"As it stood on {stood.at.astimezone(UTC):%Y-%m-%d at %H:%M} UTC."
    names = list(dict.fromkeys(line.get("player", line)["name"] for line in corrected))
    if not names:
        return told
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{told} {CORRECTED.format(', '.join(names[:MOST_NAMED]) + more)}"
