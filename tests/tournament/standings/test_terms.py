"""Each value can say what it was made of: opponents, adjustments, cuts."""

from fractions import Fraction

from tests.tournament.pairing.test_monrad import event
from tests.tournament.standings.test_golden import DATA
from tournament.standings.table import StandingsRow, TiebreakTerm, rank
from tournament.standings.tiebreaks.score_table import Cut, Why
from tournament.trf import read_trf


def row_of(case: str, number: int, code: str) -> StandingsRow:
    document = read_trf((DATA / "cases" / f"{case}.trf").read_bytes())
    return next(row for row in rank(document.crosstable, code) if row.number == number)


def term(round_number: int, opponent: int | None, value: float, why: Why) -> tuple[object, ...]:
    return (round_number, opponent, value, why)


def seen(terms: tuple[TiebreakTerm, ...]) -> list[tuple[object, ...]]:
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
    assert terms[1].as_json() == {
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


def test_direct_encounter_keeps_the_games_that_parted_the_group() -> None:
    # 1 and 2 have two points of three, 3 and 4 one; their own games part them again.
    ring = event("2f1 3f0 4f1\n1s0 4f1 3f1\n4s0 1s1 2s0\n3f1 2s0 1s0", round_robin=True)
    rows = {row.number: row for row in rank(ring, "DE")}
    assert {number: row.values["DE"] for number, row in rows.items()} == {1: 1, 2: 2, 4: 3, 3: 4}
    assert [(t.opponent, t.value) for t in rows[2].terms("DE")] == [(1, 0), (4, 1), (3, 1)]


def test_a_performance_names_the_ratings_and_the_points() -> None:
    terms = row_of("11-ptp-exact", 1, "PTP").terms("PTP")
    assert sum(t.value or 0 for t in terms) == Fraction(3, 2)
    assert [(t.opponent, t.basis) for t in terms] == [(2, 1600), (3, 1650), (4, 1700)]
