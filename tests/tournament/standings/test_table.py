"""Ranking by a list of tie-breaks."""

import pytest

from tests.tournament.pairing.events import event
from tournament.standings.crosstable import Competitor, Crosstable
from tournament.standings.errors import TiebreakError
from tournament.standings.table import rank


def test_tied_players_share_a_rank_and_the_next_rank_is_skipped() -> None:
    table = event("2f1\n1s0\n4f=\n3s=\n6f1\n5s0")
    assert [(row.rank, row.number) for row in rank(table, "PTS")] == [
        (1, 1),
        (1, 5),
        (3, 3),
        (3, 4),
        (5, 2),
        (5, 6),
    ]


def test_a_second_direct_encounter_compares_the_smaller_group() -> None:
    # 1 beat 2, 2 beat 3 and 3 beat 1; reversed numbers split them before the second DE.
    table = event("2f1 3s0 Z H\n1s0 Z 3f1 H\nZ 1f1 2s0 H\nZ Z Z Z", rounds=4)
    rows = rank(table, "PTS,DE,TPN/R,DE")
    assert list(rows[0].values) == ["PTS", "DE", "TPN/R", "DE (2)"]
    rows = rank(table, "DE,PTS,DE")
    assert [row.values["DE"] for row in rows] == [1, 1, 1, 1]
    assert [row.values["DE (2)"] for row in rows] == [1, 1, 1, 1]


def test_undefined_values_are_last() -> None:
    table = event("2f=\n1s=\nU")
    players = tuple(
        Competitor(number=p.number, rating=1500, results=p.results) for p in table.players
    )
    rows = rank(Crosstable(players=players, rounds=1), "ARO")
    assert [(row.rank, row.number, row.values["ARO"]) for row in rows] == [
        (1, 1, 1500),
        (1, 2, 1500),
        (3, 3, None),
    ]
    assert rows[-1].values_as_json() == {"ARO": None}


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ("PTS,XYZ", "XYZ is not a tie-break; valid: PTS DE"),
        ("PTS,BH/K1", "K1 is not a modifier of BH; valid: PTS DE"),
        ("WIN/C1", "WIN has no modifier C"),
        ("PTS,BH/C1,BH/C1", "BH/C1 is in the list twice"),
        ("BH/C1/M1", "two modifiers of one kind; valid: PTS DE"),
        ("", "'' is not a tie-break code; valid: PTS DE"),
        ("PTS,", "'' is not a tie-break code; valid: PTS DE"),
        ("BH/C0", "C0 is not a modifier of BH: a cut is C1 to C99; valid: PTS DE"),
        ("BH/C100", "C100 is not a modifier of BH: a cut is C1 to C99"),
        ("BH/M-1", "M-1 is not a modifier of BH: a cut is M1 to M99"),
        ("KS/LX", r"LX is not a modifier of KS: a limit is a number, L\+1, L1 or L-1"),
        ("PTS" + ",DE" * 40, "the list has 41 codes, more than 40"),
    ],
)
def test_invalid_codes_are_rejected(codes: str, message: str) -> None:
    with pytest.raises(TiebreakError, match=message):
        rank(event("2f1\n1s0"), codes)


@pytest.mark.parametrize(
    ("code", "order"), [("TPN", [1, 2, 3]), ("TPN/R", [3, 2, 1]), ("PTS,TPN/R", [1, 3, 2])]
)
def test_the_lowest_pairing_number_is_best_unless_reversed(code: str, order: list[int]) -> None:
    assert [row.number for row in rank(event("2f1\n1s0\nZ"), code)] == order


@pytest.mark.parametrize("code", ["BH", "FB", "AOB", "BH/C1"])
def test_buchholz_is_rejected_in_a_round_robin(code: str) -> None:
    with pytest.raises(TiebreakError, match="is not for a round robin; valid: PTS"):
        rank(event("2f1\n1s0", round_robin=True), code)
