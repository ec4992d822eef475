"""Seat preferences: the seat a player should have, and how strongly (C.04.3 articles 1.6, 1.7).

FIDE's white is the seat `first`. Only played games count. If two definitions of article 1.7 fit,
the first one applies.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from games.rules.seat import Seat


class Strength(IntEnum):
    """The strength of a preference; a stronger one has priority (5.2.2)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class SeatPreference:
    """The seat a player should have, and how strongly.

    `difference` is the number of games in the first seat minus those in the second (article 1.6).
    `repeated` is the seat of the last two games, if it was the same.
    """

    seat: Seat | None
    strength: Strength
    difference: int
    repeated: Seat | None

    def clashes_absolutely(self, other: "SeatPreference") -> bool:
        """Return True if both have the same absolute preference (C3)."""
        return self.strength is other.strength is Strength.ABSOLUTE and self.seat is other.seat


@lru_cache(maxsize=4096)
def seat_preference_of(seats: tuple[Seat, ...]) -> SeatPreference:
    """Return the preference of a player who had these seats in played games."""
    if not seats:
        return SeatPreference(None, Strength.NONE, 0, None)
    difference = 2 * seats.count(Seat.FIRST) - len(seats)
    lesser = Seat.SECOND if difference > 0 else Seat.FIRST
    repeated = seats[-1] if seats[-1] in seats[-2:-1] else None
    if abs(difference) > 1:
        return SeatPreference(lesser, Strength.ABSOLUTE, difference, repeated)
    if repeated is not None:
        return SeatPreference(repeated.other, Strength.ABSOLUTE, difference, repeated)
    if difference:
        return SeatPreference(lesser, Strength.STRONG, difference, None)
    return SeatPreference(seats[-1].other, Strength.MILD, 0, None)
