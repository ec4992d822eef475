"""Seats and the order of boards: C.04.3 article 5.2, rule by rule, and C.04.2."""

from enum import StrEnum

from games.rules.seat import Seat
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.seat_preferences import Strength


class SeatRule(StrEnum):
    """The article that decides the seats of a board."""

    GRANT_BOTH = "5.2.1"
    GRANT_STRONGER = "5.2.2"
    ALTERNATE = "5.2.3"
    GRANT_HIGHER = "5.2.4"
    INITIAL_SEAT = "5.2.5"


def decide_seat(field: Field, higher: int, lower: int) -> tuple[Seat, SeatRule]:
    """Return the seat of the higher of two players, by place, and the rule that decides."""
    own, other = field.seat_preferences[higher], field.seat_preferences[lower]
    if own.seat is not other.seat:
        if own.seat is not None:
            return own.seat, SeatRule.GRANT_BOTH
        assert other.seat is not None
        return other.seat.other, SeatRule.GRANT_BOTH
    if own.seat is None:
        is_odd = field.rank[higher] % 2
        return field.initial_seat if is_odd else field.initial_seat.other, SeatRule.INITIAL_SEAT
    if own.strength is not other.strength:
        is_stronger = own.strength > other.strength
        return own.seat if is_stronger else own.seat.other, SeatRule.GRANT_STRONGER
    own_width, other_width = abs(own.difference), abs(other.difference)
    if own.strength is Strength.ABSOLUTE and own_width != other_width:
        return own.seat if own_width > other_width else own.seat.other, SeatRule.GRANT_STRONGER
    for own_seat, other_seat in zip(
        reversed(field.seats[higher]), reversed(field.seats[lower]), strict=False
    ):
        if own_seat is not other_seat:
            return other_seat, SeatRule.ALTERNATE
    return own.seat, SeatRule.GRANT_HIGHER


def order_boards(field: Field, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return pairs of places as (higher, lower) in the order of the boards (C.04.2)."""
    scores = field.scores
    ordered = [(min(pair), max(pair)) for pair in pairs]
    return sorted(
        ordered, key=lambda pair: (-scores[pair[0]], -scores[pair[1]], field.numbers[pair[0]])
    )
