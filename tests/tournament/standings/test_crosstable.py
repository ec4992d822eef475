from dataclasses import replace

import pytest

from games.rules.seat import Seat
from tournament.standings.crosstable import ABSENT, Competitor, Crosstable, Kind, RoundResult
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


def test_a_round_that_was_held_counts_though_nobody_was_paired_in_it() -> None:
    table = replace(THREE, held=3)
    assert (table.completed, table.points_of(2)) == (3, 3)
    assert replace(THREE, held=2) == THREE


def test_a_round_before_others_was_held() -> None:
    half, nobody = RoundResult(Kind.HALF_BYE), (ABSENT, ABSENT)
    players = rows((half, win(2, FIRST)), (half, loss(1, SECOND)), nobody)
    earlier = Crosstable(players=players, rounds=2).after(1)
    assert (earlier.held, earlier.completed, earlier.points_of(1)) == (1, 1, 1)
    assert earlier.after(0).completed == 0


def test_an_earlier_round_is_seen_as_it_stood() -> None:
    earlier = THREE.after(1)
    assert (earlier.completed, earlier.rounds) == (1, 5)
    assert [earlier.points_of(number) for number in (1, 2, 3)] == [2, 0, 0]


def test_rows_stand_by_number_whatever_their_order() -> None:
    assert Crosstable(players=THREE.players[::-1], rounds=5) == THREE


def test_an_award_replaces_the_points_of_the_kind() -> None:
    players = rows((replace(BYE, awarded=1),))
    assert Crosstable(players=players, rounds=1).points_of(1) == 1


def test_absence_brings_its_points_recorded_or_not() -> None:
    points = PointSystem.from_points(win=3, draw=2, loss=1)
    recorded = rows((win(2, FIRST), BYE), (loss(1, SECOND), ABSENT))
    left_out = rows((win(2, FIRST), BYE), (loss(1, SECOND),))
    for players in (recorded, left_out):
        table = Crosstable(players=players, rounds=2, points=points)
        assert points.format_units(table.points_of(2)) == "2"


def test_a_round_beyond_the_row_is_an_absence() -> None:
    assert THREE.by_number[1].result(3) is ABSENT


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (rows((win(2, FIRST),), (ABSENT,)), "player 1, round 1: met player 2, who met nobody"),
        (
            rows((win(2, FIRST),), (loss(3, SECOND),), (win(2, FIRST),)),
            "player 1, round 1: met player 2, who met player 3",
        ),
        (rows((win(2, FIRST),), (win(1, SECOND),)), "a win against a win of player 2"),
        (rows((win(2, FIRST),), (loss(1, FIRST),)), "seats contradict: first here, first opp"),
        (rows((win(7, FIRST),)), "opponent 7 is not a player"),
        (rows((win(1, FIRST),)), "nobody meets himself"),
        (rows((ABSENT, ABSENT, ABSENT)), "player 1: has 3 results, the event has 2 rounds"),
        ((Competitor(number=0),), "pairing numbers begin at 1"),
        ((Competitor(number=4), Competitor(number=4)), "player 4: the number is given twice"),
    ],
)
def test_rows_that_contradict_each_other_are_refused(
    players: tuple[Competitor, ...], message: str
) -> None:
    with pytest.raises(CrosstableError, match=message):
        Crosstable(players=players, rounds=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Kind.WIN,), "needs an opponent"),
        ((Kind.DRAW, 2), "needs a seat"),
        ((Kind.HALF_BYE, 2), "neither opponent nor seat"),
        ((Kind.FORFEIT_WIN, 2, FIRST, True), "cannot be a short game"),
    ],
)
def test_a_result_that_makes_no_sense_alone_is_refused(
    arguments: tuple[object, ...], message: str
) -> None:
    with pytest.raises(CrosstableError, match=message):
        RoundResult(*arguments)  # type: ignore[arg-type]
