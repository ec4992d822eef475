"""The snapshots of completed rounds: taken, read as tables, and cleared of an erased player.

The JSON body:

| key | value |
|---|---|
| tiebreaks | the labels of the columns |
| places | for each player, in the order of the table: pairing number, rank, values as text |
| crosstable | the results and the players (standings/crosstable_json.py) |
| entries | for each player of the crosstable, in its order: entry id and player id |
| salt | a random text, so that the digest of the body reveals no name that was erased |

Ranks and values are the stored ones, even if a newer version of this software would compute
others; by other tie-breaks, and with terms, they are computed from the stored crosstable. Names
are the stored ones, except those of players who were erased from the snapshot or merged since.
"""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.db.models import Max

from games.core.journal.chain import digest_of
from games.core.journal.rows import stated
from games.core.uploads.progress import Progress, no_progress
from games.rules.text import Text
from tournament.core.crosstable import crosstable_digest
from tournament.core.queries import (
    FINISHED_ROUND_STATES,
    PlayerSummary,
    load_current_players,
    player_summary,
)
from tournament.core.rankings import AsOf, Table, codes_of, compute_table, compute_tables
from tournament.models import Round, Snapshot, Tournament
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.crosstable_json import crosstable_as_json, parse_crosstable
from tournament.standings.errors import StandingsError
from tournament.standings.points import Number, format_decimal
from tournament.standings.table import StandingsRow, label_columns, rank
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
        "salt": new_salt(),
    }


def new_salt() -> str:
    """Return a random text."""
    return secrets.token_hex(16)


def body_digests(snapshots: Iterable[Snapshot]) -> list[str]:
    """Return the digests of the bodies of snapshots, with the keys of entries and players."""
    (body,) = (field for field in Snapshot._meta.concrete_fields if field.name == "body")
    return [digest_of(row["body"]) for _, _, row in stated((row, [body]) for row in snapshots)]


def _set_digests(*snapshots: Snapshot) -> None:
    for snapshot, digest in zip(snapshots, body_digests(snapshots), strict=True):
        snapshot.body_digest = digest


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


def take_snapshot(tournament: Tournament, this_round: Round) -> Snapshot:
    """Store the standings after a round that has just been completed; replace an older snapshot.

    The caller has locked the tournament.
    """
    table = compute_table(tournament, through=this_round.number, with_counts=True)
    older = this_round.snapshots.select_for_update().filter(version=1).first()
    snapshot = older or Snapshot(round=this_round, version=1)
    for name, value in _fields(table).items():
        setattr(snapshot, name, value)
    _set_digests(snapshot)
    snapshot.save()
    return snapshot


def add_versions(tournament: Tournament, first_round: int) -> list[Snapshot]:
    """Store the corrected standings of a final event after each round from this one on.

    They are new versions of the snapshots, which are returned.
    """
    rounds = tournament.round_set.filter(number__gte=first_round, state__in=FINISHED_ROUND_STATES)
    numbered = list(rounds.annotate(last=Max("snapshots__version")).order_by("number"))
    numbers = [this_round.number for this_round in numbered]
    tables = compute_tables(tournament, numbers, with_counts=True)
    snapshots = [
        Snapshot(round=this_round, version=(this_round.last or 0) + 1, **_fields(table))
        for this_round, table in zip(numbered, tables, strict=True)
    ]
    _set_digests(*snapshots)
    Snapshot.objects.bulk_create(snapshots)
    return snapshots


def take_snapshots(tournament: Tournament, progress: Progress = no_progress) -> list[Snapshot]:
    """Store the standings after each complete round of an imported event, which has none yet."""
    complete = list(tournament.round_set.filter(state__in=FINISHED_ROUND_STATES).order_by("number"))
    numbers = [this_round.number for this_round in complete]
    tables = compute_tables(tournament, numbers, with_counts=True)
    snapshots: list[Snapshot] = []
    for this_round, table in zip(complete, tables, strict=True):
        progress(Text("storing standings"), len(snapshots), len(complete))
        snapshots.append(Snapshot(round=this_round, **_fields(table)))
    _set_digests(*snapshots)
    Snapshot.objects.bulk_create(snapshots)
    return snapshots


def _fields(table: Table) -> dict[str, Any]:
    return {"digest": crosstable_digest(table.crosstable), "body": write_body(table)}


def erase_from_snapshots(tournament: Tournament, entries: Collection[int]) -> list[Snapshot]:
    """Erase the personal data of these entries from the snapshots; return those that changed.

    Tables read from them then name the player as the current rows do. The digests of the
    crosstables stay valid, because they do not cover names; those of the bodies change.
    """
    changed = []
    for snapshot in Snapshot.objects.filter(round__tournament=tournament).select_related("round"):
        if erase_players(snapshot.body, entries):
            snapshot.body["salt"] = new_salt()
            changed.append(snapshot)
    _set_digests(*changed)
    Snapshot.objects.bulk_update(changed, ["body", "body_digest"], batch_size=100)
    return changed


def find_snapshot(
    tournament: Tournament, round_number: int, version: int | None = None
) -> Snapshot | None:
    """Return the last version of the snapshot of a round, or this one; None if there is none."""
    found = Snapshot.objects.filter(round__tournament=tournament, round__number=round_number)
    if version is not None:
        found = found.filter(version=version)
    return found.order_by("-version").first()


def read_table(
    tournament: Tournament,
    through: int,
    snapshot: Snapshot,
    codes: str = "",
    *,
    with_terms: bool = False,
) -> Table:
    """Return the table of a snapshot, by its own tie-breaks unless `codes` names others.

    Takes one query. Raises TiebreakError for invalid codes.
    """
    body = parse_body(snapshot.body)
    players: dict[PlayerId, PlayerSummary] = {
        number: player_summary(body.players[number], player.name, player.federation, player.club)
        for number, player in body.crosstable.by_number.items()
    }
    crosstable, rows, labels = body.crosstable, body.rows, body.labels
    erased = [body.entries[number] for number, player in players.items() if not player["name"]]
    current = load_current_players(tournament, erased)
    if current:
        renamed = {n: current[entry] for n, entry in body.entries.items() if entry in current}
        players |= renamed
        crosstable = _rename(crosstable, renamed)
        rows = tuple(replace(row, name=players[row.number]["name"]) for row in rows)
    if codes or with_terms:
        parsed = parse_codes(codes or codes_of(labels), round_robin=crosstable.round_robin)
        rows, labels = rank(crosstable, parsed), tuple(label_columns(parsed))
    return Table(
        tournament=tournament,
        through=through,
        crosstable=crosstable,
        labels=labels,
        rows=rows,
        players=players,
        entries=body.entries,
        as_of=AsOf(snapshot.taken_at, snapshot.digest),
    )


def _rename(crosstable: Crosstable, renamed: Mapping[PlayerId, PlayerSummary]) -> Crosstable:
    players = []
    for player in crosstable.players:
        if current := renamed.get(player.number):
            player = replace(
                player,
                name=current["name"],
                federation=current["country"] or "",
                club=current["club"] or "",
                fide_id="",
            )
        players.append(player)
    return replace(crosstable, players=tuple(players))
