"""The fold: the first candidate of a bracket, when nothing can be better.

Moved-down players meet the first residents they can, then the upper half of the other residents
meets the lower half, in the lexicographic order of article 3.6 and 4.2. Counts of seat preferences
tell how few of them must stay ungranted (C12 and C13); a candidate that comes down to these
numbers, lets the fewest float and costs no more under any other criterion than one has to is
perfect, and being the first of the order it is the pairing. Where none is found in few steps the
bracket has to be optimised.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pairing.dutch.field import Field
from tournament.pairing.dutch.preferences import Strength
from tournament.pairing.matching import Matching, Unmatched, bits
from tournament.standings.crosstable import Seat

STEPS_A_PLAYER = 20
CLASSES = range(5)
"""No preference; first, mild or stronger; second, mild or stronger."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A bracket's pairs as (higher, lower) places, and who is left over, if anybody."""

    pairs: list[tuple[int, int]]
    left_over: int | None


class Fold:
    """Folds one bracket after another of a field."""

    def __init__(self, field: Field):
        self.field = field
        self.class_of = [_class_of(field, place) for place in range(len(field.numbers))]
        self.members = [0] * len(CLASSES)
        for place, one in enumerate(self.class_of):
            self.members[one] |= 1 << place
        self.allowed = _without_clashes(field)

    def fold(self, moved: Sequence[int], residents: range, may_be_left: int) -> Folded | None:
        """Give the first perfect candidate; None when it is not found or not certain.

        `may_be_left` is the set of residents one of whom may be left over from an odd bracket; of
        these it will be one for whom C14 and C16 count least.
        """
        if len(moved) > len(residents):
            return None
        counts = [0] * len(CLASSES)
        for place in (*moved, *residents):
            counts[self.class_of[place]] += 1
        everybody = _span(residents)
        search = _Search(self, counts)
        first = search.pair(moved, self._risers(moved, everybody), None)
        if first is None:
            return None
        for _, lower in first:
            everybody &= ~(1 << lower)
        remainder = [place for place in residents if everybody >> place & 1]
        half = len(remainder) // 2
        for place in remainder[:half]:
            everybody &= ~(1 << place)
        is_odd = len(remainder) % 2
        left = _least_floated(may_be_left, self.field.downfloats) if is_odd else None
        second = search.pair_halves(remainder[:half], everybody, left)
        if second is None:
            return None
        for _, lower in second:
            everybody &= ~(1 << lower)
        return Folded(first + second, everybody.bit_length() - 1 if is_odd else None)

    def _risers(self, moved: Sequence[int], residents: int) -> int:
        """Give those for whom C15 and C17 count least as partners of moved-down players."""
        if len(moved) == 1:
            return _least_floated(residents & self.allowed[moved[0]], self.field.upfloats)
        return residents & ~(self.field.upfloats[0] | self.field.upfloats[1])


class _Search:
    """A depth-first search for the first assignment that keeps the counts at their bounds."""

    def __init__(self, fold: Fold, counts: list[int]):
        self.fold = fold
        self.counts = counts
        self.steps = 200 + STEPS_A_PLAYER * sum(counts)

    def pair_halves(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Pair the halves of a bracket; where that takes many steps, with a matching at hand."""
        counts = list(self.counts)
        found = self.pair(uppers, pool, may_be_left)
        if found is None and not self.steps:
            self.counts = counts
            found = self._pair_guided(uppers, pool, may_be_left)
        return found

    def _pair_guided(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Give each upper player the first partner that leaves a matching of all the others.

        Every refusal is certain, so that what is found is the first of all; when the counts of
        seats and the matching cannot be had together nothing is found.
        """
        allowed, class_of = self.fold.allowed, self.fold.class_of
        vertex = {place: index for index, place in enumerate(bits(pool), start=len(uppers))}
        graph = [0] * (len(uppers) + len(vertex))
        for index, upper in enumerate(uppers):
            for lower in bits(pool & allowed[upper] & self._affordable(upper)):
                graph[index] |= 1 << vertex[lower]
                graph[vertex[lower]] |= 1 << index
        if may_be_left is not None:
            for lower in bits(pool & may_be_left):
                graph[vertex[lower]] |= 1 << len(graph)
            graph.append(sum(1 << vertex[lower] for lower in bits(pool & may_be_left)))
        try:
            matching = Matching(graph)
        except Unmatched:
            return None
        pairs = []
        for index, upper in enumerate(uppers):
            for lower in bits(pool & allowed[upper] & self._affordable(upper)):
                if matching.settle(index, vertex[lower]):
                    break
            else:
                return None
            pairs.append((upper, lower))
            pool ^= 1 << lower
            self.counts[class_of[upper]] -= 1
            self.counts[class_of[lower]] -= 1
        return pairs

    def pair(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Give each upper player the first partner of the pool that lets all others have one."""
        allowed, class_of = self.fold.allowed, self.fold.class_of
        chosen: list[int] = []
        open_choices: list[int] = []
        if not uppers:
            return [] if may_be_left is None or pool & may_be_left else None
        open_choices.append(pool & allowed[uppers[0]] & self._affordable(uppers[0]))
        while open_choices:
            choices = open_choices[-1]
            if not choices:
                open_choices.pop()
                if chosen:
                    lower = chosen.pop()
                    pool |= 1 << lower
                    self.counts[class_of[lower]] += 1
                    self.counts[class_of[uppers[len(chosen)]]] += 1
                continue
            self.steps -= 1
            if not self.steps:
                return None
            low = choices & -choices
            open_choices[-1] = choices ^ low
            is_last = len(chosen) + 1 == len(uppers)
            if is_last and may_be_left is not None and not (pool ^ low) & may_be_left:
                continue
            lower = low.bit_length() - 1
            self.counts[class_of[lower]] -= 1
            self.counts[class_of[uppers[len(chosen)]]] -= 1
            chosen.append(lower)
            pool ^= low
            if len(chosen) == len(uppers):
                return list(zip(uppers, chosen, strict=True))
            upper = uppers[len(chosen)]
            open_choices.append(pool & allowed[upper] & self._affordable(upper))
        return None

    def _affordable(self, upper: int) -> int:
        """Give those whose pair with a player leaves C12 and C13 at their bounds."""
        mine = self.fold.class_of[upper]
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
                affordable |= self.fold.members[theirs]
        counts[mine] += 1
        return affordable


def _least_floated(players: int, floats: tuple[int, int]) -> int:
    """Give those of a set who floated in neither of the last two rounds, or else longest ago."""
    last, last_but_one = floats
    for best in (
        players & ~last & ~last_but_one,
        players & ~last & last_but_one,
        players & last & ~last_but_one,
    ):
        if best:
            return best
    return players


def _without_clashes(field: Field) -> list[int]:
    """Give whom each may meet without a fault under C10 or C11.

    Two with the same absolute preference meet only when one is a topscorer, and then one of the
    two criteria always counts: who is not granted either widens a difference of two or more, or
    has the same seat for the third time.
    """
    if not field.topscorers:
        return field.allowed
    absolute = {
        seat: sum(
            1 << place
            for place, one in enumerate(field.preferences)
            if one.seat is seat and one.strength is Strength.ABSOLUTE
        )
        for seat in Seat
    }
    return [
        allowed & ~absolute[one.seat]
        if one.seat is not None and one.strength is Strength.ABSOLUTE
        else allowed
        for allowed, one in zip(field.allowed, field.preferences, strict=True)
    ]


def _class_of(field: Field, place: int) -> int:
    preference = field.preferences[place]
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


def _span(places: range) -> int:
    return (1 << places.stop) - (1 << places.start)
