"""Values computed again from their terms: sums, means, performances and places."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
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
from tournament.standings.table import StandingsRow, rank
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


@given(st.integers(0, 10**6))
def test_direct_encounter_follows_from_its_terms(seed: int) -> None:
    table = round_robin(seed) if seed % 3 == 0 else swiss(seed)
    win = Fraction(table.points.win, table.points.unit)
    for code in ("DE", "DE/P"):
        for group in tied(rank(table, ["PTS", code])):
            games = {
                (row.number, term.opponent): term.value for row in group for term in row.terms(code)
            }
            for row in group:
                met = {term.opponent for term in row.terms(code)}
                assert met <= {other.number for other in group} - {row.number}
            numbers = [row.number for row in group]
            places = article_6(numbers, games, win, is_round_robin=table.round_robin)
            assert {row.number: row.values[code] for row in group} == places


def tied(rows: Sequence[StandingsRow]) -> list[list[StandingsRow]]:
    return [list(group) for _, group in groupby(rows, key=lambda row: row.values["PTS"])]


def article_6(
    group: list[int],
    games: dict[tuple[int, int | None], int | Fraction],
    win: Fraction,
    *,
    is_round_robin: bool,
) -> dict[int, int]:
    """Rank a group literally by article 6, from the points scored against each opponent."""
    scored = {
        player: sum((games.get((player, other), 0) for other in group), Fraction(0))
        for player in group
    }
    missing = {
        player: sum((player, other) not in games for other in group if other != player)
        for player in group
    }
    parts: list[list[int]] = []
    if is_round_robin or not any(missing.values()):
        parts = [
            [player for player in group if scored[player] == level]
            for level in sorted(set(scored.values()), reverse=True)
        ]
    else:
        left = list(group)
        while len(left) > 1:
            best = max(left, key=lambda player: scored[player])
            rivals = [scored[other] + win * missing[other] for other in left if other != best]
            if scored[best] <= max(rivals):
                break
            parts.append([best])
            left.remove(best)
        parts.append(left)
    if len(parts) == 1:
        return dict.fromkeys(group, 1)
    places: dict[int, int] = {}
    for part in parts:
        inner = article_6(part, games, win, is_round_robin=is_round_robin)
        places |= {player: len(places) + place for player, place in inner.items()}
    return places
