"""Take the snapshot of a completed round, and erase a player from all snapshots."""

from typing import Any

from django.db.models import Max

from games.core.uploads.progress import Progress, no_progress
from games.models import Player
from games.rules.text import Text
from tournament import queries
from tournament.core.crosstable import crosstable_digest
from tournament.core.rankings import Table, compute_table, compute_tables
from tournament.core.snapshots import erase_players, write_body
from tournament.models import Round, Snapshot, Tournament


def take_snapshot(tournament: Tournament, this_round: Round) -> Snapshot:
    """Store the standings after a round that has just been completed; replace an older snapshot.

    The caller has locked the tournament. Tie-breaks that need a missing record are left out.
    """
    table = compute_table(
        tournament, through=this_round.number, with_counts=True, skip_unproven=True
    )
    older = this_round.snapshots.select_for_update().filter(version=1).first()
    if older is None:
        snapshot = Snapshot(round=this_round, version=1, **_fields(table))
        snapshot.save()
        return snapshot
    for name, value in _fields(table).items():
        setattr(older, name, value)
    older.save(update_fields=["digest", "body"])
    return older


def add_versions(tournament: Tournament, first_round: int) -> list[Snapshot]:
    """Store the corrected standings of a final event after each round from this one on.

    They are new versions of the snapshots, which are returned.
    """
    rounds = tournament.round_set.filter(
        number__gte=first_round, state__in=queries.FINISHED_ROUND_STATES
    )
    numbered = list(rounds.annotate(last=Max("snapshots__version")).order_by("number"))
    numbers = [this_round.number for this_round in numbered]
    tables = compute_tables(tournament, numbers, with_counts=True, skip_unproven=True)
    snapshots = [
        Snapshot(round=this_round, version=(this_round.last or 0) + 1, **_fields(table))
        for this_round, table in zip(numbered, tables, strict=True)
    ]
    Snapshot.objects.bulk_create(snapshots)
    return snapshots


def take_snapshots(tournament: Tournament, progress: Progress = no_progress) -> list[Snapshot]:
    """Store the standings after each complete round of an imported event, which has none yet."""
    complete = list(
        tournament.round_set.filter(state__in=queries.FINISHED_ROUND_STATES).order_by("number")
    )
    numbers = [this_round.number for this_round in complete]
    tables = compute_tables(tournament, numbers, with_counts=True, skip_unproven=True)
    snapshots: list[Snapshot] = []
    for this_round, table in zip(complete, tables, strict=True):
        progress(Text("storing standings"), len(snapshots), len(complete))
        snapshots.append(Snapshot(round=this_round, **_fields(table)))
    Snapshot.objects.bulk_create(snapshots)
    return snapshots


def _fields(table: Table) -> dict[str, Any]:
    return {"digest": crosstable_digest(table.crosstable), "body": write_body(table)}


def erase_player(player: Player) -> int:
    """Erase the personal data of a player from every snapshot; return how many changed.

    Tables read from them then name the player as the current rows do. The digests stay valid,
    because they do not cover names.
    """
    entries = set(player.entries.values_list("pk", flat=True))
    changed = []
    for snapshot in Snapshot.objects.filter(round__tournament__entries__in=entries).distinct():
        if erase_players(snapshot.body, entries):
            changed.append(snapshot)
    return Snapshot.objects.bulk_update(changed, ["body"], batch_size=100)
