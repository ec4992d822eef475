from dataclasses import replace
from fractions import Fraction

import pytest

from tests.tournament.pairing.events import event
from tournament.standings.clubs import GroupBy, club_totals
from tournament.standings.errors import StandingsError
from tournament.standings.table import rank

# Points 1, 1, ½, ½, 0, 0; clubs A, B, A, B, A and none.
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
        (1, [(1, "A", 1, (1,), 0), (1, "B", 1, (2,), 0)]),
        (2, [(1, "A", Fraction(3, 2), (1, 3), 0), (1, "B", Fraction(3, 2), (2, 4), 0)]),
        (3, [(1, "A", Fraction(3, 2), (1, 3, 5), 0), (2, "B", Fraction(3, 2), (2, 4), 1)]),
    ],
)
def test_totals_of_the_best_players_of_each_club(
    best: int, totals: list[tuple[object, ...]]
) -> None:
    found = club_totals(TABLE, ROWS, best=best)
    assert [(row.rank, row.name, row.total, row.counted, row.missing) for row in found] == totals


def test_ranks_decide_between_equal_totals() -> None:
    ranked = rank(TABLE, "PTS,TPN")
    assert [(row.rank, row.name) for row in club_totals(TABLE, ranked, best=2)] == [
        (1, "A"),
        (2, "B"),
    ]


def test_clubs_are_compared_without_case_and_spaces() -> None:
    spellings = ["Lisbon  Rooks", "B", "lisbon rooks", "B", "LISBON ROOKS ", " "]
    players = [replace(p, club=c) for p, c in zip(TABLE.players, spellings, strict=True)]
    table = replace(TABLE, players=tuple(players))
    found = club_totals(table, ROWS, best=3)
    assert [(row.name, row.counted) for row in found] == [
        ("Lisbon Rooks", (1, 3, 5)),
        ("B", (2, 4)),
    ]


def test_of_equal_totals_the_club_with_fewer_missing_players_is_first() -> None:
    clubs = [
        "",
        "C",
        "A",
        "A",
        "",
        "B",
    ]  # one point from one player, and from two players with half a point
    players = [replace(p, club=c) for p, c in zip(TABLE.players, clubs, strict=True)]
    table = replace(TABLE, players=tuple(players))
    found = club_totals(table, ROWS, best=2)
    assert [(row.rank, row.name, row.total, row.missing) for row in found] == [
        (1, "A", 1, 0),
        (2, "C", 1, 1),
        (3, "B", 0, 1),
    ]


def test_totals_of_federations() -> None:
    (row,) = club_totals(TABLE, ROWS, best=4, by=GroupBy.COUNTRY)
    assert (row.name, row.total, row.counted, row.missing) == ("NOR", 2, (1, 2), 2)


def test_best_must_be_at_least_one() -> None:
    with pytest.raises(StandingsError, match="best must be at least 1, not 0"):
        club_totals(TABLE, ROWS, best=0)
