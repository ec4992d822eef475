"""What `If-Match` is about: an event with its settings."""

from games.core.preconditions import Target, version_of
from tournament.core.locking import lock_tournament
from tournament.models import Tournament
from tournament.models.settings import SETTINGS


def tournament_target(tournament: Tournament) -> Target:
    """Return a tournament with its settings and its state."""

    def read_version(locked: bool) -> str:
        row = lock_tournament(tournament) if locked else tournament
        if not locked:
            row.refresh_from_db()
        return version_of(row, "state", *SETTINGS)

    return Target(tournament.stream, read_version, lambda kind, _: kind.startswith("tournament."))


def made_tournament(slug: str) -> Target:
    """Return the tournament that a write has made."""
    return tournament_target(Tournament.objects.get(slug=slug))
