from dataclasses import replace

import pytest

from games.rules.seat import Seat
from tournament.standings.crosstable import (
    ABSENT,
    Competitor,
    Crosstable,
    Kind,
    RoundResult,
    in_order,
)
from tournament.standings.errors import CrosstableError
from tournament.standings.points import PointSystem

FIRST, SECOND = Seat.FIRST, Seat.SECOND
BYE = RoundResult(Kind.PAIRING_BYE)


def win(opponent: int, seat: Seat) -> RoundResult:
    return RoundResult(Kind.WIN, opponent, seat)


def loss(opponent: int, seat: Seat) -> RoundResult:
    return RoundResult(Kind.LOSS, opponent, seat)


def rows(*results: tuple[RoundResult, ...]) -> tuple[Competitor, ...]:
    return tuple(
        Competitor(number=number, results=row) for number, row in enumerate(results, start=1)
    )


THREE = Crosstable(
    players=rows(
        (win(2, FIRST), loss(3, SECOND)),
        (loss(1, SECOND), BYE, RoundResult(Kind.HALF_BYE)),
        (ABSENT, win(1, FIRST)),
    ),
    rounds=5,
)


def test_points_count_the_rounds_that_were_paired() -> None:
    assert THREE.completed == 2
    assert [THREE.points_of(number) for number in (1, 2, 3)] == [2, 2, 2]


def test_a_held_round_counts_without_pairings() -> None:
    table = THREE.held_until(3)
    assert (table.completed, table.points_of(2)) == (3, 3)
    assert THREE.held_until(2) == THREE


def test_a_round_before_later_pairings_is_held() -> None:
    half, absent = RoundResult(Kind.HALF_BYE), (ABSENT, ABSENT)
    players = rows((half, win(2, FIRST)), (half, loss(1, SECOND)), absent)
    earlier = Crosstable(players=players, rounds=2).after(1)
    assert (earlier.held, earlier.completed, earlier.points_of(1)) == (1, 1, 1)
    assert earlier.after(0).completed == 0


def test_the_crosstable_after_an_earlier_round() -> None:
    earlier = THREE.after(1)
    assert (earlier.completed, earlier.rounds) == (1, 5)
    assert [earlier.points_of(number) for number in (1, 2, 3)] == [2, 0, 0]


def test_players_are_ordered_by_number() -> None:
    assert Crosstable(players=in_order(THREE.players[::-1]), rounds=5) == THREE
    with pytest.raises(CrosstableError, match="not in the order of their numbers"):
        Crosstable(players=THREE.players[::-1], rounds=5)


def test_awarded_points_replace_those_of_the_result() -> None:
    players = rows((replace(BYE, awarded=1),))
    assert Crosstable(players=players, rounds=1).points_of(1) == 1


def test_absence_gives_points_with_or_without_a_recorded_result() -> None:
    points = PointSystem.from_points(win=3, draw=2, loss=1)
    with_result = rows((win(2, FIRST), BYE), (loss(1, SECOND), ABSENT))
    without_result = rows((win(2, FIRST), BYE), (loss(1, SECOND),))
    for players in (with_result, without_result):
        table = Crosstable(players=players, rounds=2, points=points)
        assert points.format_units(table.points_of(2)) == "2"


def test_a_round_without_a_result_is_an_absence() -> None:
    assert THREE.by_number[1].result(3) is ABSENT


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (
            rows((win(2, FIRST),), (ABSENT,)),
            "player 1, round 1: has opponent 2, who has no opponent",
        ),
        (
            rows((win(2, FIRST),), (loss(3, SECOND),), (win(2, FIRST),)),
            "player 1, round 1: has opponent 2, who has opponent 3",
        ),
        (rows((win(2, FIRST),), (win(1, SECOND),)), "a win against a win of player 2"),
        (
            rows((win(2, FIRST),), (loss(1, FIRST),)),
            "has the seat first, player 2 has the seat first",
        ),
        (rows((win(7, FIRST),)), "opponent 7 is not a player"),
        (rows((win(1, FIRST),)), "cannot be their own opponent"),
        (rows((ABSENT, ABSENT, ABSENT)), "player 1: has 3 results, the event has 2 rounds"),
        ((Competitor(number=0),), "pairing numbers start at 1"),
        ((Competitor(number=4), Competitor(number=4)), "player 4: two players have this number"),
    ],
)
def test_contradictory_results_are_rejected(players: tuple[Competitor, ...], message: str) -> None:
    with pytest.raises(CrosstableError, match=message):
        Crosstable(players=players, rounds=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Kind.WIN,), "needs an opponent"),
        ((Kind.DRAW, 2), "needs a seat"),
        ((Kind.HALF_BYE, 2), "neither an opponent nor a seat"),
        ((Kind.FORFEIT_WIN, 2, FIRST, True), "cannot be a short game"),
    ],
)
def test_an_impossible_result_is_rejected(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(CrosstableError, match=message):
        RoundResult(*arguments)  # type: ignore[arg-type]
