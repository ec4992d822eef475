"""The balance of seat preferences among the players still to be paired.

Everybody is of one class by preference. From how many there are of each class follows how few
preferences (C12), and how few strong ones (C13), any pairing of them must leave ungranted.
"""

from collections.abc import Iterable

from games.rules.seat import Seat
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.seat_preferences import Strength

CLASSES = range(5)
"""No preference; first, mild or stronger; second, mild or stronger."""


class Classes:
    """The class of each player, by place, and the players of each class as a set of places."""

    def __init__(self, field: Field):
        self.by_place = [_class_of(field, place) for place in range(len(field.numbers))]
        self.members = [0] * len(CLASSES)
        for place, one in enumerate(self.by_place):
            self.members[one] |= 1 << place


class Balance:
    """How many of each class are still to be paired."""

    def __init__(self, classes: Classes, places: Iterable[int]):
        self.classes = classes
        self.counts = [0] * len(CLASSES)
        for place in places:
            self.counts[classes.by_place[place]] += 1

    def take(self, one: int, other: int) -> None:
        """Leave out two who are paired."""
        by_place = self.classes.by_place
        self.counts[by_place[one]] -= 1
        self.counts[by_place[other]] -= 1

    def put_back(self, one: int, other: int) -> None:
        """Count two again whose pair is given up."""
        by_place = self.classes.by_place
        self.counts[by_place[one]] += 1
        self.counts[by_place[other]] += 1

    def affordable(self, upper: int) -> int:
        """Give those whose pair with a player leaves C12 and C13 at their bounds."""
        mine = self.classes.by_place[upper]
        counts = self.counts
        ungranted, strong = _bounds(counts)
        affordable = 0
        counts[mine] -= 1
        for theirs in CLASSES:
            if not counts[theirs]:
                continue
            counts[theirs] -= 1
            others_ungranted, others_strong = _bounds(counts)
            counts[theirs] += 1
            is_same = mine and theirs and (mine > 2) == (theirs > 2)
            is_strong = is_same and not mine % 2 and not theirs % 2
            if others_ungranted + bool(is_same) <= ungranted and (
                others_strong + bool(is_strong) <= strong
            ):
                affordable |= self.classes.members[theirs]
        counts[mine] += 1
        return affordable


def _class_of(field: Field, place: int) -> int:
    preference = field.seat_preferences[place]
    if preference.seat is None:
        return 0
    return 1 + 2 * (preference.seat is Seat.SECOND) + (preference.strength > Strength.MILD)


def _bounds(counts: list[int]) -> tuple[int, int]:
    """Give the fewest preferences, and strong ones, that pairs of these must leave ungranted."""
    none, first_mild, first, second_mild, second = counts
    surplus = first_mild + first - second_mild - second
    if surplus < 0:
        surplus, first_mild = -surplus, second_mild
    ungranted = max(0, surplus - none) // 2
    return ungranted, max(0, ungranted - first_mild)
