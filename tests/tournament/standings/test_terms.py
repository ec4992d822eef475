"""The terms of a value: opponents, adjusted scores, dummies and cuts."""

from fractions import Fraction

from tests.tournament.pairing.events import event
from tests.tournament.standings.golden import DATA
from tournament.standings.table import StandingsRow, rank
from tournament.standings.tiebreaks.values import Cut, TermKind, TiebreakTerm
from tournament.trf import read_trf


def row_of(case: str, number: int, code: str) -> StandingsRow:
    trf = read_trf((DATA / "cases" / f"{case}.trf").read_bytes())
    return next(row for row in rank(trf.crosstable, code) if row.number == number)


def expected(
    round_number: int, opponent: int | None, value: float, kind: TermKind
) -> tuple[object, ...]:
    return (round_number, opponent, value, kind)


def summary(terms: tuple[TiebreakTerm, ...]) -> list[tuple[object, ...]]:
    return [(t.round, t.opponent, t.value, t.kind) for t in terms]


def test_a_withdrawn_opponent_has_an_adjusted_score() -> None:
    assert summary(row_of("01-trailing-bye", 1, "BH").terms("BH")) == [
        expected(1, 4, 1, TermKind.ADJUSTED),
        expected(2, 2, 2.5, TermKind.SCORE),
        expected(3, 3, 1, TermKind.SCORE),
    ]


def test_a_forfeit_win_is_limited_by_the_opponent() -> None:
    terms = row_of("02-forfeit-win-capped", 1, "BH").terms("BH")
    assert summary(terms)[0] == expected(1, 4, 2, TermKind.DUMMY_OF_OPPONENT)


def test_a_bye_is_limited_by_a_draw_in_each_round() -> None:
    terms = row_of("05-half-point-bye-middle", 1, "BH/C1").terms("BH/C1")
    assert summary(terms)[1] == expected(2, None, 1.5, TermKind.DUMMY_OF_DRAWS)
    assert [t.cut for t in terms] == [None, Cut.VOLUNTARY, None]


def test_terms_are_marked_as_high_or_low_cuts() -> None:
    terms = row_of("07-cut-with-vur", 1, "BH/M1").terms("BH/M1")
    assert [(t.round, t.cut) for t in terms if t.cut] == [(2, Cut.VOLUNTARY), (3, Cut.HIGH)]


def test_the_json_form_has_exact_decimals() -> None:
    terms = row_of("05-half-point-bye-middle", 1, "BH/C1").terms("BH/C1")
    assert terms[1].as_json() == {
        "round": 2,
        "number": None,
        "basis": "1.5",
        "value": "1.5",
        "why": "dummy_capped_by_draws",
        "cut": "voluntary",
    }


def test_direct_encounter_has_the_terms_of_the_whole_group() -> None:
    # 1 and 2 have two of three points, 3 and 4 one; their games with each other rank them.
    ring = event("2f1 3f0 4f1\n1s0 4f1 3f1\n4s0 1s1 2s0\n3f1 2s0 1s0", round_robin=True)
    rows = {row.number: row for row in rank(ring, "DE")}
    assert {number: row.values["DE"] for number, row in rows.items()} == {1: 1, 2: 2, 4: 3, 3: 4}
    assert [(t.opponent, t.value) for t in rows[2].terms("DE")] == [(1, 0), (4, 1), (3, 1)]


def test_a_performance_has_ratings_and_points() -> None:
    terms = row_of("11-ptp-exact", 1, "PTP").terms("PTP")
    assert sum(t.value or 0 for t in terms) == Fraction(3, 2)
    assert [(t.opponent, t.basis) for t in terms] == [(2, 1600), (3, 1650), (4, 1700)]
