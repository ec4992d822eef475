"""Players who are kept apart, by club, by country or by name: as a rule or as a preference.

A rule is never broken: if it leaves no legal pairing, there is none. A preference never blocks a
round. Preferences have levels, the most important first. If not all of them can hold, the last
levels give way first. In the level where that is not enough, as little as possible gives way: the
pairs of the players with the highest pairing numbers, and of as few of these as leave a legal
pairing. After that, the levels below hold again as far as they can, one after the other. So as
many levels as possible hold completely, and the system pairs as if their pairs were forbidden.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.request import (
    Pair,
    PairingFunction,
    PairingRequest,
    Pairings,
    in_both_orders,
)
from tournament.pairing.sentences import Sentence
from tournament.standings.crosstable import Crosstable, PlayerId

MOST_PAIRS = 250_000
"""The maximum number of pairs in all separations of a tournament together."""


class By(LabelledEnum):
    """What the players of a separation have in common."""

    CLUB = "club", gettext_noop("players of one club")
    COUNTRY = "country", gettext_noop("players of one country")
    PLAYERS = "players", gettext_noop("these players")


@dataclass(frozen=True, slots=True, kw_only=True)
class Separation:
    """Players kept apart from each other, as a preference or as a rule, in a range of rounds.

    `players` are set if, and only if, `by` is PLAYERS. A last round of 0 means all rounds from
    the first round on.
    """

    by: By
    is_preference: bool = False
    players: frozenset[PlayerId] = frozenset()
    last_round: int = 0
    first_round: int = 1

    def applies_in(self, round_number: int) -> bool:
        """Return True if the separation applies to a round."""
        is_over = bool(self.last_round) and round_number > self.last_round
        return self.first_round <= round_number and not is_over

    def groups(self, table: Crosstable) -> tuple[tuple[PlayerId, ...], ...]:
        """Return the groups of players who are kept apart from each other."""
        if self.by is By.PLAYERS:
            return (tuple(sorted(self.players & table.by_number.keys())),)
        groups = defaultdict(list)
        for player in table.players:
            shared = player.club if self.by is By.CLUB else player.federation
            if shared:
                groups[shared.casefold()].append(player.number)
        return tuple(tuple(groups[shared]) for shared in sorted(groups))


def separated_pairs(
    separations: Iterable[Separation], table: Crosstable, round_number: int
) -> tuple[frozenset[Pair], tuple[frozenset[Pair], ...]]:
    """Return the forbidden pairs of a round, and its preferences, the most important level first.

    Raises PairingRequestError if there are more than MOST_PAIRS.
    """
    rules: set[Pair] = set()
    preferences: list[frozenset[Pair]] = []
    count = 0
    for separation in separations:
        if not separation.applies_in(round_number):
            continue
        groups = separation.groups(table)
        count += sum(len(group) * (len(group) - 1) // 2 for group in groups)
        if count > MOST_PAIRS:
            raise PairingRequestError(
                Text("the separations contain more than %(most)s pairs", most=MOST_PAIRS)
            )
        pairs = frozenset(pair for group in groups for pair in combinations(group, 2))
        if separation.is_preference:
            preferences.append(pairs)
        else:
            rules |= pairs
    return frozenset(rules), tuple(preferences)


def with_preferences(pair: PairingFunction) -> PairingFunction:
    """Extend a system so that it follows preferences as far as a legal pairing allows."""
    return partial(_pair_with_preferences, pair)


def _pair_with_preferences(pair: PairingFunction, request: PairingRequest) -> Pairings:
    levels = [level for level in request.preferences if level]
    if not levels:
        return pair(request)
    plain = replace(request, preferences=())
    present = sorted(request.present, reverse=True)
    free_counts = [0] * len(levels)  # how many of the highest numbers each level leaves free

    def attempt() -> Pairings | None:
        forbidden = set(request.forbidden)
        for level, count in zip(levels, free_counts, strict=True):
            free = set(present[:count])
            forbidden.update(preferred for preferred in level if not free.issuperset(preferred))
        try:
            return pair(replace(plain, forbidden=frozenset(forbidden)))
        except NoLegalPairing:
            return None

    found = attempt()
    first_broken = len(levels)
    while found is None and first_broken:
        first_broken -= 1
        free_counts[first_broken] = len(present)
        found = attempt()
    if found is None:
        return pair(plain)
    for index in range(first_broken, len(levels)):
        too_few, enough = -1, free_counts[index]
        while enough - too_few > 1:
            free_counts[index] = (too_few + enough) // 2
            better = attempt()
            if better is None:
                too_few = free_counts[index]
            else:
                enough, found = free_counts[index], better
        free_counts[index] = enough
    separated = in_both_orders(pair for level in levels for pair in level)
    given_up = [
        Sentence.PREFERENCE_GIVEN_UP.about(*pair) for pair in found.pairs if pair in separated
    ]
    return replace(found, findings=(*found.findings, *given_up))
