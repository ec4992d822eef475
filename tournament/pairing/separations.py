"""Players kept apart: by club, by country, or named; as a rule or as a wish.

A rule is never broken: when it leaves no legal pairing, there is none. A wish never blocks. Wishes
stand in levels, the dearest first. When not all can be kept, the last levels give way first, and
of the one in which that is not enough only what must be: its wishes between the players with the
highest pairing numbers, of as few of them as leave a legal pairing. What lies below is then kept
again as far as it can be, level by level. So as many levels as possible are kept whole; within
those that are, the system pairs as if their pairs were forbidden.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import combinations

from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.request import (
    Note,
    NoteCode,
    Pair,
    PairingFunction,
    PairingRequest,
    Pairings,
    either_way,
)
from tournament.standings.crosstable import Crosstable, PlayerId

MOST_PAIRS = 250_000
"""How many pairs an event's separations may hold, all together."""


class By(StrEnum):
    """What those who are kept apart have in common."""

    CLUB = "club"
    COUNTRY = "country"
    PLAYERS = "players"


@dataclass(frozen=True, slots=True, kw_only=True)
class Separation:
    """One line of an event's list: who is kept apart, as a wish or as a rule, in which rounds.

    `players` are named when `by` says so; all of them are kept apart from each other. The last
    round 0 stands for all rounds from the first.
    """

    by: By
    is_wish: bool = False
    players: frozenset[PlayerId] = frozenset()
    last_round: int = 0
    first_round: int = 1

    def holds_in(self, round_number: int) -> bool:
        """Whether the line is kept in a round."""
        is_over = bool(self.last_round) and round_number > self.last_round
        return self.first_round <= round_number and not is_over

    def groups(self, table: Crosstable) -> tuple[tuple[PlayerId, ...], ...]:
        """Give the players kept apart from each other, group by group."""
        if self.by is By.PLAYERS:
            return (tuple(sorted(self.players & table.by_number.keys())),)
        groups = defaultdict(list)
        for player in table.players:
            shared = player.club if self.by is By.CLUB else player.federation
            if shared:
                groups[shared.casefold()].append(player.number)
        return tuple(tuple(groups[shared]) for shared in sorted(groups))


def pairs_apart(
    separations: Iterable[Separation], table: Crosstable, round_number: int
) -> tuple[frozenset[Pair], tuple[frozenset[Pair], ...]]:
    """Give the forbidden pairs of a round, and those of its wishes, the dearest level first.

    Raises PairingRequestError when they are more than an event of thousands can mean.
    """
    rules: set[Pair] = set()
    wishes: list[frozenset[Pair]] = []
    count = 0
    for separation in separations:
        if not separation.holds_in(round_number):
            continue
        groups = separation.groups(table)
        count += sum(len(group) * (len(group) - 1) // 2 for group in groups)
        if count > MOST_PAIRS:
            raise PairingRequestError(f"the separations name more than {MOST_PAIRS} pairs")
        pairs = frozenset(pair for group in groups for pair in combinations(group, 2))
        if separation.is_wish:
            wishes.append(pairs)
        else:
            rules |= pairs
    return frozenset(rules), tuple(wishes)


def with_preferences(pair: PairingFunction) -> PairingFunction:
    """Give the system that also keeps wishes, as far as they leave a legal pairing."""
    return partial(_pair_apart, pair)


def _pair_apart(pair: PairingFunction, request: PairingRequest) -> Pairings:
    levels = [wishes for wishes in request.wishes if wishes]
    bare = replace(request, wishes=())
    if not levels:
        return pair(bare)
    present = sorted(request.present, reverse=True)
    given_up = [0] * len(levels)  # among how many of the highest numbers a level's wishes are

    def attempt() -> Pairings | None:
        forbidden = set(request.forbidden)
        for wishes, count in zip(levels, given_up, strict=True):
            free = set(present[:count])
            forbidden.update(one for one in wishes if not free.issuperset(one))
        try:
            return pair(replace(bare, forbidden=frozenset(forbidden)))
        except NoLegalPairing:
            return None

    found = attempt()
    level = len(levels)
    while found is None and level:
        level -= 1
        given_up[level] = len(present)
        found = attempt()
    if found is None:
        return pair(bare)
    for index in range(level, len(levels)):
        kept, gone = -1, given_up[index]
        while gone - kept > 1:
            given_up[index] = (kept + gone) // 2
            better = attempt()
            if better is None:
                kept = given_up[index]
            else:
                gone, found = given_up[index], better
        given_up[index] = gone
    return replace(found, notes=(*found.notes, *_given_up(found, levels)))


def _given_up(pairings: Pairings, levels: Sequence[frozenset[Pair]]) -> list[Note]:
    """Tell of each board that goes against a wish."""
    apart = [either_way(wishes) for wishes in levels]
    return [
        Note(
            NoteCode.WISH_GIVEN_UP,
            pair,
            f"{pair[0]} and {pair[1]} were to be kept apart, but no legal pairing keeps every wish",
        )
        for pair in pairings.pairs
        if any(pair in wishes for wishes in apart)
    ]
