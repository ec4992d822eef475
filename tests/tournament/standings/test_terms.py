"""Each value can say what it was made of: opponents, adjustments, cuts."""

import pytest

from tests.tournament.standings.test_golden import DATA, ROUND_ROBIN, SWISS, load
from tournament.standings.table import Row, Term, rank
from tournament.standings.tiebreaks.ledger import Cut, Why
from tournament.standings.trf import read_trf

SUMS = ["PTS", "BH", "BH/C1", "BH/C2", "BH/M1", "BH/P", "FB/C1", "SB", "SB/C1", "PS/C1", "KS"]
SUMS_ROUND_ROBIN = ["PTS", "SB", "SB/C1", "SB/C2", "PS", "KS", "WIN", "STD"]


def row_of(case: str, number: int, code: str) -> Row:
    document = read_trf((DATA / "cases" / f"{case}.trf").read_bytes())
    return next(row for row in rank(document.crosstable, code) if row.number == number)


def term(round_number: int, opponent: int | None, value: float, why: Why) -> tuple[object, ...]:
    return (round_number, opponent, value, why)


def seen(terms: tuple[Term, ...]) -> list[tuple[object, ...]]:
    return [(t.round, t.opponent, t.value, t.why) for t in terms]


def test_a_withdrawn_opponent_counts_as_adjusted() -> None:
    assert seen(row_of("01-trailing-bye", 1, "BH").terms("BH")) == [
        term(1, 4, 1, Why.ADJUSTED),
        term(2, 2, 2.5, Why.SCORE),
        term(3, 3, 1, Why.SCORE),
    ]


def test_a_won_forfeit_is_capped_by_the_opponent() -> None:
    terms = row_of("02-forfeit-win-capped", 1, "BH").terms("BH")
    assert seen(terms)[0] == term(1, 4, 2, Why.DUMMY_OF_OPPONENT)


def test_a_bye_is_capped_by_a_draw_a_round() -> None:
    terms = row_of("05-half-point-bye-middle", 1, "BH/C1").terms("BH/C1")
    assert seen(terms)[1] == term(2, None, 1.5, Why.DUMMY_OF_DRAWS)
    assert [t.cut for t in terms] == [None, Cut.VOLUNTARY, None]


def test_high_and_low_cuts_are_told_apart() -> None:
    terms = row_of("07-cut-with-vur", 1, "BH/M1").terms("BH/M1")
    assert [(t.round, t.cut) for t in terms if t.cut] == [(2, Cut.VOLUNTARY), (3, Cut.HIGH)]


def test_a_term_is_written_as_exact_text() -> None:
    terms = row_of("05-half-point-bye-middle", 1, "BH/C1").terms("BH/C1")
    assert terms[1].as_dict() == {
        "round": 2,
        "opponent": None,
        "basis": "1.5",
        "value": "1.5",
        "why": "dummy-capped-by-draws",
        "cut": "voluntary",
    }


def test_direct_encounter_names_who_was_met() -> None:
    terms = row_of("06-de-one-game-missing", 1, "PTS,DE").terms("DE")
    assert [(t.opponent, t.value) for t in terms] == [(2, 1), (3, 1)]


@pytest.mark.parametrize("name", SWISS + ROUND_ROBIN)
def test_a_value_is_the_sum_of_the_terms_that_were_not_cut(name: str) -> None:
    codes = SUMS_ROUND_ROBIN if name in ROUND_ROBIN else SUMS
    for row in rank(load(name), codes):
        for code in codes:
            parts = [term.value or 0 for term in row.terms(code) if term.cut is None]
            assert row.values[code] == sum(parts), (row.number, code)
