"""Values computed again from their terms: sums, means, performances and places."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.fide import difference_of, expected_percent
from tests.tournament.standings.events import round_robin, swiss
from tests.tournament.standings.golden import ROUND_ROBIN, SWISS, load
from tournament.standings.crosstable import Crosstable, RoundResult
from tournament.standings.points import Number
from tournament.standings.table import rank
from tournament.standings.tiebreaks import TIEBREAKS
from tournament.standings.tiebreaks.values import TiebreakTerm

Terms = Sequence[TiebreakTerm]
"""Terms that are not cut."""
SUM_OF_TERMS = """
    PTS GPTS MMS WIN WON BPG BWG REP STD PS/C1 BH BH/C2 BH/M1 BH/P BH/F FB FB/C1 FB/M2 SB SB/C2
    SB/M1 SB/P KS KS/L+1 KS/L-2 MARGIN MARGIN/L+3 STARS QUARKS TPN TPN/R
"""
MEAN_OF_TERMS = ["AOB", "AOB/F"]
ROUNDED_MEAN_OF_TERMS = ["ARO", "ARO/C1", "ARO/M1", "APRO", "APPO"]


def total(terms: Terms) -> Number:
    return sum(term.value for term in terms)


def mean(terms: Terms) -> Number | None:
    return Fraction(total(terms)) / len(terms) if terms else None


def rounded(value: Number | None) -> Number | None:
    return None if value is None else floor(value + Fraction(1, 2))


def performance(terms: Terms) -> Number | None:
    score = mean(terms)
    ratings = sum(term.basis for term in terms)
    if score is None:
        return None
    return floor(Fraction(ratings) / len(terms) + Fraction(1, 2)) + difference_of(
        floor(100 * score + Fraction(1, 2))
    )


def perfect_performance(terms: Terms) -> Number | None:
    ratings = [int(term.basis) for term in terms]
    made = 100 * total(terms)
    if not made:
        return min(ratings) - 800 if ratings else None
    scale = range(min(ratings) - 1000, max(ratings) + 1000)
    return scale[bisect_left(scale, made, key=lambda own: expected_score(own, ratings))]


def expected_score(own: int, ratings: list[int]) -> int:
    return sum(expected_percent(own - other) for other in ratings)


VALUE_OF: dict[str, Callable[[Terms], Number | None]] = {
    **dict.fromkeys(SUM_OF_TERMS.split(), total),
    **dict.fromkeys(MEAN_OF_TERMS, mean),
    **dict.fromkeys(ROUNDED_MEAN_OF_TERMS, lambda terms: rounded(mean(terms))),
    "TPR": performance,
    "PTP": perfect_performance,
    "STAGE": lambda terms: total(terms) if terms else None,
    "LOST": lambda terms: total(terms) if terms else None,
    "RTNG": lambda terms: total(terms) if terms else None,
    "RTNG/R": lambda terms: total(terms) if terms else None,
}


def test_every_code_is_tested_here() -> None:
    assert {code.split("/")[0] for code in VALUE_OF} | {"DE"} == TIEBREAKS.keys()


def with_proofs(crosstable: Crosstable, seed: int) -> Crosstable:
    """Add scores, stars and quarks to every game, and make some players unrated."""
    random = Random(seed)
    scores: dict[tuple[int, ...], tuple[int, int]] = {}

    def proof(number: int, index: int, result: RoundResult) -> RoundResult:
        if not result.is_played or result.opponent is None:
            return result
        pair = sorted([number, result.opponent])
        low, high = scores.setdefault((index, *pair), (random.randint(0, 40), random.randint(0, 9)))
        score = (low, high) if number == pair[0] else (high, low)
        return replace(result, score=score, stars=random.randint(0, 5), quarks=random.randint(0, 9))

    is_partly_unrated = random.random() < 0.2
    return replace(
        crosstable,
        players=tuple(
            replace(
                player,
                rating=0 if is_partly_unrated and random.random() < 0.2 else player.rating,
                start=random.randint(0, 3),
                results=tuple(proof(player.number, i, r) for i, r in enumerate(player.results)),
            )
            for player in crosstable.players
        ),
    )


@pytest.mark.parametrize("name", SWISS + ROUND_ROBIN)
def test_golden_values_follow_from_their_terms(name: str) -> None:
    check_terms(with_proofs(load(name), int(name)))


@given(st.integers(0, 10**6))
def test_values_of_random_events_follow_from_their_terms(seed: int) -> None:
    table = round_robin(seed) if seed % 3 == 0 else swiss(seed)
    check_terms(replace(with_proofs(table, seed), unrated=[0, 1400][seed % 2]))


def check_terms(table: Crosstable) -> None:
    codes = [
        code
        for code in VALUE_OF
        if not (table.round_robin and TIEBREAKS[code.split("/")[0]].is_swiss_only)
    ]
    for row in [*rank(table, codes[:25]), *rank(table, codes[25:])]:
        results = enumerate(table.by_number[row.number].results, start=1)
        pairings = {(index, result.opponent) for index, result in results}
        for code, value in row.values.items():
            terms = row.terms(code)
            assert value == VALUE_OF[code]([t for t in terms if t.cut is None]), (code, row.number)
            assert {(t.round, t.opponent) for t in terms if t.opponent} <= pairings, code
