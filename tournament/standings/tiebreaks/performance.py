"""Opponents' ratings: ARO, TPR, PTP, APRO, APPO (C.07 article 10, edition of 2026-03-01).

Only games over the board count, in a Swiss and in a round robin (15.2). With an unrated player
in the field and no published value these codes are undefined for everybody, and so is a player
who has no game left to average. Rounding is half up, on exact numbers. A won game is one point
here and a drawn one a half, whatever the event awards: a rating knows no other score.

The two tables are those of B.02: the score expected from a rating difference (8.1.2), in whole
per cent, without the cut at 400 points; and the difference that stands for a score (8.1.1).
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction

from tournament.standings.crosstable import PLAYED, Kind, PlayerId
from tournament.standings.tiebreaks.buchholz import Tallies, average, opponents_values
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.cuts import cut_ratings
from tournament.standings.tiebreaks.score_table import Element, Number, ScoreTable, Tally, Why

# fmt: off
# The widest difference at which the stronger side is expected to score 50, 51, ... 99 per cent.
WIDEST_DIFFERENCE = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
)
# The difference that a score of 50, 51, ... 100 per cent stands for.
DIFFERENCE_OF_SCORE = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)
# fmt: on
GAME_POINTS: dict[Kind, Number] = {Kind.WIN: 1, Kind.DRAW: Fraction(1, 2), Kind.LOSS: 0}
CERTAIN_DIFFERENCE = WIDEST_DIFFERENCE[-1] + 1
FULL_SCORE_DIFFERENCE = DIFFERENCE_OF_SCORE[-1]


def expected_percent(difference: int) -> int:
    """Give the score in per cent expected of a player rated `difference` above the opponent."""
    stronger = 50 + bisect_left(WIDEST_DIFFERENCE, abs(difference))
    return stronger if difference >= 0 else 100 - stronger


def difference_of(percent: int) -> int:
    """Give the rating difference that a score in per cent stands for."""
    if percent >= 50:
        return DIFFERENCE_OF_SCORE[percent - 50]
    return -DIFFERENCE_OF_SCORE[50 - percent]


def half_up(value: Fraction) -> int:
    """Round to the nearest whole number, a half upwards."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def average_rating(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Average the ratings of the opponents, once a game (10.1)."""
    tallies = {}
    for number in group:
        elements = _rated_games(ledger, number)
        cuts = cut_ratings(elements, code.low, code.high)
        left = [element.value for i, element in enumerate(elements) if i not in cuts]
        mean = half_up(Fraction(sum(left)) / len(left)) if left else None
        tallies[number] = Tally(mean, elements, cuts)
    return tallies


def performance(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Add the difference of the score, rounded to a whole per cent, to the average (10.2)."""
    tallies = {}
    for number in group:
        elements = _scored_games(ledger, number)
        if not elements:
            tallies[number] = Tally(None)
            continue
        mean = half_up(Fraction(sum(e.basis for e in elements)) / len(elements))
        score = Fraction(sum(e.value for e in elements)) / len(elements)
        tallies[number] = Tally(mean + difference_of(half_up(100 * score)), elements)
    return tallies


def perfect_performance(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Find the lowest rating whose expected score reaches the score made (10.3).

    Compared in whole per cent, so equality is exact. A score of nothing gives the lowest
    opponent less 800, a full score the highest plus 736.
    """
    tallies = {}
    for number in group:
        elements = _scored_games(ledger, number)
        if not elements:
            tallies[number] = Tally(None)
            continue
        ratings = [int(element.basis) for element in elements]
        half_points = int(2 * sum(element.value for element in elements))
        tallies[number] = Tally(_perfect_rating(ratings, half_points), elements)
    return tallies


def average_performance(
    ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode
) -> Tallies:
    """Average the TPR of the opponents met over the board (10.4)."""
    return _averages(ledger, group, performance(ledger, list(ledger.rows), code))


def average_perfect_performance(
    ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode
) -> Tallies:
    """Average the PTP of the opponents met over the board (10.5)."""
    return _averages(ledger, group, perfect_performance(ledger, list(ledger.rows), code))


def _averages(ledger: ScoreTable, group: Sequence[PlayerId], tallies: Tallies) -> Tallies:
    values = {number: tally.value for number, tally in tallies.items() if tally.value is not None}
    means = {}
    for number in group:
        exact = average(opponents_values(ledger, number, values))
        rounded = None if exact.value is None else half_up(Fraction(exact.value))
        means[number] = Tally(rounded, exact.elements)
    return means


def _rated_games(ledger: ScoreTable, number: PlayerId) -> tuple[Element, ...]:
    if not ledger.has_all_ratings:
        return ()
    elements = []
    for index, result in enumerate(ledger.rows[number]):
        if result.opponent is not None and result.kind in PLAYED:
            rating = ledger.rating(result.opponent)
            elements.append(Element(index + 1, result.opponent, rating, rating, Why.RATING))
    return tuple(elements)


def _scored_games(ledger: ScoreTable, number: PlayerId) -> tuple[Element, ...]:
    """Give an element a game: what it is drawn from is the rating, its value the points made."""
    rows = ledger.rows[number]
    return tuple(
        element._replace(value=GAME_POINTS[rows[element.round - 1].kind])
        for element in _rated_games(ledger, number)
    )


def _perfect_rating(ratings: list[int], half_points: int) -> int:
    if half_points == 0:
        return min(ratings) - FULL_SCORE_DIFFERENCE

    def is_enough(rating: int) -> bool:
        expected = sum(expected_percent(rating - opponent) for opponent in ratings)
        return expected >= 50 * half_points

    low, high = min(ratings) - CERTAIN_DIFFERENCE, max(ratings) + CERTAIN_DIFFERENCE
    while low < high:
        middle = (low + high) // 2
        if is_enough(middle):
            high = middle
        else:
            low = middle + 1
    return low
