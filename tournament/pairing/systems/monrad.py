"""Monrad: neighbours in the standing order meet, unless they have met before.

The players stand by the event's codes (points, unless it says more; virtual points count; not by
those that records must prove), then by pairing number. The highest still free is paired with the
nearest below who is allowed and who leaves a pairing for all the others; so a legal pairing is
found whenever there is one. With an odd number the bye goes first, to the lowest who may get it
(C.04.1: nobody twice, and nobody who was once given a win's points without a game) and whose
absence leaves a pairing.

Seats and boards are those of boards.py.
"""

from itertools import islice

from tournament.pairing.boards import seated_boards, units_before
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.legal import bye_notes, legal_neighbours, no_pairing, settle_bye
from tournament.pairing.matching import Matching, Unmatched, bits, lowest_bit
from tournament.pairing.request import (
    Note,
    NoteCode,
    PairingRequest,
    Pairings,
    either_way,
    opponents_met,
)
from tournament.standings.crosstable import PlayerId
from tournament.standings.errors import TiebreakError
from tournament.standings.table import rank

MOST_REFUSALS = 500
"""How many neighbours may prove impossible before the rest is paired as it happens to fit."""
MOST_NOTES = 8
"""How many of the nearer players a board says why not."""


def pair_monrad(request: PairingRequest) -> Pairings:
    """Pair a round by neighbours; raises NoLegalPairing naming the players who block."""
    order = standing_order(request)
    met = {number: opponents_met(request.earlier(number)) for number in order}
    neighbours = legal_neighbours(request, order, met)
    bye_vertex = len(order) if len(order) % 2 else None
    try:
        matching = Matching(neighbours)
    except Unmatched as blocked:
        bye_candidates = neighbours[bye_vertex] if bye_vertex is not None else None
        raise no_pairing(blocked, order, bye_candidates) from None

    notes: list[Note] = []
    bye = None
    if bye_vertex is not None:
        taker = settle_bye(matching, bye_vertex)
        bye = order[taker]
        notes += bye_notes(request, order, taker)
    chosen, complete = _pair_neighbours(matching)
    if not complete:
        sentence = "too many neighbours could not meet; the lower boards are legal, not nearest"
        notes.append(Note(NoteCode.SEARCH_CUT_SHORT, (), sentence))
    notes += _neighbour_notes(request, order, chosen, met)
    score = {number: units_before(request, number) for number in order}
    return Pairings(seated_boards(request, order, score, chosen), bye, tuple(notes))


def standing_order(request: PairingRequest) -> tuple[PlayerId, ...]:
    """Give the players present, best first, as they stand before the round.

    Raises PairingRequestError where a code asks for a proof that a game lacks.
    """
    table = request.crosstable.after(request.round - 1)
    try:
        places = {row.number: row.rank for row in rank(table, request.codes)}
    except TiebreakError as error:
        raise PairingRequestError(f"nobody can be placed before the round: {error}") from error
    units = {number: units_before(request, number) for number in request.present}
    if any(table.by_number[number].virtual for number in request.present):
        return tuple(sorted(units, key=lambda n: (-units[n], places[n], n)))
    return tuple(sorted(units, key=lambda n: (places[n], n)))


def _pair_neighbours(matching: Matching) -> tuple[list[tuple[int, int]], bool]:
    chosen = []
    refusals = 0
    while matching.left:
        higher = lowest_bit(matching.left)
        if refusals > MOST_REFUSALS:
            candidates = 1 << matching.partner[higher]
        else:
            candidates = matching.neighbours[higher] & matching.left
        for lower in bits(candidates):
            if matching.settle(higher, lower):
                chosen.append((higher, lower))
                break
            refusals += 1
    return chosen, refusals <= MOST_REFUSALS


def _neighbour_notes(
    request: PairingRequest,
    order: tuple[PlayerId, ...],
    chosen: list[tuple[int, int]],
    met: dict[PlayerId, dict[PlayerId, int]],
) -> list[Note]:
    """Say of each higher player why the nearer ones, still free then, did not become the board."""
    forbidden = either_way(request.forbidden)
    free = 0
    for higher, lower in chosen:
        free |= 1 << higher | 1 << lower
    notes = []
    for higher, lower in chosen:
        free &= ~(1 << higher | 1 << lower)
        for nearer in islice(bits(free & ((1 << lower) - 1)), MOST_NOTES):
            one, other = order[higher], order[nearer]
            if other in met[one]:
                code = NoteCode.MET_BEFORE
                sentence = f"{one} and {other} met in round {met[one][other]}"
            elif (one, other) in forbidden:
                code, sentence = NoteCode.FORBIDDEN, f"{one} and {other} are kept apart"
            else:
                code = NoteCode.NEEDED_ELSEWHERE
                sentence = f"with {one} against {other} the others could not all be paired"
            notes.append(Note(code, (one, other), sentence))
    return notes
