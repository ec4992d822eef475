"""A player's own results: PTS, GPTS, MMS, article 7 of C.07 (2026-03-01), and RTNG (10.6).

In a round robin a forfeit win is a game in this article, a forfeit loss is not (15.2), and the free
round of an odd number of players is neither played nor missed (15.3). With two games in a pairing,
WON, BPG and BWG count each game, the other codes the pairing.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, count

from games.rules.seat import Seat
from tournament.standings.crosstable import GAME_POINTS, PLAYED, Kind, PlayerId, RoundResult
from tournament.standings.points import Number
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import (
    Numbers,
    TermKind,
    TiebreakTerm,
    Value,
    Values,
    cut_first_rounds,
    sum_terms,
)


def points(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the points of all rounds."""
    return {
        number: sum_terms(_round_terms(table, number, table.round_points[number]))
        for number in group
    }


def points_numbers(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Numbers:
    """Return the numbers of `points`."""
    return {number: table.scores[number] for number in group}


def mcmahon_score(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the starting score, as round 0, and the points of all rounds."""
    values = {}
    for number in group:
        start = table.crosstable.by_number[number].start
        rounds = _round_terms(table, number, table.round_points[number])
        values[number] = sum_terms([TiebreakTerm(0, None, start, start, TermKind.START), *rounds])
    return values


def game_points(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the points of the games: 1, ½, 0, whatever the points of the event.

    Awarded points do not count. A bye is worth the games of a pairing that is won, drawn or lost,
    whichever its points reach.
    """
    return {
        number: sum_terms(
            TiebreakTerm(index + 1, result.opponent, worth, worth, TermKind.ROUND)
            for index, result in enumerate(table.results[number])
            for worth in [_points_of_games(table, result)]
        )
        for number in group
    }


def _points_of_games(table: ScoreTable, result: RoundResult) -> Number:
    if result.opponent is not None:
        return sum(GAME_POINTS[kind] for kind, _ in result.seated_games)
    units = table.crosstable.units_of(result)
    reached = (kind for kind in (Kind.WIN, Kind.DRAW) if units >= table.points.units_of(kind))
    return GAME_POINTS[next(reached, Kind.LOSS)] * table.crosstable.games_per_pairing


def wins(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the number of rounds worth as much as a win, played or not (7.1)."""
    win = table.points.win
    return _count(table, group, lambda _, units: units == win)


def games_won(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the number of games won (7.2)."""
    won = _games(table) & {Kind.WIN, Kind.FORFEIT_WIN}
    return _count_games(table, group, lambda kind, _: kind in won)


def games_second(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the number of games played as second, FIDE's black (7.3)."""
    games = _games(table)
    return _count_games(table, group, lambda kind, seat: seat is Seat.SECOND and kind in games)


def games_won_second(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the number of games won as second (7.4)."""
    won = _games(table) & {Kind.WIN, Kind.FORFEIT_WIN}
    return _count_games(table, group, lambda kind, seat: seat is Seat.SECOND and kind in won)


def progressive(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of the scores after each round; Cn cuts the first n rounds (7.5, 14.1)."""
    return {
        number: sum_terms(
            cut_first_rounds(
                _round_terms(table, number, accumulate(table.round_points[number])), code.low
            )
        )
        for number in group
    }


def rounds_elected(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the number of rounds without requested byes and forfeit losses (7.6)."""
    if table.is_round_robin:
        return _count(table, group, lambda result, _: result.kind is not Kind.FORFEIT_LOSS)
    return _count(table, group, lambda result, _: not result.is_voluntary)


def standard_score(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Count 1 for each round with more points than the opponent, ½ for equal points (7.7).

    A round without an opponent is compared with a draw. In a double forfeit the points are equal.
    """
    values = {}
    for number in group:
        terms = []
        for term in _round_terms(table, number, table.round_points[number]):
            other = table.points.draw
            if term.opponent is not None:
                other = table.round_points[term.opponent][term.round - 1]
            standard = Fraction(1, 2) if term.basis == other else int(term.basis > other)
            terms.append(term._replace(value=standard))
        values[number] = sum_terms(terms)
    return values


def pairing_number(_table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the final pairing number; the lowest is best (7.8)."""
    return {number: _own_value(number) for number in group}


def own_rating(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the player's rating; undefined for all if a player has none (10.6)."""
    ratings = table.ratings
    return {number: _own_value(ratings[number]) if ratings else Value(None) for number in group}


def _own_value(value: int) -> Value:
    return sum_terms([TiebreakTerm(0, None, value, value, TermKind.OWN)])


def _games(table: ScoreTable) -> frozenset[Kind]:
    return PLAYED | {Kind.FORFEIT_WIN} if table.is_round_robin else PLAYED


def _round_terms(table: ScoreTable, number: PlayerId, units: Iterable[int]) -> list[TiebreakTerm]:
    kind, rounds = TermKind.ROUND, count(1)
    return [
        TiebreakTerm(round_number, result.opponent, worth, worth, kind)
        for round_number, result, worth in zip(rounds, table.results[number], units, strict=False)
    ]


def _count(
    table: ScoreTable, group: Sequence[PlayerId], is_counted: Callable[[RoundResult, int], bool]
) -> Values:
    return {
        number: sum_terms(
            TiebreakTerm(index + 1, result.opponent, 1, 1, TermKind.ROUND)
            for index, result in enumerate(table.results[number])
            if is_counted(result, table.round_points[number][index])
        )
        for number in group
    }


def _count_games(
    table: ScoreTable, group: Sequence[PlayerId], is_counted: Callable[[Kind, Seat | None], bool]
) -> Values:
    return {
        number: sum_terms(
            TiebreakTerm(index + 1, result.opponent, 1, 1, TermKind.ROUND)
            for index, result in enumerate(table.results[number])
            for kind, seat in result.seated_games
            if is_counted(kind, seat)
        )
        for number in group
    }
