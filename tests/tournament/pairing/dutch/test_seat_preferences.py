"""Seat preferences and seats by the articles of C.04.3."""

import pytest

from games.rules.seat import Seat
from tests.tournament.pairing.events import SEATS, event
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems.dutch.field import field_of
from tournament.pairing.systems.dutch.seat_preferences import Strength, seat_preference_of
from tournament.pairing.systems.dutch.seats import decide_seat
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult, in_order

F, S = Seat.FIRST, Seat.SECOND
MILD, STRONG, ABSOLUTE = Strength.MILD, Strength.STRONG, Strength.ABSOLUTE


@pytest.mark.parametrize(
    ("own", "other", "seat", "rule"),
    [
        pytest.param("", "", F, "5.2.5", id="odd number: the initial seat"),
        pytest.param("f", "s", S, "5.2.1", id="both are granted"),
        pytest.param("f", "U", S, "5.2.1", id="the lower has no preference"),
        pytest.param("U", "f", F, "5.2.1", id="the other has no preference"),
        pytest.param("fs", "ss", S, "5.2.2", id="the stronger is granted"),
        pytest.param("sffsf", "fsfsf", S, "5.2.3", id="the latest difference is reversed"),
        pytest.param("fsfsf", "sffsf", F, "5.2.3", id="the latest difference, the other way"),
        pytest.param("f", "f", S, "5.2.4", id="equal: the higher is granted"),
        pytest.param("fUs", "fsU", F, "5.2.4", id="unplayed rounds do not count"),
    ],
)
def test_the_seat_of_the_higher_player(own: str, other: str, seat: Seat, rule: str) -> None:
    field = field_of(PairingRequest(crosstable=drawn_games(own, other), round=len(own) + 1))
    assert field.numbers[:2] == (1, 2)
    assert decide_seat(field, 0, 1) == (seat, rule)


def test_the_rank_skips_players_who_were_never_paired() -> None:
    table = event("Z\nZ\nZ\nZ", initial_seat=S)
    request = PairingRequest(crosstable=table, round=2, absent=frozenset({1, 3}))
    field = field_of(request)
    assert (field.numbers, field.rank) == ((2, 4), (1, 2))
    assert decide_seat(field, 0, 1) == (S, "5.2.5")


def test_without_seat_balance_there_are_no_preferences() -> None:
    table = drawn_games("ff", "ff", rounds=4)
    balanced = PairingRequest(crosstable=table, round=3)
    free = PairingRequest(crosstable=table, round=3, balance_seats=False)
    allowed = [bool(field_of(request).allowed[0] >> 1 & 1) for request in (balanced, free)]
    assert allowed == [False, True]
    field = field_of(free)
    assert field.seat_preferences[0] == seat_preference_of(())
    assert field.unplayed[:2] == (0, 0)
    assert decide_seat(field, 0, 1) == (F, "5.2.5")


@pytest.mark.parametrize(("first", "second"), [("ff", "sff"), ("sff", "ff")])
def test_the_wider_difference_of_two_topscorers_is_granted(first: str, second: str) -> None:
    table = drawn_games(first.rjust(3, "U"), second.rjust(3, "U"), rounds=4)
    field = field_of(PairingRequest(crosstable=table, round=4))
    wider = field.numbers.index(1 if first == "ff" else 2)
    seat, rule = decide_seat(field, 0, 1)
    assert rule == "5.2.2"
    assert seat is (S if wider == 0 else F)


def drawn_games(*histories: str, rounds: int = 9) -> Crosstable:
    """Return players 1, 2 ... who drew all games against other players, in these seats."""
    rows: dict[int, list[RoundResult]] = {}
    opponent = len(histories)
    for number, history in enumerate(histories, start=1):
        rows[number] = []
        for index, letter in enumerate(history):
            if letter == "U":
                rows[number].append(RoundResult(Kind.HALF_BYE))
                continue
            opponent += 1
            seat = SEATS[letter]
            rows[number].append(RoundResult(Kind.DRAW, opponent, seat))
            absent = [RoundResult(Kind.ZERO_BYE)] * index
            rows[opponent] = [*absent, RoundResult(Kind.DRAW, number, seat.other)]
    players = (Competitor(number=number, results=tuple(row)) for number, row in rows.items())
    return Crosstable(players=in_order(players), rounds=rounds, initial_seat=F)
