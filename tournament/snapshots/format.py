"""What is kept of a table when its round is complete: the body of a snapshot, written and read.

As JSON:

| key | what |
|---|---|
| tiebreaks | the labels of the columns |
| places | a row a player, in the order of the table: pairing number, rank, values as text |
| crosstable | the results and the players as they were (standings/written_crosstable.py) |
| entries | for each player of the crosstable, in its order: entry and player id |

Snapshots of old have `rows` (as the API showed them, each with its entry) and no crosstable.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tournament.documents.crosstable import crosstable_digest
from tournament.queries.standings import Table, codes_of
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.crosstable_json import crosstable_as_json, parse_crosstable
from tournament.standings.errors import StandingsError
from tournament.standings.points import Number, format_decimal
from tournament.standings.table import StandingsRow
from tournament.standings.tiebreaks import parse_codes


def kept(table: Table) -> dict[str, Any]:
    """The body of a snapshot of this table."""
    return {
        "tiebreaks": list(table.labels),
        "places": [
            [
                row.number,
                row.rank,
                [None if value is None else format_decimal(value) for value in row.values.values()],
            ]
            for row in table.rows
        ],
        "crosstable": crosstable_as_json(table.crosstable),
        "entries": [
            [table.entries[player.number], table.people[player.number]["id"]]
            for player in table.crosstable.players
        ],
    }


def without_people(body: dict[str, Any], entries: Collection[int]) -> bool:
    """Clear in place what a body tells of these entries' players; whether it told anything."""
    found = False
    for row in body.get("rows", ()):
        if row["entry"] in entries:
            found = True
            row["player"] |= {"name": "", "country": "", "club": ""}
    for (entry, _), row in zip(
        body.get("entries", ()), body.get("crosstable", {}).get("players", ()), strict=True
    ):
        if entry in entries:
            found = True
            row[:] = ["" if isinstance(one, str) else one for one in row[:-1]] + row[-1:]
    return found


@dataclass(frozen=True, slots=True)
class Kept:
    """A body that was read: labels, rows, crosstable, and entry and player id by number."""

    labels: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    crosstable: Crosstable
    entries: Mapping[PlayerId, int]
    players: Mapping[PlayerId, int]


def has_crosstable(body: object) -> bool:
    """Whether a body is of the new kind."""
    return isinstance(body, dict) and "crosstable" in body


def check_kept(body: object, digest: str) -> None:
    """Check a body that came from elsewhere; raises StandingsError for what is none."""
    if not isinstance(body, dict):
        raise StandingsError("the body of a snapshot is an object")
    if not has_crosstable(body):
        _check_old(body)
        return
    found = parse_kept(body)
    parse_codes(codes_of(found.labels), round_robin=found.crosstable.round_robin)
    if crosstable_digest(found.crosstable) != digest:
        raise StandingsError("the digest is not that of the crosstable")


def _check_old(body: Mapping[str, Any]) -> None:
    if not _are_words(body.get("tiebreaks")) or not isinstance(body.get("rows"), list):
        raise StandingsError("a snapshot has the labels of its columns, and rows")
    for row in body["rows"]:
        kinds: dict[str, type] = dict.fromkeys(("rank", "number", "entry", "seed_rating"), int)
        kinds |= dict.fromkeys(("player", "values"), dict)
        if not isinstance(row, dict) or {name: type(one) for name, one in row.items()} != kinds:
            raise StandingsError(f"a row of a snapshot is made of {', '.join(kinds)}")
        player = {name: type(one) for name, one in row["player"].items()}
        if player != {"id": int, "name": str, "country": str, "club": str}:
            raise StandingsError("a player is told by id, name, country and club")
        if list(row["values"]) != body["tiebreaks"]:
            raise StandingsError("a row has a value for each column")
        for value in row["values"].values():
            _value(value)


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def parse_kept(body: Mapping[str, Any]) -> Kept:
    """Read a body that has a crosstable; raises StandingsError for what is none."""
    table = parse_crosstable(body["crosstable"])
    labels, places, entries = (body.get(name) for name in ("tiebreaks", "places", "entries"))
    if not isinstance(labels, list) or not _are_words(labels):
        raise StandingsError("the labels of a snapshot are a list of words")
    ids = _ids(entries)
    if len(ids) != len(table.players):
        raise StandingsError("entries are a pair of ids for each player of the crosstable")
    if not isinstance(places, list):
        raise StandingsError("places are a list")
    rows = tuple(_row(place, labels, table) for place in places)
    if {row.number for row in rows} != table.by_number.keys() or len(rows) != len(ids):
        raise StandingsError("places are those of the players of the crosstable, each once")
    numbers = [player.number for player in table.players]
    return Kept(
        labels=tuple(labels),
        rows=rows,
        crosstable=table,
        entries={number: one for number, (one, _) in zip(numbers, ids, strict=True)},
        players={number: one for number, (_, one) in zip(numbers, ids, strict=True)},
    )


def _ids(entries: object) -> list[tuple[int, int]]:
    if not isinstance(entries, list):
        raise StandingsError("entries are a list")
    pairs = []
    for pair in entries:
        if not (isinstance(pair, list) and [type(one) for one in pair] == [int, int]):
            raise StandingsError("an entry of a snapshot is a pair of ids")
        pairs.append((pair[0], pair[1]))
    return pairs


def _row(place: object, labels: Sequence[str], table: Crosstable) -> StandingsRow:
    if not isinstance(place, list) or [type(one) for one in place] != [int, int, list]:
        raise StandingsError("a place is made of number, rank and values")
    number, its_rank, values = place
    player = table.by_number.get(number)
    if player is None or len(values) != len(labels):
        raise StandingsError(f"the place of {number} does not fit the crosstable or the labels")
    return StandingsRow(
        rank=its_rank,
        number=number,
        name=player.name,
        values=dict(zip(labels, map(_value, values), strict=True)),
    )


def _value(text: object) -> Number | None:
    if text is None:
        return None
    if not isinstance(text, str) or len(text) > 40:
        raise StandingsError(f"{str(text)[:40]!r} is no value of a tie-break")
    return _number(text)


@lru_cache(maxsize=2**12)
def _number(text: str) -> Number:
    try:
        return Fraction(text) if "." in text else int(text)
    except ValueError as error:
        raise StandingsError(f"{text!r} is no value of a tie-break") from error
