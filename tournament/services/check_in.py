"""Check-in: players confirm that they are present, for the event or for each round.

Others are not paired (`queries.absent_numbers`).
"""

from django.db import transaction

from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from tournament.core.actions import next_round
from tournament.models import Entry
from tournament.services.entry_actions import require_entry_action
from tournament.services.locking import lock_entry, lock_tournament


def check_in(entry: Entry, action: str, *, by: Account) -> Entry:
    """Check an entry in for the next round that is published, or out (`check-out`).

    Raises Conflict if the event has no check-in, or the entry is not accepted.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        entry = lock_entry(tournament, entry)
        require_entry_action(tournament, entry, action)
        number = next_round(tournament) if action == "check-in" else None
        if entry.checked_in_round != number:
            entry.checked_in_round = number
            entry.save(update_fields=["checked_in_round"])
            kind = "entry.checked_in" if action == "check-in" else "entry.checked_out"
            payload = {"entry": entry.pk, "checked_in_round": number}
            append_line(tournament.stream, kind, payload, by=by, rows=changed_rows(entry))
    return entry
