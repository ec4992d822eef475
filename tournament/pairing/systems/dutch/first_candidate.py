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

from games.rules.seat import Seat
from tournament.pairing.matching import Matching, Unmatched, bits
from tournament.pairing.systems.dutch.balance import Balance, Classes
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.seat_preferences import Strength

STEPS_A_PLAYER = 20


@dataclass(frozen=True, slots=True)
class Folded:
    """A bracket's pairs as (higher, lower) places, and who is left over, if anybody."""

    pairs: list[tuple[int, int]]
    left_over: int | None


class Fold:
    """Folds one bracket after another of a field."""

    def __init__(self, field: Field):
        self.field = field
        self.classes = Classes(field)
        self.allowed = _without_clashes(field)

    def fold(self, moved: Sequence[int], residents: range, may_be_left: int) -> Folded | None:
        """Give the first perfect candidate; None when it is not found or not certain.

        `may_be_left` is the set of residents one of whom may be left over from an odd bracket; of
        these it will be one for whom C14 and C16 count least.
        """
        if len(moved) > len(residents):
            return None
        everybody = _span(residents)
        search = _Search(self.allowed, Balance(self.classes, (*moved, *residents)))
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
    """A depth-first search for the first assignment that keeps the balance at its bounds."""

    def __init__(self, allowed: list[int], balance: Balance):
        self.allowed = allowed
        self.balance = balance
        self.steps = 200 + STEPS_A_PLAYER * sum(balance.counts)

    def pair_halves(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Pair the halves of a bracket; where that takes many steps, with a matching at hand."""
        counts = list(self.balance.counts)
        found = self.pair(uppers, pool, may_be_left)
        if found is None and not self.steps:
            self.balance.counts = counts
            found = self._pair_guided(uppers, pool, may_be_left)
        return found

    def _pair_guided(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Give each upper player the first partner that leaves a matching of all the others.

        Every refusal is certain, so that what is found is the first of all; when the counts of
        seats and the matching cannot be had together nothing is found.
        """
        allowed, balance = self.allowed, self.balance
        vertex = {place: index for index, place in enumerate(bits(pool), start=len(uppers))}
        graph = [0] * (len(uppers) + len(vertex))
        for index, upper in enumerate(uppers):
            for lower in bits(pool & allowed[upper] & balance.affordable(upper)):
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
            for lower in bits(pool & allowed[upper] & balance.affordable(upper)):
                if matching.settle(index, vertex[lower]):
                    break
            else:
                return None
            pairs.append((upper, lower))
            pool ^= 1 << lower
            balance.take(upper, lower)
        return pairs

    def pair(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Give each upper player the first partner of the pool that lets all others have one."""
        allowed, balance = self.allowed, self.balance
        chosen: list[int] = []
        open_choices: list[int] = []
        if not uppers:
            return [] if may_be_left is None or pool & may_be_left else None
        open_choices.append(pool & allowed[uppers[0]] & balance.affordable(uppers[0]))
        while open_choices:
            choices = open_choices[-1]
            if not choices:
                open_choices.pop()
                if chosen:
                    lower = chosen.pop()
                    pool |= 1 << lower
                    balance.put_back(uppers[len(chosen)], lower)
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
            balance.take(uppers[len(chosen)], lower)
            chosen.append(lower)
            pool ^= low
            if len(chosen) == len(uppers):
                return list(zip(uppers, chosen, strict=True))
            upper = uppers[len(chosen)]
            open_choices.append(pool & allowed[upper] & balance.affordable(upper))
        return None


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
            for place, one in enumerate(field.seat_preferences)
            if one.seat is seat and one.strength is Strength.ABSOLUTE
        )
        for seat in Seat
    }
    return [
        allowed & ~absolute[one.seat]
        if one.seat is not None and one.strength is Strength.ABSOLUTE
        else allowed
        for allowed, one in zip(field.allowed, field.seat_preferences, strict=True)
    ]


def _span(places: range) -> int:
    return (1 << places.stop) - (1 << places.start)
