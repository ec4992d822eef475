"""What a pairing of everybody must keep to, as a graph of places in an order (C.04.1).

Nobody meets twice, the kept apart never; with an odd number one place more stands for the bye,
which nobody gets twice, nor whoever was once given a win's points without a game. Forfeits are no
meetings. What the organiser exempt is allowed.
"""

from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.matching import Matching, Unmatched, bits
from tournament.pairing.request import Note, NoteCode, PairingRequest, bars_pairing_bye
from tournament.standings.crosstable import PlayerId


def legal_neighbours(
    request: PairingRequest, order: tuple[PlayerId, ...], met: dict[PlayerId, dict[PlayerId, int]]
) -> list[int]:
    """Give for each place the places allowed to meet it; the bye is one place more."""
    place = {number: index for index, number in enumerate(order)}
    everybody = (1 << len(order)) - 1
    neighbours = []
    for index, number in enumerate(order):
        barred = 1 << index
        for opponent in met[number]:
            if opponent in place:
                barred |= 1 << place[opponent]
        neighbours.append(everybody & ~barred)
    for one, other in request.forbidden:
        if one in place and other in place:
            neighbours[place[one]] &= ~(1 << place[other])
            neighbours[place[other]] &= ~(1 << place[one])
    for one, other in request.exempt:
        if one in place and other in place:
            neighbours[place[one]] |= 1 << place[other]
            neighbours[place[other]] |= 1 << place[one]
    if len(order) % 2:
        bye_candidates = 0
        for index, number in enumerate(order):
            is_barred = bars_pairing_bye(request.crosstable, request.earlier(number))
            if not is_barred or number in request.exempt_byes:
                bye_candidates |= 1 << index
                neighbours[index] |= 1 << len(order)
        neighbours.append(bye_candidates)
    return neighbours


def settle_bye(matching: Matching, bye_vertex: int) -> int:
    """Give the bye to the lowest place that may have it and leaves a pairing; which place."""
    bye_candidates = tuple(bits(matching.neighbours[bye_vertex]))
    for taker in reversed(bye_candidates):
        if matching.settle(bye_vertex, taker):
            return taker
    raise AssertionError("a perfect matching holds a taker of the bye")


def no_pairing(
    blocked: Unmatched, order: tuple[PlayerId, ...], bye_candidates: int | None
) -> NoLegalPairing:
    """Name the players who block each other; `bye_candidates` is None without a bye."""
    if bye_candidates == 0:
        detail = "the number of players is odd, and every one of them has had a bye"
        return NoLegalPairing(detail, tuple(sorted(order)))
    players = tuple(sorted(order[vertex] for vertex in blocked.outer if vertex < len(order)))
    shared = [str(n) for n in sorted(order[v] for v in blocked.inner if v < len(order))]
    if len(order) in blocked.inner:
        shared.append("the bye")
    detail = f"players {', '.join(map(str, players))} cannot all be paired with each other"
    if shared:
        detail += f" and with {', '.join(shared)}"
    return NoLegalPairing(detail, players)


def bye_notes(request: PairingRequest, order: tuple[PlayerId, ...], taker: int) -> list[Note]:
    """Say why the bye went to this place and not to a lower one."""
    notes = []
    for number in reversed(order[taker + 1 :]):
        if bars_pairing_bye(request.crosstable, request.earlier(number)):
            sentence = f"{number} has had a bye or a win without a game"
        else:
            sentence = f"without {number} the others could not all be paired"
        notes.append(Note(NoteCode.PASSED_OVER_FOR_BYE, (number,), sentence))
    sentence = f"{order[taker]} is the lowest who may have the bye"
    return [*notes, Note(NoteCode.BYE, (order[taker],), sentence)]
