"""The absolute rules as a graph, and the players who block a round (C.04.1).

A vertex is a player's place in an order; a set of places is an integer with one bit for each.
Players who have met or are kept apart may not meet, except pairs that the organiser exempts. With
an odd number of players, one more vertex is the bye.
"""

from collections.abc import Sequence

from games.rules.text import Text
from tournament.pairing.bye import bye_candidates
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.matching import Matching, Unmatched, bits
from tournament.pairing.request import PairingRequest
from tournament.standings.crosstable import PlayerId


def allowed_opponents(request: PairingRequest, order: Sequence[PlayerId]) -> list[int]:
    """Return for each place the set of places that it has not met and is not kept apart from."""
    place = {number: index for index, number in enumerate(order)}
    everyone = (1 << len(order)) - 1
    allowed = []
    for index, number in enumerate(order):
        barred = 1 << index
        for opponent in request.opponents_met(number):
            if opponent in place:
                barred |= 1 << place[opponent]
        allowed.append(everyone ^ barred)
    for a, b in request.forbidden:
        if a in place and b in place:
            allowed[place[a]] &= ~(1 << place[b])
            allowed[place[b]] &= ~(1 << place[a])
    return allowed


def allow_exempt_pairs(
    allowed: list[int], request: PairingRequest, order: Sequence[PlayerId]
) -> None:
    """Allow the pairs that the organiser exempts from the rules."""
    place = {number: index for index, number in enumerate(order)}
    for a, b in request.exempt:
        if a in place and b in place:
            allowed[place[a]] |= 1 << place[b]
            allowed[place[b]] |= 1 << place[a]


def legal_matching(request: PairingRequest, order: Sequence[PlayerId]) -> Matching:
    """Return a legal pairing of all players, by place; raises NoLegalPairing."""
    allowed = allowed_opponents(request, order)
    allow_exempt_pairs(allowed, request, order)
    return match_all(order, allowed, bye_candidates(request, order))


def match_all(order: Sequence[PlayerId], allowed: Sequence[int], candidates: int) -> Matching:
    """Return a perfect matching; with an odd number, one of the candidates has the bye.

    Raises NoLegalPairing, which names the players who block each other.
    """
    graph = list(allowed)
    if len(order) % 2:
        if not candidates:
            detail = Text("the number of players is odd, and no player may have the bye")
            raise NoLegalPairing(detail, tuple(sorted(order)))
        for place in bits(candidates):
            graph[place] |= 1 << len(order)
        graph.append(candidates)
    try:
        return Matching(graph)
    except Unmatched as blocked:
        outer, inner = (
            sorted(order[vertex] for vertex in vertices if vertex < len(order))
            for vertices in (blocked.outer, blocked.inner)
        )
        shared: Text | str = Text(" and with %(others)s", others=inner) if inner else ""
        if len(order) in blocked.inner:
            with_bye = Text(" and with %(others)s, the bye", others=inner)
            shared = with_bye if inner else Text(" and with the bye")
        detail = Text(
            "players %(numbers)s cannot all be paired with each other%(detail)s",
            numbers=outer,
            detail=shared,
        )
        raise NoLegalPairing(detail, tuple(outer)) from None
