"""A round of the FIDE Dutch system: C.04.3 as in force from 2026-02-01, bracket by bracket.

With it go C.04.1 (who may have the bye), C.04.2 (late entries, boards) and the virtual points of
C.04.7, which the crosstable brings. Every bracket is first folded; where no perfect candidate is
found it is optimised over as few of the following score groups as prove enough.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rules.seat import Seat
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.matching import Matching, Unmatched, bits
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems.dutch.bracket import optimise
from tournament.pairing.systems.dutch.completion import Completion
from tournament.pairing.systems.dutch.field import Field, field_of
from tournament.pairing.systems.dutch.first_candidate import Fold
from tournament.pairing.systems.dutch.seats import allocate, boards

DEPTHS = (0, 1, 3)
"""How many of the following score groups are looked into before all of them are."""


def pair_dutch(request: PairingRequest) -> Pairings:
    """Pair a round; raises NoLegalPairing naming the players who block."""
    field = field_of(request)
    pairs, bye = pair_field(field)
    seated = []
    for higher, lower in boards(field, pairs):
        seat, _ = allocate(field, higher, lower)
        pair = (field.numbers[higher], field.numbers[lower])
        seated.append(pair if seat is Seat.FIRST else pair[::-1])
    return Pairings(tuple(seated), None if bye is None else field.numbers[bye])


def pair_field(field: Field) -> tuple[list[tuple[int, int]], int | None]:
    """Give the pairs of a round and the taker of the bye, in places of the field."""
    pairs: list[tuple[int, int]] = []
    bye = None
    for bracket in RoundInProgress(field).brackets():
        pairs += bracket.pairs
        bye = bye if bracket.bye is None else bracket.bye
    return pairs, bye


@dataclass(frozen=True, slots=True)
class PairedBracket:
    """A bracket that is done: who was in it, its pairs, who floats on and who has the bye."""

    index: int
    moved: list[int]
    residents: range
    pairs: list[tuple[int, int]]
    floaters: list[int]
    bye: int | None


class RoundInProgress:
    """Pairs a field from its first score group down.

    `bye_group` is the index of the group the bye's taker comes from (C5), None when no bye is
    due. Raises NoLegalPairing.
    """

    def __init__(self, field: Field):
        self.field = field
        self.groups = field.groups
        self.bye_group, self.bye_candidates = _bye_group(field)
        self.completion = Completion(field, self.bye_candidates)
        self.folds = Fold(field)
        self.bye: int | None = None

    def brackets(
        self, start: int = 0, moved: Sequence[int] = (), bye: int | None = None
    ) -> Iterator[PairedBracket]:
        """Pair bracket by bracket, from the start or from where a round stands."""
        self.bye = bye
        floaters = list(moved)
        for index in range(start, len(self.groups)):
            bracket = self._pair_bracket(index, floaters, self.groups[index])
            floaters = bracket.floaters
            self.bye = self.bye if bracket.bye is None else bracket.bye
            yield bracket
        assert not floaters

    def can_go_on(self, start: int, moved: Sequence[int], bye: int | None) -> bool:
        """Whether a round can be completed from where it stands."""
        is_due = bye is None and self.bye_group is not None
        return self.completion.rest(self.groups[start].start, moved, bye=is_due)

    def _is_bye_due_by(self, index: int) -> bool:
        """Whether the bye is still to be given, in this bracket or above."""
        return self.bye is None and self.bye_group is not None and self.bye_group <= index

    def _pair_bracket(self, index: int, moved: list[int], group: range) -> PairedBracket:
        has_bye = self._is_bye_due_by(index)
        is_last = index + 1 == len(self.groups)
        if not moved and len(group) == 1 and not is_last and not has_bye:
            return PairedBracket(index, [], group, [], list(group), None)
        return self._fold(index, moved, group) or self._optimise(index, moved, group)

    def _fold(self, index: int, moved: list[int], group: range) -> PairedBracket | None:
        has_bye = self._is_bye_due_by(index)
        is_odd = (len(moved) + len(group)) % 2
        is_last = index + 1 == len(self.groups)
        if has_bye and (not is_odd or self.bye_group != index):
            return None
        if is_last and is_odd and not has_bye:
            return None
        may_be_left = (1 << group.stop) - (1 << group.start)
        if has_bye:
            bye_candidates = [place for place in group if self.bye_candidates >> place & 1]
            fewest = min(self.field.unplayed[place] for place in bye_candidates)
            may_be_left = sum(
                1 << place for place in bye_candidates if self.field.unplayed[place] == fewest
            )
        folded = self.folds.fold(moved, group, may_be_left)
        if folded is None:
            return None
        bye = folded.left_over if has_bye else None
        floaters = [folded.left_over] if folded.left_over is not None and not has_bye else []
        if not self._goes_on(index, floaters, bye):
            return None
        return PairedBracket(index, moved, group, folded.pairs, floaters, bye)

    def _goes_on(self, index: int, floaters: list[int], bye: int | None) -> bool:
        """Whether those below can be completed and floaters leave the next bracket at its best."""
        is_due = self.bye is None and bye is None and self.bye_group is not None
        if is_due and self._is_bye_due_by(index):
            return False
        if not floaters:
            return self.completion.rest(self.groups[index].stop, bye=is_due)
        is_next = is_due and self.bye_group == index + 1
        return self.completion.next_at_best(
            self.groups[index + 1], floaters, bye_next=is_next, bye_later=is_due and not is_next
        )

    def _optimise(self, index: int, moved: list[int], group: range) -> PairedBracket:
        following = len(self.groups) - index - 1
        for depth in [*(d for d in DEPTHS if d < following), following]:
            below = self.groups[index + 1 : index + 1 + depth]
            best = optimise(
                self.field,
                moved,
                group,
                below,
                bye_candidates=self.bye_candidates if self._is_bye_due_by(index + depth) else 0,
                is_open=depth < following,
            )
            if depth == following:
                is_proven = True
            elif depth:
                bye_below = self.bye is None and self.bye_group is not None
                bye_below = bye_below and not self._is_bye_due_by(index + depth)
                is_proven = self.completion.rest(below[-1].stop, best.beyond, bye=bye_below)
            else:
                is_proven = self._goes_on(index, best.floaters, best.bye)
            if is_proven:
                return PairedBracket(index, moved, group, best.pairs, best.floaters, best.bye)
        raise AssertionError("the last depth proves itself")


def _bye_group(field: Field) -> tuple[int | None, int]:
    """Fix the score of the bye's taker (C5): the group's index and those in it who may have it.

    Raises NoLegalPairing.
    """
    if len(field.numbers) % 2 == 0:
        if not Completion(field, 0).rest(0):
            raise _no_pairing(field)
        return None, 0
    for index in reversed(range(len(field.groups))):
        group = field.groups[index]
        bye_candidates = field.bye_candidates & ((1 << group.stop) - (1 << group.start))
        if bye_candidates and Completion(field, bye_candidates).rest(0, bye=True):
            return index, bye_candidates
    raise _no_pairing(field)


def _no_pairing(field: Field) -> NoLegalPairing:
    graph = list(field.allowed)
    if len(graph) % 2:
        for place in bits(field.bye_candidates):
            graph[place] |= 1 << len(field.numbers)
        graph.append(field.bye_candidates)
        if not field.bye_candidates:
            detail = "the number of players is odd, and every one of them has had a bye"
            return NoLegalPairing(detail, tuple(sorted(field.numbers)))
    try:
        Matching(graph)
    except Unmatched as blocked:
        names = [
            sorted(field.numbers[place] for place in some if place < len(field.numbers))
            for some in (blocked.outer, blocked.inner)
        ]
        detail = f"players {', '.join(map(str, names[0]))} cannot all be paired with each other"
        if len(field.numbers) in blocked.inner:
            names[1].append(0)
        if names[1]:
            shared = (str(number) if number else "the bye" for number in names[1])
            detail += f" and with {', '.join(shared)}"
        return NoLegalPairing(detail, tuple(names[0]))
    raise AssertionError("a field that can be paired")
