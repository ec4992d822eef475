"""MARGIN, STARS and QUARKS from proven game scores."""

from dataclasses import replace

import pytest

from tests.tournament.pairing.events import event
from tournament.standings.crosstable import Crosstable, RoundResult
from tournament.standings.errors import TiebreakError
from tournament.standings.table import find_empty_columns, rank, rank_groups
from tournament.standings.tiebreaks import parse_codes

# Rounds 1 and 2: 1 beat 2 by 26-25 and 3 by 30-12; 2 beat 3 by forfeit; 3 had a bye.
PLAYED = event("2f1 3s1\n1s0 Z\nU 1f0")
PROOFS = {
    (1, 1): ((26, 25), 6, 3),
    (1, 2): ((30, 12), 4, 4),
    (2, 1): ((25, 26), 5, 2),
    (3, 2): ((12, 30), 8, 1),
}


def proven(without: tuple[int, int] | None = None) -> Crosstable:
    def proof(number: int, round_number: int, result: RoundResult) -> RoundResult:
        if (number, round_number) == without or (number, round_number) not in PROOFS:
            return result
        score, stars, quarks = PROOFS[number, round_number]
        return replace(result, score=score, stars=stars, quarks=quarks)

    return replace(
        PLAYED,
        players=tuple(
            replace(
                player,
                results=tuple(
                    proof(player.number, index, result)
                    for index, result in enumerate(player.results, start=1)
                ),
            )
            for player in PLAYED.players
        ),
    )


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("MARGIN", {1: 19, 2: -1, 3: -18}),
        ("MARGIN/L+10", {1: 11, 2: -1, 3: -10}),
        ("STARS", {1: 10, 2: 5, 3: 8}),
        ("QUARKS", {1: 7, 2: 2, 3: 1}),
    ],
)
def test_values_come_from_the_records(code: str, values: dict[int, int]) -> None:
    assert {row.number: row.values[code] for row in rank(proven(), code)} == values


def test_the_terms_are_the_games() -> None:
    row = rank(proven(), "MARGIN/L+10")[0]
    assert [(term.opponent, term.value) for term in row.terms("MARGIN/L+10")] == [(2, 1), (3, 10)]


@pytest.mark.parametrize("code", ["MARGIN", "MARGIN/L+10", "STARS", "QUARKS"])
def test_one_game_without_a_proven_score_leaves_the_column_empty(code: str) -> None:
    table = proven(without=(3, 2))

    rows = rank(table, f"{code},TPN")

    assert [row.values[code] for row in rows] == [None] * 3
    assert [row.rank for row in rows] == [1, 2, 3]
    assert rows[0].terms(code) == ()
    assert rank_groups(table, f"{code},TPN") == ((1,), (2,), (3,))
    assert find_empty_columns(table, parse_codes(f"PTS,{code}")) == {
        code: "it needs every game proven by its record; the game of 3 and 1 in round 2 is not"
    }
    assert find_empty_columns(proven(), parse_codes(f"PTS,{code}")) == {}


def test_a_negative_limit_is_an_error() -> None:
    with pytest.raises(TiebreakError, match="MARGIN/L-5 has a negative limit"):
        rank(proven(), "MARGIN/L-5")
