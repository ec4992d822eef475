"""A tournament, who entered it, and round by round who met whom.

Unique keys and indexes lead with the tournament, so that its rows can be kept together. A pairing
is a version of its round: an unpaired version stays as it was and only stops being the current
one. What a game came to is read from the game itself; a round without a game is a pairing with
one entry whose `kind` names the bye.
"""

from tournament.models.certificates import Certificate, Explanation
from tournament.models.events import Bye, Entry, Tournament
from tournament.models.rounds import Pairing, Round, Snapshot

__all__ = [
    "Bye",
    "Certificate",
    "Entry",
    "Explanation",
    "Pairing",
    "Round",
    "Snapshot",
    "Tournament",
]
