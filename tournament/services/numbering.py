"""The pairing numbers: in seed order, or by lot where a round robin is set up so.

The seed order is by rating, then name (C.04.2 art. 2, 2026-02-01). Lots are what the organiser
noted for the entries before the start; when nobody has one they are drawn from the event's seed.
"""

from random import Random

from django.db import transaction
from django.db.models import Q

from games.bulk import BATCH_SIZE
from games.http.errors import Conflict
from games.journal.lines import append_line
from games.models import Account
from tournament.models import Entry, Tournament
from tournament.services.locking import lock_tournament, require_state
from tournament.services.systems import numbers_by_lot

State = Tournament.State


def number_entries(tournament: Tournament) -> None:
    """Give pairing numbers to all accepted entries and to those that had one.

    Raises Conflict when only some of them have a lot, or two have the same.
    """
    counted = tournament.entries.filter(
        Q(state=Entry.State.ACCEPTED) | Q(pairing_number__isnull=False)
    )
    entries = list(counted.select_related("player"))
    entries.sort(key=lambda entry: (-entry.seed_rating, entry.player.name, entry.pk))
    if numbers_by_lot(tournament):
        _complete_lots(tournament, entries)
        entries.sort(key=lambda entry: entry.lot or 0)
    for number, entry in enumerate(entries, start=1):
        entry.pairing_number = number
    Entry.objects.bulk_update(entries, ["pairing_number", "lot"], batch_size=BATCH_SIZE)


def _complete_lots(tournament: Tournament, entries: list[Entry]) -> None:
    """Draw a lot for each of the entries, who stand in seed order, unless all have theirs."""
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
        twice = max(lots, key=lots.count)
        raise Conflict("lot_twice", f"two entries have the lot {twice}")


def set_lot(entry: Entry, lot: int | None, *, by: Account) -> Entry:
    """Note the number that an entry drew, or that it has none, until the event starts."""
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_state(tournament, State.DRAFT, State.REGISTRATION)
        entry = (
            tournament.entries.select_for_update(of=("self",))
            .select_related("player")
            .get(pk=entry.pk)
        )
        if entry.lot != lot:
            entry.lot = lot
            entry.save(update_fields=["lot"])
            append_line(tournament.stream, "entry.lot", {"entry": entry.pk, "lot": lot}, by=by)
    return entry
