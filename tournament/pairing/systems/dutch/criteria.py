"""The quality criteria C6 to C21 of C.04.3 article 2.4, as amounts that pairs and floats add up.

A bracket's pairing is better when its first differing total is smaller, in the order of the
bracket's `terms`. Criteria that compare sorted lists (C7, C8, C18 to C21) become one term for each
score among the moved-down players, the highest first, which orders the lists alike.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.seat_preferences import SeatPreference, Strength


class Criterion(StrEnum):
    """The articles 2.4.1 to 2.4.16 by their old and common names."""

    C6 = "C6"
    C7 = "C7"
    C8_FLOATERS = "C8 floaters"
    C8_SCORES = "C8 scores"
    C9 = "C9"
    C10 = "C10"
    C11 = "C11"
    C12 = "C12"
    C13 = "C13"
    C14 = "C14"
    C15 = "C15"
    C16 = "C16"
    C17 = "C17"
    C18 = "C18"
    C19 = "C19"
    C20 = "C20"
    C21 = "C21"


@dataclass(frozen=True, slots=True)
class Term:
    """One number to make small: a criterion, the tier it is about, and the most it can come to.

    Tier 0 is the residents', tier 1 that of the moved-down players nearest to them in score.
    """

    criterion: Criterion
    tier: int
    most: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What the criteria ask of one player of a bracket; players of equal standing cost the same."""

    tier: int
    preference: SeatPreference
    is_topscorer: bool
    downfloats: tuple[bool, bool]
    upfloats: tuple[bool, bool]
    unplayed: int


Costs = tuple[tuple[int, int], ...]
"""What a pair or a float adds: (index of the term, amount)."""


class Bracket:
    """The players of one bracket and how its criteria add up.

    `moved` and `residents` are places in the field, in order: the places in `members` are the
    BSNs less one. `below` are the residents of the next bracket when C8 is to be weighed, and
    `has_bye` tells that the bye goes to one of all these.
    """

    def __init__(
        self,
        field: Field,
        moved: Sequence[int],
        residents: Sequence[int],
        *,
        below: Sequence[int] = (),
        has_bye: bool = False,
    ):
        self.field = field
        self.members = [*moved, *residents]
        self.moved = len(moved)
        self.below = below
        self.has_bye = has_bye
        scores = sorted({field.scores[place] for place in moved})
        self._tiers = {score: tier for tier, score in enumerate(scores, start=1)}
        self.standings = [self._standing(place) for place in self.members]
        self.terms = tuple(self._terms())
        self._index = {(term.criterion, term.tier): i for i, term in enumerate(self.terms)}

    def pair(self, one: Profile, other: Profile) -> Costs:
        """Give what a pair inside the bracket adds."""
        mine, theirs = one.preference, other.preference
        amounts = []
        if mine.seat is not None and mine.seat is theirs.seat:
            amounts.append((Criterion.C12, 0))
            if min(mine.strength, theirs.strength) >= Strength.STRONG:
                amounts.append((Criterion.C13, 0))
            if (one.is_topscorer or other.is_topscorer) and mine.clashes_absolutely(theirs):
                amounts += _topscorer_faults(mine, theirs)
        if one.tier != other.tier:
            higher, lower = (one, other) if one.tier > other.tier else (other, one)
            if lower.upfloats[0]:
                amounts += [(Criterion.C15, 0), (Criterion.C19, higher.tier)]
            if lower.upfloats[1]:
                amounts += [(Criterion.C17, 0), (Criterion.C21, higher.tier)]
        return self._costs(amounts)

    def float(self, one: Profile, *, beyond_next: bool, with_bye: bool = False) -> Costs:
        """Give what a player adds who floats down, to the next bracket or through it."""
        amounts = [(Criterion.C6, 0)]
        if one.tier:
            amounts.append((Criterion.C7, one.tier))
        if beyond_next:
            amounts += [(Criterion.C8_FLOATERS, 0), (Criterion.C8_SCORES, one.tier)]
        for index, has_floated in enumerate(one.downfloats):
            if not has_floated:
                continue
            if one.tier:
                amounts.append(((Criterion.C18, Criterion.C20)[index], one.tier))
            else:
                amounts.append(((Criterion.C14, Criterion.C16)[index], 0))
        costs = self._costs(amounts)
        if with_bye and one.unplayed:
            costs += ((self._index[Criterion.C9, 0], one.unplayed),)
        return costs

    def float_of_next(self) -> Costs:
        """Give what a resident of the next bracket adds who floats from there."""
        return self._costs([(Criterion.C8_FLOATERS, 0)])

    def _costs(self, amounts: Iterable[tuple[Criterion, int]]) -> Costs:
        return tuple((self._index[amount], 1) for amount in amounts)

    def _standing(self, place: int) -> Profile:
        field = self.field
        preference = field.seat_preferences[place]
        if not field.topscorers:
            preference = SeatPreference(preference.seat, preference.strength, 0, None)
        return Profile(
            tier=self._tiers.get(field.scores[place], 0),
            preference=preference,
            is_topscorer=bool(field.topscorers >> place & 1),
            downfloats=(
                bool(field.downfloats[0] >> place & 1),
                bool(field.downfloats[1] >> place & 1),
            ),
            upfloats=(bool(field.upfloats[0] >> place & 1), bool(field.upfloats[1] >> place & 1)),
            unplayed=field.unplayed[place] if self.has_bye else 0,
        )

    def _terms(self) -> Iterator[Term]:
        """List the terms with their bounds, the weightiest first."""
        size, pairs = len(self.members), len(self.members) // 2
        residents = [one for one in self.standings if not one.tier]
        tiers = sorted(self._tiers.values(), reverse=True)
        peers = {tier: sum(one.tier == tier for one in self.standings) for tier in [*tiers, 0]}
        floated = [
            {
                tier: sum(one.downfloats[i] for one in self.standings if one.tier == tier)
                for tier in peers
            }
            for i in (0, 1)
        ]
        risen = [sum(one.upfloats[i] for one in residents) for i in (0, 1)]
        tops = min(pairs, sum(one.is_topscorer for one in self.standings))
        yield Term(Criterion.C6, 0, size)
        for tier in tiers:
            yield Term(Criterion.C7, tier, peers[tier])
        if self.below:
            yield Term(Criterion.C8_FLOATERS, 0, size + len(self.below))
            for tier in peers:
                yield Term(Criterion.C8_SCORES, tier, peers[tier])
        if self.has_bye:
            yield Term(Criterion.C9, 0, max(one.unplayed for one in self.standings))
        yield Term(Criterion.C10, 0, tops)
        yield Term(Criterion.C11, 0, tops)
        yield Term(Criterion.C12, 0, pairs)
        yield Term(Criterion.C13, 0, pairs)
        yield Term(Criterion.C14, 0, floated[0][0])
        yield Term(Criterion.C15, 0, min(self.moved, risen[0]))
        yield Term(Criterion.C16, 0, floated[1][0])
        yield Term(Criterion.C17, 0, min(self.moved, risen[1]))
        for criterion, bounds in (
            (Criterion.C18, floated[0]),
            (Criterion.C19, {tier: min(peers[tier], risen[0]) for tier in tiers}),
            (Criterion.C20, floated[1]),
            (Criterion.C21, {tier: min(peers[tier], risen[1]) for tier in tiers}),
        ):
            for tier in tiers:
                yield Term(criterion, tier, bounds[tier])


def _topscorer_faults(
    one: SeatPreference, other: SeatPreference
) -> Iterator[tuple[Criterion, int]]:
    """Tell what it costs that one of two absolute preferences is not granted (C10 and C11).

    The wider difference is granted (5.2.2), so the narrower one grows.
    """
    if min(abs(one.difference), abs(other.difference)) > 1:
        yield Criterion.C10, 0
    if abs(one.difference) == abs(other.difference):
        has_third = one.repeated is not None and one.repeated is other.repeated
    else:
        denied = one if abs(one.difference) < abs(other.difference) else other
        has_third = denied.repeated is not None and denied.repeated is not denied.seat
    if has_third:
        yield Criterion.C11, 0
