"""The seed of all random draws of a tournament: its digest is published first, the seed later.

The service draws the seed when the tournament is created and shows it to no one. The SHA-256
digest is published when registration opens, so the seed cannot be exchanged once the entries are
known. The seed is published with the first round or with the final result. No system draws lots
after that; one that did would need a secret for each round.
"""

from hashlib import sha256

from tournament.models import Tournament

State = Tournament.State


def draw_seed_digest(tournament: Tournament) -> str:
    """Return the digest of the seed: 64 hexadecimal digits, the SHA-256 of its text."""
    return sha256(tournament.draw_seed.encode()).hexdigest()


def published_digest(tournament: Tournament) -> str | None:
    """Return the digest once registration is open."""
    return None if tournament.state == State.DRAFT else draw_seed_digest(tournament)


def published_seed(tournament: Tournament) -> str | None:
    """Return the seed once a round is published or the tournament is final."""
    is_final = tournament.state in (State.FINAL, State.ARCHIVED)
    if is_final or has_begun(tournament):
        return tournament.draw_seed
    return None


def has_begun(tournament: Tournament) -> bool:
    """Return True if a round is published."""
    return tournament.round_set.filter(published_at__isnull=False).exists()
