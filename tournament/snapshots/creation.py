"""What was read from the wall when a round was completed, kept for the record."""

from typing import Any

from games.imports.progress import Progress, no_progress
from games.models import Player
from tournament import queries
from tournament.documents.crosstable import crosstable_digest
from tournament.models import Round, Snapshot, Tournament
from tournament.queries.standings import Table, compute_each, compute_provable
from tournament.snapshots.format import kept, without_people


def take_snapshot(tournament: Tournament, this_round: Round) -> Snapshot:
    """Keep the standings after a round that is complete now; an older one is replaced.

    Where a code asks for a proof that a game lacks, the codes that do not are kept.
    """
    table = compute_provable(tournament, through=this_round.number, with_counts=True)
    snapshot, _ = Snapshot.objects.update_or_create(round=this_round, defaults=_told(table))
    return snapshot


def take_snapshots(tournament: Tournament, progress: Progress = no_progress) -> list[Snapshot]:
    """Keep the standings after each complete round of an event that came in whole, in their order.

    None of them was kept before.
    """
    complete = list(tournament.round_set.filter(state__in=queries.DONE).order_by("number"))
    tables = compute_each(tournament, [this_round.number for this_round in complete])
    snapshots: list[Snapshot] = []
    for this_round, table in zip(complete, tables, strict=True):
        progress("keeping standings", len(snapshots), len(complete))
        snapshots.append(Snapshot(round=this_round, **_told(table)))
    return Snapshot.objects.bulk_create(snapshots)


def _told(table: Table) -> dict[str, Any]:
    return {"digest": crosstable_digest(table.crosstable), "body": kept(table)}


def forget_player(player: Player) -> int:
    """Take what tells who a player was out of every snapshot; how many were changed.

    Their tables then tell the player as the rows do now. The digests, which no name enters, stay.
    """
    entries = set(player.entries.values_list("pk", flat=True))
    changed = []
    for snapshot in Snapshot.objects.filter(round__tournament__entries__in=entries).distinct():
        if without_people(snapshot.body, entries):
            changed.append(snapshot)
    return Snapshot.objects.bulk_update(changed, ["body"], batch_size=100)
