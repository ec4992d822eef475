"""Opponents' ratings: ARO, TPR, PTP, APRO, APPO (C.07 article 10, 2026-03-01).

Only played games count, in a Swiss and in a round robin (15.2). A value is undefined for a player
without games, and for all players if one is unrated and the regulations give no rating. Exact
numbers are rounded half up. A won game is one point and a drawn game half a point, whatever the
points of the event. With two games in a pairing, TPR and PTP count both games, ARO the opponent
once.

The two tables are those of B.02 in `ratings.systems.fide`, without the limit of 400 points.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from games.rules.text import Text
from ratings.systems.fide import difference_of
from ratings.systems.performance import perfect_rating
from tournament.standings.crosstable import GAME_POINTS, PLAYED, PlayerId
from tournament.standings.tiebreaks.buchholz import opponent_terms
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import (
    TermKind,
    TiebreakTerm,
    Value,
    Values,
    average_terms,
    cut_terms,
)

MOST_NAMED = 5


def lacks_a_rating(table: ScoreTable) -> Text | None:
    """Return which players have no rating, None if all have one (article 10)."""
    players = table.crosstable.players
    unrated = [player.number for player in players if not player.rating]
    if table.crosstable.unrated or not unrated:
        return None
    named = unrated[:MOST_NAMED]
    if len(unrated) > MOST_NAMED:
        left = len(unrated) - MOST_NAMED
        return Text(
            "it needs a rating of every player, and the event gives unrated players none; unrated: "
            "%(players)s and %(count)s more",
            players=named,
            count=left,
        )
    return Text(
        "it needs a rating of every player, and the event gives unrated players none; unrated: "
        "%(players)s",
        players=named,
    )


def average_rating(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the mean rating of the opponents (10.1)."""
    return {
        number: _rounded_mean(
            cut_terms(
                opponent_terms(table, number, table.ratings, TermKind.RATING), code.low, code.high
            )
        )
        for number in group
    }


def performance(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the mean rating plus the difference for the score in whole per cent (10.2)."""

    def rating(terms: Sequence[TiebreakTerm]) -> int:
        mean = _half_up(Fraction(sum(term.basis for term in terms)) / len(terms))
        score = Fraction(sum(term.value for term in terms)) / len(terms)
        return mean + difference_of(_half_up(100 * score))

    return _performances(table, group, rating)


def perfect_performance(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the lowest rating with an expected score of at least the score (10.3).

    The comparison is in whole per cent, so that it is exact. A score of zero gives the lowest
    rating of the opponents minus 800, a full score the highest plus 736.
    """

    def rating(terms: Sequence[TiebreakTerm]) -> int:
        ratings = [int(term.basis) for term in terms]
        return perfect_rating(ratings, int(2 * sum(term.value for term in terms)))

    return _performances(table, group, rating)


def average_performance(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the mean TPR of the opponents of played games (10.4)."""
    return _averages(table, group, performance(table, list(table.results), code))


def average_perfect_performance(
    table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode
) -> Values:
    """Return the mean PTP of the opponents of played games (10.5)."""
    return _averages(table, group, perfect_performance(table, list(table.results), code))


def _half_up(value: Fraction) -> int:
    """Round to the nearest whole number, and a half up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def _rounded_mean(terms: Sequence[TiebreakTerm]) -> Value:
    mean = average_terms(terms)
    return mean if mean.number is None else Value(_half_up(Fraction(mean.number)), mean.terms)


def _averages(table: ScoreTable, group: Sequence[PlayerId], values: Values) -> Values:
    numbers = {player: value.number for player, value in values.items() if value.number is not None}
    return {
        number: _rounded_mean(opponent_terms(table, number, numbers, TermKind.OPPONENT_VALUE))
        for number in group
    }


def _performances(
    table: ScoreTable, group: Sequence[PlayerId], rating: Callable[[Sequence[TiebreakTerm]], int]
) -> Values:
    """Compute a rating from a term for each game: the opponent's rating and the game points."""
    values = {}
    for number in group:
        results = table.results[number]
        terms = tuple(
            term._replace(value=GAME_POINTS[kind])
            for term in opponent_terms(table, number, table.ratings, TermKind.RATING)
            for kind, _ in results[term.round - 1].seated_games
            if kind in PLAYED
        )
        values[number] = Value(rating(terms) if terms else None, terms)
    return values
