"""What the journal holds about an entry, and which of its values are not public."""

from tournament.models import Entry

PERSONAL_ENTRY_FIELDS = ("birth_year", "sex", "category")
"""What only the event's officials and the player see."""
PERSONAL_DETAILS = (*PERSONAL_ENTRY_FIELDS, "club")


def entry_payload(entry: Entry) -> dict[str, object]:
    """Return the journal payload of an entry, with the personal details that are set."""
    details = {name: getattr(entry, name) for name in PERSONAL_DETAILS if getattr(entry, name)}
    return {
        "entry": entry.pk,
        "ordinal": entry.ordinal,
        "player": entry.player_id,
        "state": entry.state,
        "seed_rating": entry.seed_rating,
        "pairing_number": entry.pairing_number,
        "lot": entry.lot,
        "first_round": entry.first_round,
        "last_round": entry.last_round,
        "checked_in_round": entry.checked_in_round,
        **details,
    }
