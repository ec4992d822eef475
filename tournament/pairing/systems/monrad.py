"""Monrad: players who are next to each other in the standings meet, unless they have met before.

The order is that of the tournament's tie-breaks (virtual points count first; tie-breaks that need
proven games do not count), then the pairing number. The highest player still free meets the nearest
lower player who is allowed and who leaves a pairing for all others, so a legal pairing is found if
there is one. With an odd number of players, the bye is chosen first (`bye`).

Boards and seats are those of `boards`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from games.rules.text import Text
from tournament.pairing.boards import seat_pairs
from tournament.pairing.bye import choose_bye
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.findings import Finding
from tournament.pairing.legal import legal_matching
from tournament.pairing.matching import Matching, bits, lowest_bit
from tournament.pairing.request import PairingRequest, Pairings, in_both_orders
from tournament.pairing.sentences import Sentence
from tournament.standings.crosstable import PlayerId
from tournament.standings.errors import TiebreakError
from tournament.standings.table import rank

MOST_FAILED_PAIRS = 500
"""After this many impossible neighbours, the remaining players are paired in any legal way."""
MOST_FINDINGS = 8
"""The maximum number of nearer players for whom a board says why they were not paired."""


def pair_monrad(request: PairingRequest) -> Pairings:
    """Pair a round by neighbours; raises NoLegalPairing naming the players who block."""
    order = _standings_order(request)
    matching = legal_matching(request, order)
    bye, findings = choose_bye(request, order, matching)
    chosen, is_complete = _pair_neighbours(matching)
    if not is_complete:
        findings.append(Sentence.SEARCH_CUT_SHORT.about())
    findings += _passed_over(request, order, chosen)
    score = {number: request.units_before(number) for number in order}
    return Pairings(seat_pairs(request, order, score, chosen), bye, tuple(findings))


def _standings_order(request: PairingRequest) -> tuple[PlayerId, ...]:
    """Return the present players, best first, in the standings before the round.

    Raises PairingRequestError if a tie-break needs a proof that a game does not have.
    """
    everybody = replace(request.crosstable, unranked=frozenset(), is_checked=True)
    table = everybody.after(request.round - 1)
    try:
        ranks = {row.number: row.rank for row in rank(table, request.codes)}
    except TiebreakError as error:
        raise PairingRequestError(
            Text("the players cannot be ranked before the round: %(detail)s", detail=error)
        ) from error
    if not any(table.by_number[number].virtual for number in request.present):
        return tuple(sorted(request.present, key=lambda number: (ranks[number], number)))
    units = {number: request.units_before(number) for number in request.present}
    return tuple(sorted(units, key=lambda number: (-units[number], ranks[number], number)))


def _pair_neighbours(matching: Matching) -> tuple[list[tuple[int, int]], bool]:
    """Return the pairs, the higher place first, and False if the search was cut short."""
    chosen = []
    failures = 0
    while matching.left:
        higher = lowest_bit(matching.left)
        if failures > MOST_FAILED_PAIRS:
            candidates = 1 << matching.partner[higher]
        else:
            candidates = matching.neighbours[higher] & matching.left
        for lower in bits(candidates):
            if matching.settle(higher, lower):
                chosen.append((higher, lower))
                break
            failures += 1
    return chosen, failures <= MOST_FAILED_PAIRS


def _passed_over(
    request: PairingRequest, order: Sequence[PlayerId], chosen: list[tuple[int, int]]
) -> Iterator[Finding]:
    """Say why higher players did not meet nearer players who were still free."""
    forbidden = in_both_orders(request.forbidden)
    free = 0
    for higher, lower in chosen:
        free |= 1 << higher | 1 << lower
    for higher, lower in chosen:
        free &= ~(1 << higher | 1 << lower)
        met = request.opponents_met(order[higher])
        for nearer in islice(bits(free & ((1 << lower) - 1)), MOST_FINDINGS):
            players = (order[higher], order[nearer])
            if order[nearer] in met:
                yield Sentence.MET_BEFORE.about(*players, round=met[order[nearer]])
            elif players in forbidden:
                yield Sentence.KEPT_APART.about(*players)
            else:
                yield Sentence.NEEDED_ELSEWHERE.about(*players)
