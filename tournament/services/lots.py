"""The seed of all lots of an event: promised by its digest, shown once it has served.

The seed is drawn by the service when the event is made, and nobody sees it. Its SHA-256 is told
when registration opens, so it cannot be exchanged once the entries are known; the seed itself
when the first round is published, from where on nothing is drawn in secret, or with the final
result.
"""

from hashlib import sha256

from tournament.models import Tournament

State = Tournament.State
SERVED = (State.FINAL, State.ARCHIVED)


def digest_of(tournament: Tournament) -> str:
    """The digest of the seed, as 64 hexadecimal digits of the SHA-256 of its text."""
    return sha256(tournament.draw_seed.encode()).hexdigest()


def promised_digest(tournament: Tournament) -> str | None:
    """The digest, once registration has opened."""
    return None if tournament.state == State.DRAFT else digest_of(tournament)


def shown_seed(tournament: Tournament) -> str | None:
    """The seed, once a round is published or the event is final."""
    is_shown = (
        tournament.state in SERVED
        or tournament.round_set.filter(published_at__isnull=False).exists()
    )
    return tournament.draw_seed if is_shown else None
