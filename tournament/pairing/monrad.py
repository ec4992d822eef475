"""Monrad: neighbours in the standing order meet, unless they have met before.

The players stand by the event's codes (points, unless it says more; virtual points count), then by
pairing number. The highest still free is paired with the nearest below who is allowed and who
leaves a pairing for all the others; so a legal pairing is found whenever there is one. With an odd
number the bye goes first, to the lowest who may get it (C.04.1: nobody twice, and nobody who was
once given a win's points without a game) and whose absence leaves a pairing.

Seats, by played games alone: who has sat first less often (second more often) is first; else who
sat second in the latest round in which the two sat differently; else the higher changes his last
seat; and when neither has played, the higher gets the initial seat on odd boards and the other on
even ones. With seat balance off the last rule decides alone.

Boards stand by the points of the better player, the sum of points, the higher place (C.04.2).
"""

from itertools import islice, zip_longest

from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.matching import Matching, Unmatched, bits, lowest_bit
from tournament.pairing.request import (
    Note,
    NoteCode,
    Pair,
    PairingRequest,
    Pairings,
    bars_pairing_bye,
    either_way,
    opponents_met,
    played_seats,
)
from tournament.standings.crosstable import PlayerId, Seat
from tournament.standings.table import rank

MOST_REFUSALS = 500
"""How many neighbours may prove impossible before the rest is paired as it happens to fit."""
MOST_NOTES = 8
"""How many of the nearer players a board says why not."""


def pair_monrad(request: PairingRequest) -> Pairings:
    """Pair a round by neighbours; raises NoLegalPairing naming the players who block."""
    order = standing_order(request)
    met = {number: opponents_met(request.earlier(number)) for number in order}
    neighbours = _neighbours(request, order, met)
    bye_vertex = len(order) if len(order) % 2 else None
    try:
        matching = Matching(neighbours)
    except Unmatched as blocked:
        takers = neighbours[bye_vertex] if bye_vertex is not None else None
        raise _no_pairing(blocked, order, takers) from None

    notes: list[Note] = []
    bye = None
    if bye_vertex is not None:
        taker = _settle_bye(matching, bye_vertex)
        bye = order[taker]
        notes += _bye_notes(request, order, taker)
    chosen, complete = _pair_neighbours(matching)
    if not complete:
        sentence = "too many neighbours could not meet; the lower boards are legal, not nearest"
        notes.append(Note(NoteCode.SEARCH_CUT_SHORT, (), sentence))
    notes += _neighbour_notes(request, order, chosen, met)
    return Pairings(_boards(request, order, chosen), bye, tuple(notes))


def standing_order(request: PairingRequest) -> tuple[PlayerId, ...]:
    """Give the players present, best first, as they stand before the round."""
    table = request.crosstable.after(request.round - 1)
    places = {row.number: row.rank for row in rank(table, request.codes)}
    units = {number: _units(request, number) for number in request.present}
    if any(table.by_number[number].virtual for number in request.present):
        return tuple(sorted(units, key=lambda n: (-units[n], places[n], n)))
    return tuple(sorted(units, key=lambda n: (places[n], n)))


def _units(request: PairingRequest, number: PlayerId) -> int:
    table = request.crosstable
    units = sum(table.awarded(result) for result in request.earlier(number))
    units += table.points.zero_bye * (request.round - 1 - len(request.earlier(number)))
    virtual = table.by_number[number].virtual
    return units + (virtual[request.round - 1] if request.round <= len(virtual) else 0)


def _neighbours(
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
    if len(order) % 2:
        takers = 0
        for index, number in enumerate(order):
            if not bars_pairing_bye(request.crosstable, request.earlier(number)):
                takers |= 1 << index
                neighbours[index] |= 1 << len(order)
        neighbours.append(takers)
    return neighbours


def _settle_bye(matching: Matching, bye_vertex: int) -> int:
    takers = tuple(bits(matching.neighbours[bye_vertex]))
    for taker in reversed(takers):
        if matching.settle(bye_vertex, taker):
            return taker
    raise AssertionError("a perfect matching holds a taker of the bye")


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


def _boards(
    request: PairingRequest, order: tuple[PlayerId, ...], chosen: list[tuple[int, int]]
) -> tuple[Pair, ...]:
    units = [_units(request, number) for number in order]
    chosen = sorted(
        chosen,
        key=lambda pair: (
            -max(units[pair[0]], units[pair[1]]),
            -(units[pair[0]] + units[pair[1]]),
            pair,
        ),
    )
    initial = request.initial_seat or request.crosstable.initial_seat or Seat.FIRST
    boards = []
    for board, (higher, lower) in enumerate(chosen, start=1):
        seat = None
        if request.balance_seats:
            seat = seat_of_higher(
                played_seats(request.earlier(order[higher])),
                played_seats(request.earlier(order[lower])),
            )
        if seat is None:
            seat = initial if board % 2 else initial.other
        pair = (order[higher], order[lower])
        boards.append(pair if seat is Seat.FIRST else pair[::-1])
    return tuple(boards)


def seat_of_higher(higher: tuple[Seat, ...], lower: tuple[Seat, ...]) -> Seat | None:
    """Give the seat due to the higher of two by the games they played; None before any."""
    surplus, other_surplus = _surplus(higher), _surplus(lower)
    if surplus != other_surplus:
        return Seat.FIRST if surplus < other_surplus else Seat.SECOND
    for own, opposite in zip_longest(reversed(higher), reversed(lower)):
        if own and opposite and own is not opposite:
            return opposite
    return higher[-1].other if higher else None


def _surplus(seats: tuple[Seat, ...]) -> int:
    return 2 * seats.count(Seat.FIRST) - len(seats)


def _no_pairing(
    blocked: Unmatched, order: tuple[PlayerId, ...], takers: int | None
) -> NoLegalPairing:
    if takers == 0:
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


def _bye_notes(request: PairingRequest, order: tuple[PlayerId, ...], taker: int) -> list[Note]:
    notes = []
    for number in reversed(order[taker + 1 :]):
        if bars_pairing_bye(request.crosstable, request.earlier(number)):
            sentence = f"{number} has had a bye or a win without a game"
        else:
            sentence = f"without {number} the others could not all be paired"
        notes.append(Note(NoteCode.PASSED_OVER_FOR_BYE, (number,), sentence))
    sentence = f"{order[taker]} is the lowest who may have the bye"
    return [*notes, Note(NoteCode.BYE, (order[taker],), sentence)]


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
