"""Lock an entry, and what `If-Match` is about: its columns that an organiser changes.

The version does not contain the pairing number, because a late entry moves the numbers of others.
"""

from collections.abc import Iterable

from games.core.preconditions import Target, last_line, line_names, version_of
from games.models.columns import columns_of
from tournament.core.locking import lock_tournament
from tournament.models import Entry, Tournament


def lock_entry(tournament: Tournament, entry: Entry) -> Entry:
    """Read the entry again, with its player, and lock its row."""
    # Not the player that is read with it: the journal of the site is locked before players.
    entries = Entry.objects.select_for_update(of=("self",)).select_related("player")
    locked = entries.get(tournament=tournament, pk=entry.pk)
    locked.tournament = tournament
    return locked


ANSWERS = ("agreement", "consented_at")
OF_THE_EVENT = frozenset(
    {*("ordinal", "player", "pairing_number", "printed_number", "entered_at"), *ANSWERS}
)
"""The columns of an entry that change without its organiser, or never."""
ENTRY_COLUMNS = [name for name in columns_of(Entry).journalled if name not in OF_THE_EVENT]


def entry_target(tournament: Tournament, entry: Entry) -> Target:
    """Return an entry of a tournament."""

    def read_version(locked: bool) -> str:
        if not locked:
            entry.refresh_from_db(fields=ENTRY_COLUMNS)
        row = lock_entry(lock_tournament(tournament), entry) if locked else entry
        return version_of(row, *ENTRY_COLUMNS)

    return Target(tournament.stream, read_version, line_names("entry", entry.pk))


def entry_tags(tournament: Tournament, entries: Iterable[Entry]) -> dict[int, str]:
    """Return the tag of each entry, by its id, in one query."""
    line = last_line(tournament.stream)
    return {entry.pk: f"{line}.{version_of(entry, *ENTRY_COLUMNS)}" for entry in entries}
