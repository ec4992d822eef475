"""Read the table of a round from its snapshot.

Ranks and values are the stored ones, even if a newer version of this software would compute
others; by other tie-breaks, and with terms, they are computed from the stored crosstable. Names
are the stored ones, except those of players who were erased from the snapshot or merged since.
"""

from collections.abc import Mapping
from dataclasses import replace

from tournament.core.rankings import AsOf, Table, codes_of
from tournament.core.snapshots import parse_body
from tournament.models import Snapshot, Tournament
from tournament.queries.players import PlayerSummary, load_current_players
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.table import label_columns, rank
from tournament.standings.tiebreaks import parse_codes


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

    Takes one query, two if a player was merged since. Raises TiebreakError for invalid codes.
    """
    body = parse_body(snapshot.body)
    players: dict[PlayerId, PlayerSummary] = {
        number: {
            "id": body.players[number],
            "name": player.name,
            "country": player.federation,
            "club": player.club,
        }
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
                federation=current["country"],
                club=current["club"],
                fide_id="",
            )
        players.append(player)
    return replace(crosstable, players=tuple(players))
