"""The table that a snapshot gives back: a round as it stood.

Places and values are those that were read from the wall, whatever a newer version of this software
would compute; by other codes, and with terms, they are computed from the crosstable that was kept
(kept.py). Names stay as they were, but for those that were taken out of the snapshot and those of
players merged since.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tournament.models import Snapshot, Tournament
from tournament.queries.people import people_since
from tournament.queries.standings import Stood, Table, codes_of
from tournament.snapshots.format import parse_kept
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.table import label_columns, rank
from tournament.standings.tiebreaks import parse_codes


def table_kept(
    tournament: Tournament,
    through: int,
    snapshot: Snapshot,
    codes: str = "",
    *,
    with_terms: bool = False,
) -> Table:
    """The table as it stood: by the codes of then, or computed from what was kept by others.

    Takes one query, two where a player was merged since. Raises TiebreakError for codes that will
    not do.
    """
    found = parse_kept(snapshot.body)
    people = {
        number: {
            "id": found.players[number],
            "name": player.name,
            "country": player.federation,
            "club": player.club,
        }
        for number, player in found.crosstable.by_number.items()
    }
    crosstable, rows, labels = found.crosstable, found.rows, found.labels
    blank = [found.entries[number] for number, one in people.items() if not one["name"]]
    changed = people_since(tournament, blank)
    if changed:
        renamed = {n: changed[entry] for n, entry in found.entries.items() if entry in changed}
        people |= renamed
        crosstable = _renamed(crosstable, renamed)
        rows = tuple(replace(row, name=crosstable.by_number[row.number].name) for row in rows)
    if codes or with_terms:
        wanted = codes or codes_of(labels)
        listed = parse_codes(wanted, round_robin=crosstable.round_robin)
        rows, labels = rank(crosstable, listed), tuple(label_columns(listed))
    return Table(
        tournament=tournament,
        through=through,
        crosstable=crosstable,
        labels=labels,
        rows=rows,
        people=people,
        entries=found.entries,
        stood=Stood(snapshot.taken_at, snapshot.digest),
    )


def _renamed(table: Crosstable, people: Mapping[PlayerId, Mapping[str, Any]]) -> Crosstable:
    return replace(
        table,
        players=tuple(
            replace(
                player,
                name=people[player.number]["name"],
                federation=people[player.number]["country"],
                club=people[player.number]["club"],
                fide_id="",
            )
            if player.number in people
            else player
            for player in table.players
        ),
    )
