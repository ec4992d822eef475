"""Pair a round of the FIDE Dutch system, bracket by bracket (C.04.3, in force from 2026-02-01).

C.04.1 (the bye), C.04.2 (late entries, boards) and the virtual points of C.04.7 come with the
crosstable. Each bracket first tries its first candidate. If that is not certainly the best, the
bracket is optimised together with as few of the following score groups as are needed for a proof.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rules.seat import Seat
from tournament.pairing.deadline import check_time
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems.dutch.bracket import optimise
from tournament.pairing.systems.dutch.bye import choose_bye_group
from tournament.pairing.systems.dutch.completion import Completion
from tournament.pairing.systems.dutch.field import Field, field_of
from tournament.pairing.systems.dutch.first_candidate import FirstCandidates
from tournament.pairing.systems.dutch.seats import decide_seat, order_boards

DEPTHS = (0, 1, 3)
"""The numbers of following score groups to include before all of them are included."""


def pair_dutch(request: PairingRequest) -> Pairings:
    """Pair a round; raises NoLegalPairing naming the players who block."""
    field = field_of(request)
    brackets = list(RoundInProgress(field).brackets())
    boards = []
    for higher, lower in order_boards(field, [pair for b in brackets for pair in b.pairs]):
        seat, _ = decide_seat(field, higher, lower)
        pair = (field.numbers[higher], field.numbers[lower])
        boards.append(pair if seat is Seat.FIRST else pair[::-1])
    bye = bye_of(brackets)
    return Pairings(tuple(boards), None if bye is None else field.numbers[bye])


@dataclass(frozen=True, slots=True)
class PairedBracket:
    """A paired bracket: its players, pairs, downfloaters and the player who has the bye."""

    index: int
    moved: list[int]
    residents: range
    pairs: list[tuple[int, int]]
    floaters: list[int]
    bye: int | None


def bye_of(brackets: Sequence[PairedBracket]) -> int | None:
    """Return the place of the player who has the bye in one of the brackets."""
    return next((bracket.bye for bracket in brackets if bracket.bye is not None), None)


class RoundInProgress:
    """Pairs the score groups of a field from the top.

    `bye_group` is the index of the group that has the bye (C5), or None. Raises NoLegalPairing.
    """

    def __init__(self, field: Field):
        self.field = field
        self.groups = field.groups
        self.bye_group, self.bye_candidates = choose_bye_group(field)
        self.completion = Completion(field, self.bye_candidates)
        self.first_candidates = FirstCandidates(field)
        self.bye: int | None = None

    def brackets(
        self, start: int = 0, moved: Sequence[int] = (), bye: int | None = None
    ) -> Iterator[PairedBracket]:
        """Pair bracket by bracket, from the start or from a round in progress."""
        self.bye = bye
        floaters = list(moved)
        for index in range(start, len(self.groups)):
            bracket = self._pair_bracket(index, floaters, self.groups[index])
            floaters = bracket.floaters
            self.bye = self.bye if bracket.bye is None else bracket.bye
            yield bracket
        assert not floaters

    def can_continue(self, start: int, moved: Sequence[int], bye: int | None) -> bool:
        """Return True if a round in progress can be completed."""
        is_due = bye is None and self.bye_group is not None
        return self.completion.can_pair_from(self.groups[start].start, moved, has_bye=is_due)

    def _is_bye_due_by(self, index: int) -> bool:
        """Return True if the bye is not chosen yet and belongs to this bracket or one above."""
        return self.bye is None and self.bye_group is not None and self.bye_group <= index

    def _pair_bracket(self, index: int, moved: list[int], group: range) -> PairedBracket:
        check_time()
        has_bye = self._is_bye_due_by(index)
        is_last = index + 1 == len(self.groups)
        if not moved and len(group) == 1 and not is_last and not has_bye:
            return PairedBracket(index, [], group, [], list(group), None)
        return self._first_candidate(index, moved, group) or self._optimise(index, moved, group)

    def _first_candidate(self, index: int, moved: list[int], group: range) -> PairedBracket | None:
        has_bye = self._is_bye_due_by(index)
        is_odd = (len(moved) + len(group)) % 2
        is_last = index + 1 == len(self.groups)
        if has_bye and (not is_odd or self.bye_group != index):
            return None
        if is_last and is_odd and not has_bye:
            return None
        may_be_left = (1 << group.stop) - (1 << group.start)
        if has_bye:
            candidates = [place for place in group if self.bye_candidates >> place & 1]
            fewest = min(self.field.unplayed[place] for place in candidates)
            may_be_left = sum(
                1 << place for place in candidates if self.field.unplayed[place] == fewest
            )
        candidate = self.first_candidates.find(moved, group, may_be_left)
        if candidate is None:
            return None
        left_over = [] if candidate.left_over is None else [candidate.left_over]
        bye = candidate.left_over if has_bye else None
        floaters = [] if has_bye else left_over
        if not self._is_proven(index, moved, floaters, bye):
            return None
        return PairedBracket(index, moved, group, candidate.pairs, floaters, bye)

    def _is_proven(
        self, index: int, moved: list[int], floaters: list[int], bye: int | None
    ) -> bool:
        """Return True if the rest can be paired and the floaters leave the next bracket at best."""
        is_due = self.bye is None and bye is None and self.bye_group is not None
        if is_due and self._is_bye_due_by(index):
            return False
        if not floaters:
            return self.completion.can_pair_from(self.groups[index].stop, has_bye=is_due)
        is_next = is_due and self.bye_group == index + 1
        return self.completion.is_next_at_best(
            self.groups[index],
            moved,
            self.groups[index + 1],
            floaters,
            has_bye=bye is not None,
            has_bye_next=is_next,
            has_bye_later=is_due and not is_next,
        )

    def _optimise(self, index: int, moved: list[int], group: range) -> PairedBracket:
        following = len(self.groups) - index - 1
        has_bye_later = self.bye is None and self.bye_group is not None
        completion = self.completion
        for depth in [*(d for d in DEPTHS if d < following), following]:
            below = self.groups[index + 1 : index + 1 + depth]
            stop = self.groups[index + depth].stop
            has_bye = self._is_bye_due_by(index + depth)
            has_bye_below = has_bye_later and not has_bye
            needed, scarce = self.completion.needed_floaters(stop, has_bye=has_bye_below)
            if needed > 1:
                if completion is self.completion:
                    completion = completion.without_pairs_of_rivals(
                        group.start, moved, scarce, has_bye=has_bye_later
                    )
                graph = range(group.start, stop)
                if completion.unmatched(graph, moved, has_bye=has_bye)[0] >= needed:
                    needed = 0  # They float in any case.
            best = optimise(
                completion.field,
                moved,
                group,
                below,
                bye_candidates=self.bye_candidates if has_bye else 0,
                is_open=depth < following,
                needed=(needed, scarce),
            )
            if depth == following:
                is_proven = True
            elif depth:
                is_proven = self.completion.can_pair_from(stop, best.beyond, has_bye=has_bye_below)
            else:
                is_proven = self._is_proven(index, moved, best.floaters, best.bye)
            if is_proven:
                return PairedBracket(index, moved, group, best.pairs, best.floaters, best.bye)
        raise AssertionError("the last depth includes all score groups")
