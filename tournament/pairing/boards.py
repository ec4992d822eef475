"""Boards and seats of a paired round, for the systems without rules of their own.

Seats depend on played games only. The player who sat first less often sits first. Otherwise the
player who sat second in the latest round in which the seats of the two differed sits first.
Otherwise the higher player changes seats. If neither has played, the higher player has the initial
seat on odd boards and the other seat on even boards. Without seat balance, only the last rule
applies.

Boards are in the order of the points of the higher player, then the sum of points, then the place
of the higher player (C.04.2).
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from games.rules.seat import Seat
from tournament.pairing.request import Pair, PairingRequest
from tournament.standings.crosstable import PlayerId


def seat_pairs(
    request: PairingRequest,
    order: Sequence[PlayerId],
    score: Mapping[PlayerId, int],
    pairs: Sequence[tuple[int, int]],
) -> tuple[Pair, ...]:
    """Return the boards of pairs of places (higher, lower); `score` is that of every player."""
    units = [score[number] for number in order]
    ordered = sorted(
        pairs,
        key=lambda pair: (
            -max(units[pair[0]], units[pair[1]]),
            -(units[pair[0]] + units[pair[1]]),
            pair,
        ),
    )
    boards = []
    for board, (higher, lower) in enumerate(ordered, start=1):
        pair = (order[higher], order[lower])
        seat = balanced_seat(request, pair) or initial_seat_of_board(request, board)
        boards.append(pair if seat is Seat.FIRST else pair[::-1])
    return tuple(boards)


def balanced_seat(request: PairingRequest, pair: Pair) -> Seat | None:
    """Return the seat of the higher player of a pair by seat balance, if it decides."""
    if not request.balance_seats:
        return None
    higher, lower = pair
    return seat_of_higher(request.played_seats(higher), request.played_seats(lower))


def initial_seat_of_board(request: PairingRequest, board: int) -> Seat:
    """Return the seat of the higher player on a board when nobody has played: they alternate."""
    initial = request.initial_seat or request.crosstable.initial_seat or Seat.FIRST
    return initial if board % 2 else initial.other


def seat_of_higher(higher: tuple[Seat, ...], lower: tuple[Seat, ...]) -> Seat | None:
    """Return the seat of the higher player by the seats of both; None if neither has played."""
    surplus, other_surplus = _surplus(higher), _surplus(lower)
    if surplus != other_surplus:
        return Seat.FIRST if surplus < other_surplus else Seat.SECOND
    for own, opposite in zip_longest(reversed(higher), reversed(lower)):
        if own and opposite and own is not opposite:
            return opposite
    return higher[-1].other if higher else None


def _surplus(seats: tuple[Seat, ...]) -> int:
    return 2 * seats.count(Seat.FIRST) - len(seats)
