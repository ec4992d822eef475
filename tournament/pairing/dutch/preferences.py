"""Seat preferences: which seat a player is due, and how strongly (C.04.3 articles 1.6 and 1.7).

FIDE's white is the seat `first`. Only played games count: unplayed rounds fall out of the history.
When two definitions of article 1.7 fit a history, the first of them holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tournament.standings.crosstable import Seat


class Strength(IntEnum):
    """How strong a preference is; a larger one goes before a smaller one (5.2.2)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Preference:
    """The seat a player is due and how strongly.

    `difference` is games as first less games as second (article 1.6); `is_repeated` tells that
    the last two games were both played from the other seat, so that one more would be the third.
    """

    seat: Seat | None
    strength: Strength
    difference: int
    is_repeated: bool

    def clashes_absolutely(self, other: "Preference") -> bool:
        """Whether both have the same absolute preference, which C3 keeps apart."""
        return self.strength is other.strength is Strength.ABSOLUTE and self.seat is other.seat


def preference_of(seats: Sequence[Seat]) -> Preference:
    """Give the preference that the seats of the played games, in order, leave."""
    if not seats:
        return Preference(None, Strength.NONE, 0, False)
    difference = 2 * seats.count(Seat.FIRST) - len(seats)
    is_repeated = len(seats) > 1 and seats[-1] is seats[-2]
    if abs(difference) > 1:
        seat = Seat.SECOND if difference > 0 else Seat.FIRST
        is_repeated = is_repeated and seats[-1] is not seat
        return Preference(seat, Strength.ABSOLUTE, difference, is_repeated)
    if is_repeated:
        return Preference(seats[-1].other, Strength.ABSOLUTE, difference, True)
    if difference:
        seat = Seat.SECOND if difference > 0 else Seat.FIRST
        return Preference(seat, Strength.STRONG, difference, False)
    return Preference(seats[-1].other, Strength.MILD, 0, False)
