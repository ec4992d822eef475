from dataclasses import replace
from fractions import Fraction

import pytest

from tests.tournament.pairing.test_monrad import event
from tournament.standings.clubs import Side, club_totals
from tournament.standings.errors import StandingsError
from tournament.standings.table import rank

# Points 1, 1, ½, ½, 0, 0 for the clubs A, B, A, B, A and none.
PLAYED = event("5f1\n6f1\n4f=\n3s=\n1s0\n2s0")
TABLE = replace(
    PLAYED,
    players=tuple(
        replace(player, club=club, federation="NOR" if player.number < 3 else "")
        for player, club in zip(PLAYED.players, ["A", "B", "A", "B", "A", ""], strict=True)
    ),
)
ROWS = rank(TABLE, "PTS")


@pytest.mark.parametrize(
    ("best", "totals"),
    [
        (1, [(1, "A", 1, (1,), True), (1, "B", 1, (2,), True)]),
        (2, [(1, "A", Fraction(3, 2), (1, 3), True), (1, "B", Fraction(3, 2), (2, 4), True)]),
        (3, [(1, "A", Fraction(3, 2), (1, 3, 5), True), (2, "B", Fraction(3, 2), (2, 4), False)]),
    ],
)
def test_the_best_of_each_club_are_added_up(best: int, totals: list[tuple[object, ...]]) -> None:
    found = club_totals(TABLE, ROWS, best=best)
    assert [
        (row.rank, row.name, row.total, row.counted, row.is_complete) for row in found
    ] == totals


def test_ranks_decide_between_equal_totals() -> None:
    ranked = rank(TABLE, "PTS,TPN")
    assert [(row.rank, row.name) for row in club_totals(TABLE, ranked, best=2)] == [
        (1, "A"),
        (2, "B"),
    ]


def test_federations_are_added_up_alike() -> None:
    (row,) = club_totals(TABLE, ROWS, best=4, by=Side.FEDERATION)
    assert (row.name, row.total, row.counted, row.is_complete) == ("NOR", 2, (1, 2), False)


def test_the_best_none_are_refused() -> None:
    with pytest.raises(StandingsError, match="the best 0 of a club"):
        club_totals(TABLE, ROWS, best=0)
