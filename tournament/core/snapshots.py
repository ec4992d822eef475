"""The JSON body of a snapshot, written and read.

| key | value |
|---|---|
| tiebreaks | the labels of the columns |
| places | for each player, in the order of the table: pairing number, rank, values as text |
| crosstable | the results and the players (standings/crosstable_json.py) |
| entries | for each player of the crosstable, in its order: entry id and player id |
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tournament.core.crosstable import crosstable_digest
from tournament.core.rankings import Table, codes_of
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.crosstable_json import crosstable_as_json, parse_crosstable
from tournament.standings.errors import StandingsError
from tournament.standings.points import Number, format_decimal
from tournament.standings.table import StandingsRow
from tournament.standings.tiebreaks import parse_codes


@dataclass(frozen=True, slots=True)
class SnapshotBody:
    """The parsed body of a snapshot; entry ids and player ids are by pairing number."""

    labels: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    crosstable: Crosstable
    entries: Mapping[PlayerId, int]
    players: Mapping[PlayerId, int]


def write_body(table: Table) -> dict[str, Any]:
    """Return the body of a snapshot of a table."""
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
            [table.entries[player.number], table.players[player.number]["id"]]
            for player in table.crosstable.players
        ],
    }


def parse_body(body: object) -> SnapshotBody:
    """Read the body of a snapshot; raise StandingsError where it is invalid."""
    if not isinstance(body, dict):
        raise StandingsError("the body of a snapshot is not an object")
    labels, places, entries = (body.get(name) for name in ("tiebreaks", "places", "entries"))
    if not (isinstance(labels, list) and all(isinstance(label, str) for label in labels)):
        raise StandingsError("the tiebreaks of a snapshot are not a list of labels")
    crosstable = parse_crosstable(body.get("crosstable"))
    ids = _parse_ids(entries)
    if len(ids) != len(crosstable.players):
        raise StandingsError(
            f"a snapshot has {len(ids)} entries; its crosstable has {len(crosstable.players)}"
            " players"
        )
    if not isinstance(places, list):
        raise StandingsError("the places of a snapshot are not a list")
    rows = tuple(_parse_place(place, labels, crosstable) for place in places)
    if {row.number for row in rows} != crosstable.by_number.keys() or len(rows) != len(ids):
        raise StandingsError("the places of a snapshot do not name each player exactly once")
    numbers = [player.number for player in crosstable.players]
    return SnapshotBody(
        labels=tuple(labels),
        rows=rows,
        crosstable=crosstable,
        entries={number: entry for number, (entry, _) in zip(numbers, ids, strict=True)},
        players={number: player for number, (_, player) in zip(numbers, ids, strict=True)},
    )


def check_body(body: object, digest: str) -> None:
    """Check the body and the digest of an imported snapshot; raise StandingsError."""
    parsed = parse_body(body)
    parse_codes(codes_of(parsed.labels), round_robin=parsed.crosstable.round_robin)
    if crosstable_digest(parsed.crosstable) != digest:
        raise StandingsError("the digest is not that of the crosstable")


def erase_players(body: dict[str, Any], entries: Collection[int]) -> bool:
    """Erase the personal data of these entries in place; return True if there was any."""
    has_changed = False
    for (entry, _), row in zip(body["entries"], body["crosstable"]["players"], strict=True):
        if entry in entries:
            has_changed = True
            row[:-1] = ["" if isinstance(value, str) else value for value in row[:-1]]
    return has_changed


def _parse_ids(entries: object) -> list[tuple[int, int]]:
    if not isinstance(entries, list):
        raise StandingsError("the entries of a snapshot are not a list")
    pairs = []
    for pair in entries:
        if not (isinstance(pair, list) and [type(value) for value in pair] == [int, int]):
            raise StandingsError("an entry of a snapshot is not a pair of ids")
        pairs.append((pair[0], pair[1]))
    return pairs


def _parse_place(place: object, labels: Sequence[str], crosstable: Crosstable) -> StandingsRow:
    if not isinstance(place, list) or [*map(type, place)] != [int, int, list]:
        raise StandingsError("a place of a snapshot is not a number, a rank and values")
    number, place_rank, values = place
    player = crosstable.by_number.get(number)
    if player is None or len(values) != len(labels):
        raise StandingsError(f"the place of {number} does not fit the crosstable or the tiebreaks")
    parsed = list(map(_parse_value, values))
    return StandingsRow(
        rank=place_rank,
        number=number,
        name=player.name,
        values=dict(zip(labels, [value for value, _ in parsed], strict=True)),
        _texts=dict(zip(labels, [text for _, text in parsed], strict=True)),
    )


def _parse_value(text: object) -> tuple[Number | None, str | None]:
    """Return a value, and its usual text."""
    if text is None:
        return None, None
    if not isinstance(text, str) or len(text) > 40:
        raise StandingsError(f"{str(text)[:40]!r} is not the value of a tie-break")
    return _parse_number(text)


@lru_cache(maxsize=2**12)
def _parse_number(text: str) -> tuple[Number, str]:
    try:
        number = Fraction(text) if "." in text else int(text)
        return number, format_decimal(number)
    except ValueError as error:
        raise StandingsError(f"{text!r} is not the value of a tie-break") from error
