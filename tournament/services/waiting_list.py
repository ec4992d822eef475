"""The waiting list: a free place is for the first entry, if the event fills its places itself.

That is so before the start only; a late entry is accepted by a director, who knows who is present.
"""

from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from tournament.core.actions import find_place_conflicts
from tournament.models import Entry, Tournament
from tournament.services.actions import BEFORE_START
from tournament.services.entry_payloads import entry_payload

WAITING_LIST_REASON = "the first of the waiting list"


def fill_places(tournament: Tournament, *, by: Account) -> list[Entry]:
    """Accept the first entries of the waiting list while there is a place; return them.

    The tournament is locked. The list is in the order of entering.
    """
    if not tournament.fills_places or tournament.state not in BEFORE_START:
        return []
    waiting = tournament.entries.filter(state=Entry.State.WAITING).select_related("player")
    accepted = []
    for entry in waiting.order_by("entered_at", "pk"):
        if any(find_place_conflicts(tournament)):
            break
        entry.state = Entry.State.ACCEPTED
        entry.save(update_fields=["state"])
        payload = entry_payload(entry) | {"reason": WAITING_LIST_REASON}
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.accepted", payload, by=by, rows=rows)
        accepted.append(entry)
    return accepted
