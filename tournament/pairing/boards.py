"""Boards and seats of a round that has been paired, for every system without rules of its own.

Seats, by played games alone: who has sat first less often (second more often) is first; else who
sat second in the latest round in which the two sat differently; else the higher changes his last
seat; and when neither has played, the higher gets the initial seat on odd boards and the other on
even ones. With seat balance off the last rule decides alone.

Boards stand by the points of the better player, the sum of points, the higher place (C.04.2).
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from games.rules.seat import Seat
from tournament.pairing.request import Pair, PairingRequest, played_seats
from tournament.standings.crosstable import PlayerId


def units_before(request: PairingRequest, number: PlayerId) -> int:
    """Give a player's units before the round, virtual points included."""
    table = request.crosstable
    units = sum(table.units_of(result) for result in request.earlier(number))
    units += table.points.zero_bye * (request.round - 1 - len(request.earlier(number)))
    virtual = table.by_number[number].virtual
    return units + (virtual[request.round - 1] if request.round <= len(virtual) else 0)


def seated_boards(
    request: PairingRequest,
    order: Sequence[PlayerId],
    score: Mapping[PlayerId, int],
    chosen: Sequence[tuple[int, int]],
) -> tuple[Pair, ...]:
    """Give the boards of pairs of places, the higher first; `score` is that of every player."""
    units = [score[number] for number in order]
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
