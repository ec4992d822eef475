"""The first candidate of a bracket, if no other candidate can be better.

Moved-down players meet the first residents they can; then the upper half of the other residents
meets the lower half, in the lexicographic order of articles 3.6 and 4.2. The numbers of seat
preferences are lower bounds for C12 and C13 (`balance`). A candidate that reaches these bounds,
lets as few players float as possible and costs no more under any other criterion than it must is
perfect. The first perfect candidate is the pairing. If the search does not find one in few steps,
the bracket has to be optimised.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.seat import Seat
from tournament.pairing.matching import Matching, Unmatched, bits
from tournament.pairing.systems.dutch.balance import Balance, Classes
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.seat_preferences import Strength

STEPS_PER_PLAYER = 20
MOST_EXCHANGES = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """The pairs of a bracket as (higher, lower) places, and the player left over, if any."""

    pairs: list[tuple[int, int]]
    left_over: int | None


class _Unproven(Exception):
    """Neither a candidate nor a proof that there is none has been found."""


class FirstCandidates:
    """Finds the first candidates of the brackets of a field."""

    def __init__(self, field: Field):
        self.field = field
        self.classes = Classes(field)
        self.allowed = _without_seat_clashes(field)

    def find(self, moved: Sequence[int], residents: range, may_be_left: int) -> Candidate | None:
        """Return the first perfect candidate; None if there is none or the search is too long.

        In an odd bracket, one of the residents `may_be_left` is left over, one for whom C14 and C16
        count least among those who keep C12 and C13 at their bounds.
        """
        if len(moved) > len(residents):
            return None
        free = (1 << residents.stop) - (1 << residents.start)
        search = _CandidateSearch(self.allowed, Balance(self.classes, (*moved, *residents)))
        # C12 and C13 are more important than C14 to C17.
        may_be_left &= search.balance.can_be_left()
        opponents = free
        if len(moved) == 1:
            opponents &= self.allowed[moved[0]] & search.balance.affordable(moved[0])
        moved_pairs = search.pair(moved, self._least_risen(moved, opponents), None)
        if moved_pairs is None:
            return None
        for _, lower in moved_pairs:
            free &= ~(1 << lower)
        remainder = [place for place in residents if free >> place & 1]
        half = len(remainder) // 2
        for place in remainder[:half]:
            free &= ~(1 << place)
        is_odd = len(remainder) % 2
        left = _least_floated(may_be_left, self.field.downfloats) if is_odd else None
        try:
            if left is None or left & free:
                resident_pairs = search.pair_halves(remainder[:half], free, left)
            else:
                resident_pairs = search.pair_with_exchange(remainder, left)
        except _Unproven:
            return None
        if resident_pairs is None:
            return None
        left_over = set(remainder).difference(*resident_pairs)
        return Candidate(moved_pairs + resident_pairs, left_over.pop() if is_odd else None)

    def _least_risen(self, moved: Sequence[int], opponents: int) -> int:
        """Return the opponents for whom C15 and C17 count least against moved-down players."""
        if len(moved) == 1:
            return _least_floated(opponents, self.field.upfloats)
        return opponents & ~(self.field.upfloats[0] | self.field.upfloats[1])


class _CandidateSearch:
    """A depth-first search for the first assignment that keeps C12 and C13 at their bounds."""

    def __init__(self, allowed: list[int], balance: Balance):
        self.allowed = allowed
        self.balance = balance
        self.steps = 200 + STEPS_PER_PLAYER * sum(balance.counts)

    def pair_halves(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Pair the halves of a bracket; if that takes too many steps, use a matching."""
        if may_be_left is not None:
            may_be_left &= self.balance.can_be_left()
        counts = list(self.balance.counts)
        pairs = self.pair(uppers, pool, may_be_left)
        if pairs is None and not self.steps:
            self.balance.counts = counts
            pairs = self._pair_with_matching(uppers, pool, may_be_left)
        return pairs

    def pair_with_exchange(
        self, remainder: Sequence[int], may_be_left: int
    ) -> list[tuple[int, int]] | None:
        """Pair the halves if the player left over must come from the upper half.

        Then at least that player is exchanged. The exchanges of one player are tried in their
        order: the smallest difference first, then the lowest player who leaves the upper half.
        Raises _Unproven if one of them may have a candidate that was not found.
        """
        half = len(remainder) // 2
        rank = {place: index for index, place in enumerate(remainder)}
        leaving = [place for place in remainder[:half] if may_be_left >> place & 1]
        exchanges = sorted(
            (rank[entering] - rank[out], -rank[out], out, entering)
            for out in leaving
            for entering in remainder[half : half + MOST_EXCHANGES]
        )
        for _, _, out, entering in exchanges[:MOST_EXCHANGES]:
            self.steps = 200 + STEPS_PER_PLAYER * len(remainder)
            counts = list(self.balance.counts)
            uppers = sorted({*remainder[:half], entering} - {out})
            pool = sum(1 << place for place in {*remainder[half:], out} - {entering})
            pairs = self.pair_halves(uppers, pool, 1 << out)
            if pairs is not None:
                return pairs
            self.balance.counts = counts
        return None

    def _pair_with_matching(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Give each upper player the first partner that leaves a matching of all the others.

        A partner is rejected only if no candidate has the pair, so the result is the first of all
        candidates. Return None if there are none; raises _Unproven if the bounds and the matching
        cannot be combined.
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
                raise _Unproven
            pairs.append((upper, lower))
            pool ^= 1 << lower
            balance.remove(upper, lower)
        return pairs

    def pair(
        self, uppers: Sequence[int], pool: int, may_be_left: int | None
    ) -> list[tuple[int, int]] | None:
        """Give each upper player the first partner that leaves partners for the others."""
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
                    balance.restore(uppers[len(chosen)], lower)
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
            balance.remove(uppers[len(chosen)], lower)
            chosen.append(lower)
            pool ^= low
            if len(chosen) == len(uppers):
                return list(zip(uppers, chosen, strict=True))
            upper = uppers[len(chosen)]
            open_choices.append(pool & allowed[upper] & balance.affordable(upper))
        return None


def _least_floated(players: int, floats: tuple[int, int]) -> int:
    """Return the players who floated in neither of the last two rounds, or else longest ago."""
    last, second_last = floats
    for best in (
        players & ~last & ~second_last,
        players & ~last & second_last,
        players & last & ~second_last,
    ):
        if best:
            return best
    return players


def _without_seat_clashes(field: Field) -> list[int]:
    """Return the allowed opponents who cost nothing under C10 and C11.

    Two players with the same absolute preference meet only if one is a topscorer, and then one of
    the two criteria always counts: the player who is not granted theirs either widens a difference
    of two or more, or has the same seat for the third time.
    """
    if not field.topscorers:
        return field.allowed
    absolute = {
        seat: sum(
            1 << place
            for place, preference in enumerate(field.seat_preferences)
            if preference.seat is seat and preference.strength is Strength.ABSOLUTE
        )
        for seat in Seat
    }
    return [
        allowed & ~absolute[preference.seat]
        if preference.seat is not None and preference.strength is Strength.ABSOLUTE
        else allowed
        for allowed, preference in zip(field.allowed, field.seat_preferences, strict=True)
    ]
