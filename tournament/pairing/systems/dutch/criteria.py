"""The quality criteria C6 to C21 of C.04.3 article 2.4, as amounts that pairs and floats add.

A pairing of a bracket is better if its first differing total is smaller, in the order of the
`objectives` of the bracket. Criteria that compare sorted lists (C7, C8, C18 to C21) have one
objective for each score of the moved-down players, the highest first; this compares the lists.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.seat_preferences import SeatPreference, Strength


class Criterion(StrEnum):
    """The articles 2.4.1 to 2.4.16 by their common names."""

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
class Objective:
    """A total to minimise: a criterion, the tier it counts, and an upper bound.

    Tier 0 are the residents, tier 1 the moved-down players nearest to them in score.
    """

    criterion: Criterion
    tier: int
    most: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What the criteria use of a player in a bracket; players of equal profile cost the same."""

    tier: int
    seat_preference: SeatPreference
    is_topscorer: bool
    downfloats: tuple[bool, bool]
    upfloats: tuple[bool, bool]
    unplayed: int


Costs = tuple[tuple[int, int], ...]
"""What a pair or a float adds: (index of the objective, amount)."""


class Bracket:
    """The players of a bracket and the costs of its pairs and floats.

    `moved` and `residents` are places in the field, in order; the index of a place in `members` is
    its BSN minus one. `below` are the residents of the next bracket if C8 counts. `has_bye` is True
    if one of all these players has the bye.
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
        self.profiles = [self._profile(place) for place in self.members]
        self.objectives = tuple(self._objectives())
        self._index = {(o.criterion, o.tier): i for i, o in enumerate(self.objectives)}

    def pair_costs(self, a: Profile, b: Profile) -> Costs:
        """Return what a pair in the bracket adds."""
        own, other = a.seat_preference, b.seat_preference
        amounts = []
        if own.seat is not None and own.seat is other.seat:
            amounts.append((Criterion.C12, 0))
            if min(own.strength, other.strength) >= Strength.STRONG:
                amounts.append((Criterion.C13, 0))
            if (a.is_topscorer or b.is_topscorer) and own.clashes_absolutely(other):
                amounts += _topscorer_costs(own, other)
        if a.tier != b.tier:
            higher, lower = (a, b) if a.tier > b.tier else (b, a)
            if lower.upfloats[0]:
                amounts += [(Criterion.C15, 0), (Criterion.C19, higher.tier)]
            if lower.upfloats[1]:
                amounts += [(Criterion.C17, 0), (Criterion.C21, higher.tier)]
        return self._costs(amounts)

    def float_costs(self, player: Profile, *, beyond_next: bool, with_bye: bool = False) -> Costs:
        """Return what a player adds who floats to the next bracket, or through it."""
        amounts = [(Criterion.C6, 0)]
        if player.tier:
            amounts.append((Criterion.C7, player.tier))
        if beyond_next:
            amounts += [(Criterion.C8_FLOATERS, 0), (Criterion.C8_SCORES, player.tier)]
        for index, has_floated in enumerate(player.downfloats):
            if not has_floated:
                continue
            if player.tier:
                amounts.append(((Criterion.C18, Criterion.C20)[index], player.tier))
            else:
                amounts.append(((Criterion.C14, Criterion.C16)[index], 0))
        costs = self._costs(amounts)
        if with_bye and player.unplayed:
            costs += ((self._index[Criterion.C9, 0], player.unplayed),)
        return costs

    def next_float_costs(self) -> Costs:
        """Return what a resident of the next bracket adds who floats from there."""
        return self._costs([(Criterion.C8_FLOATERS, 0)])

    def _costs(self, amounts: Iterable[tuple[Criterion, int]]) -> Costs:
        return tuple((self._index[amount], 1) for amount in amounts)

    def _profile(self, place: int) -> Profile:
        field = self.field
        preference = field.seat_preferences[place]
        if not field.topscorers:
            preference = SeatPreference(preference.seat, preference.strength, 0, None)
        return Profile(
            tier=self._tiers.get(field.scores[place], 0),
            seat_preference=preference,
            is_topscorer=bool(field.topscorers >> place & 1),
            downfloats=(
                bool(field.downfloats[0] >> place & 1),
                bool(field.downfloats[1] >> place & 1),
            ),
            upfloats=(bool(field.upfloats[0] >> place & 1), bool(field.upfloats[1] >> place & 1)),
            unplayed=field.unplayed[place] if self.has_bye else 0,
        )

    def _objectives(self) -> Iterator[Objective]:
        """Yield the objectives with their bounds, the most important first."""
        size, pairs = len(self.members), len(self.members) // 2
        residents = [profile for profile in self.profiles if not profile.tier]
        tiers = sorted(self._tiers.values(), reverse=True)
        players = {tier: sum(p.tier == tier for p in self.profiles) for tier in [*tiers, 0]}
        floated = [
            {
                tier: sum(p.downfloats[i] for p in self.profiles if p.tier == tier)
                for tier in players
            }
            for i in (0, 1)
        ]
        risen = [sum(profile.upfloats[i] for profile in residents) for i in (0, 1)]
        topscorers = min(pairs, sum(profile.is_topscorer for profile in self.profiles))
        yield Objective(Criterion.C6, 0, size)
        for tier in tiers:
            yield Objective(Criterion.C7, tier, players[tier])
        if self.below:
            yield Objective(Criterion.C8_FLOATERS, 0, size + len(self.below))
            for tier in players:
                yield Objective(Criterion.C8_SCORES, tier, players[tier])
        if self.has_bye:
            yield Objective(Criterion.C9, 0, max(profile.unplayed for profile in self.profiles))
        yield Objective(Criterion.C10, 0, topscorers)
        yield Objective(Criterion.C11, 0, topscorers)
        yield Objective(Criterion.C12, 0, pairs)
        yield Objective(Criterion.C13, 0, pairs)
        yield Objective(Criterion.C14, 0, floated[0][0])
        yield Objective(Criterion.C15, 0, min(self.moved, risen[0]))
        yield Objective(Criterion.C16, 0, floated[1][0])
        yield Objective(Criterion.C17, 0, min(self.moved, risen[1]))
        for criterion, bounds in (
            (Criterion.C18, floated[0]),
            (Criterion.C19, {tier: min(players[tier], risen[0]) for tier in tiers}),
            (Criterion.C20, floated[1]),
            (Criterion.C21, {tier: min(players[tier], risen[1]) for tier in tiers}),
        ):
            for tier in tiers:
                yield Objective(criterion, tier, bounds[tier])


def _topscorer_costs(a: SeatPreference, b: SeatPreference) -> Iterator[tuple[Criterion, int]]:
    """Yield what a pair with the same absolute preference adds (C10 and C11).

    The wider difference is granted (5.2.2), so the narrower one grows.
    """
    if min(abs(a.difference), abs(b.difference)) > 1:
        yield Criterion.C10, 0
    if abs(a.difference) == abs(b.difference):
        has_third = a.repeated is not None and a.repeated is b.repeated
    else:
        denied = a if abs(a.difference) < abs(b.difference) else b
        has_third = denied.repeated is not None and denied.repeated is not denied.seat
    if has_third:
        yield Criterion.C11, 0
