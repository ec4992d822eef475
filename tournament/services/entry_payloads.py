"""What payloads of the journal have of an entry, and which of its values are not public."""

from games.core.journal.rows import journalled_fields
from games.models.columns import columns_of
from tournament.models import Entry

PUBLIC = ("title", "club")
"""The personal values that everybody sees, until they are erased."""
PRIVATE_VALUES = tuple(name for name in columns_of(Entry).personal if name not in PUBLIC)
"""What only the event's officials and the player see."""


def entry_payload(entry: Entry) -> dict[str, object]:
    """Return the journal payload of an entry, with the personal values that are set."""
    personal = columns_of(Entry).personal
    values = {field.name: getattr(entry, field.attname) for field in journalled_fields(Entry)}
    return {"entry": entry.pk} | {
        name: value
        for name, value in values.items()
        if isinstance(value, str | int | None) and (value or name not in personal)
    }
