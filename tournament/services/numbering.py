"""Pairing numbers: in seed order, or by lot if a round robin is set up so.

The seed order is by rating, then by name (C.04.2 article 2, 2026-02-01). The organiser may enter
the lots that were drawn before the start; if no entry has one, the draw seed gives them.
"""

from random import Random

from django.db.models import F, Q

from games.bulk import BATCH_SIZE
from games.http.errors import Conflict
from tournament.models import Entry, Tournament
from tournament.services.systems import numbers_by_lot


def number_entries(tournament: Tournament) -> None:
    """Number all accepted entries, and the withdrawn ones that had a number.

    Raises Conflict if only some entries have a lot, or two have the same.
    """
    numbered = tournament.entries.filter(
        Q(state=Entry.State.ACCEPTED) | Q(pairing_number__isnull=False)
    )
    entries = list(numbered.select_related("player"))
    entries.sort(key=lambda entry: (-entry.seed_rating, entry.player.name, entry.pk))
    if numbers_by_lot(tournament):
        _complete_lots(tournament, entries)
        entries.sort(key=lambda entry: entry.lot or 0)
    for number, entry in enumerate(entries, start=1):
        entry.pairing_number = number
    Entry.objects.bulk_update(entries, ["pairing_number", "lot"], batch_size=BATCH_SIZE)


def publish_entries(tournament: Tournament) -> None:
    """Make the states and pairing numbers of all entries public."""
    tournament.entries.update(published_state=F("state"), published_number=F("pairing_number"))


def _complete_lots(tournament: Tournament, entries: list[Entry]) -> None:
    """Draw the lots of entries in seed order, unless all have one."""
    lots = [entry.lot for entry in entries if entry.lot is not None]
    if not lots:
        drawn = list(range(1, len(entries) + 1))
        Random(tournament.draw_seed).shuffle(drawn)
        for entry, lot in zip(entries, drawn, strict=True):
            entry.lot = lot
    elif len(lots) < len(entries):
        without = ", ".join(entry.player.name for entry in entries if entry.lot is None)
        raise Conflict("lots_incomplete", f"some entries have a lot, but not {without[:200]}")
    elif len(set(lots)) < len(lots):
        repeated = max(lots, key=lots.count)
        raise Conflict("lot_twice", f"two entries have the lot {repeated}")
