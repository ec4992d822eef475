"""Lower bounds for C12 and C13 from the seat preferences of the players still to be paired.

Each player belongs to a class by seat preference. The sizes of the classes determine how many
preferences (C12), and how many strong ones (C13), any pairing of the players cannot grant.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from games.rules.seat import Seat
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.seat_preferences import Strength

CLASSES = range(5)
"""0 no preference; 1 first, mild; 2 first, stronger; 3 second, mild; 4 second, stronger."""


class Classes:
    """The class of each player by place, and the players of each class as a set."""

    def __init__(self, field: Field):
        self.by_place = [_class_of(field, place) for place in range(len(field.numbers))]
        self.members = [0] * len(CLASSES)
        for place, own_class in enumerate(self.by_place):
            self.members[own_class] |= 1 << place


class Balance:
    """The number of players of each class who are still to be paired."""

    def __init__(self, classes: Classes, places: Iterable[int]):
        self.classes = classes
        self.counts = [0] * len(CLASSES)
        for place in places:
            self.counts[classes.by_place[place]] += 1

    def remove(self, a: int, b: int) -> None:
        """Remove two players who are paired."""
        by_place = self.classes.by_place
        self.counts[by_place[a]] -= 1
        self.counts[by_place[b]] -= 1

    def restore(self, a: int, b: int) -> None:
        """Add two players again whose pair is undone."""
        by_place = self.classes.by_place
        self.counts[by_place[a]] += 1
        self.counts[by_place[b]] += 1

    def can_be_left(self) -> int:
        """Return the players without whom C12 and C13 can still reach their bounds."""
        counts = self.counts
        ungranted, strong = _bounds(counts)
        can_be_left = 0
        for own in CLASSES:
            if not counts[own]:
                continue
            counts[own] -= 1
            rest_ungranted, rest_strong = _bounds(counts)
            counts[own] += 1
            if rest_ungranted <= ungranted and rest_strong <= strong:
                can_be_left |= self.classes.members[own]
        return can_be_left

    def affordable(self, upper: int) -> int:
        """Return the opponents of a player with whom C12 and C13 can still reach their bounds."""
        affordable = 0
        for other in _affordable_classes(self.classes.by_place[upper], *self.counts):
            affordable |= self.classes.members[other]
        return affordable


@lru_cache(maxsize=1 << 14)
def _affordable_classes(own: int, *counts: int) -> tuple[int, ...]:
    """Return the classes whose players a player may meet while the bounds can be reached.

    An explanation pairs the same brackets again and again, hence the cache.
    """
    ungranted, strong = _bounds(counts)
    rest = list(counts)
    rest[own] -= 1
    affordable = []
    for other in CLASSES:
        if not rest[other]:
            continue
        rest[other] -= 1
        rest_ungranted, rest_strong = _bounds(rest)
        rest[other] += 1
        is_same = own and other and (own > 2) == (other > 2)
        is_strong = is_same and not own % 2 and not other % 2
        if rest_ungranted + bool(is_same) <= ungranted and (
            rest_strong + bool(is_strong) <= strong
        ):
            affordable.append(other)
    return tuple(affordable)


def _class_of(field: Field, place: int) -> int:
    preference = field.seat_preferences[place]
    if preference.seat is None:
        return 0
    return 1 + 2 * (preference.seat is Seat.SECOND) + (preference.strength > Strength.MILD)


def _bounds(counts: Sequence[int]) -> tuple[int, int]:
    """Return the minimum numbers of preferences, and of strong ones, that are not granted."""
    none, first_mild, first, second_mild, second = counts
    surplus = first_mild + first - second_mild - second
    if surplus < 0:
        surplus, first_mild = -surplus, second_mild
    ungranted = max(0, surplus - none) // 2
    return ungranted, max(0, ungranted - first_mild)
