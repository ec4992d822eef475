"""Who sits where on a board: C.04.3 article 5.2, rule by rule until one decides."""

from enum import StrEnum

from games.rules.seat import Seat
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.seat_preferences import Strength


class SeatRule(StrEnum):
    """The article that decided a board's seats."""

    BOTH = "5.2.1"
    STRONGER = "5.2.2"
    ALTERNATE = "5.2.3"
    HIGHER = "5.2.4"
    INITIAL = "5.2.5"


def allocate(field: Field, higher: int, lower: int) -> tuple[Seat, SeatRule]:
    """Give the seat of the higher of two players, by place, and the rule that decided."""
    own, other = field.seat_preferences[higher], field.seat_preferences[lower]
    if own.seat is not other.seat:
        if own.seat is not None:
            return own.seat, SeatRule.BOTH
        assert other.seat is not None
        return other.seat.other, SeatRule.BOTH
    if own.seat is None:
        odd = field.rank[higher] % 2
        return field.initial_seat if odd else field.initial_seat.other, SeatRule.INITIAL
    if own.strength is not other.strength:
        stronger = own.strength > other.strength
        return own.seat if stronger else own.seat.other, SeatRule.STRONGER
    own_width, other_width = abs(own.difference), abs(other.difference)
    if own.strength is Strength.ABSOLUTE and own_width != other_width:
        return own.seat if own_width > other_width else own.seat.other, SeatRule.STRONGER
    for mine, theirs in zip(
        reversed(field.seats[higher]), reversed(field.seats[lower]), strict=False
    ):
        if mine is not theirs:
            return theirs, SeatRule.ALTERNATE
    return own.seat, SeatRule.HIGHER


def boards(field: Field, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Put pairs of places in the order of the boards (C.04.2): (higher, lower)."""
    scores = field.scores
    ordered = [(min(pair), max(pair)) for pair in pairs]
    return sorted(
        ordered, key=lambda pair: (-scores[pair[0]], -scores[pair[1]], field.numbers[pair[0]])
    )
