"""The scores of the opponents: BH, FB, AOB, SB and KS (C.07 articles 8 and 9, 2026-03-01).

The terms of Buchholz and Sonneborn-Berger follow article 16. In a Swiss each round gives a term.
The basis is the adjusted score of the opponent (16.3). An unplayed round counts as a game against
a dummy with the player's own score, limited by the score of the scheduled opponent or by a draw in
every round (16.4). Article 16 does not apply in a round robin: forfeits are games, and a free round
gives no term (15.2, 15.3).
"""

from collections.abc import Mapping, Sequence

from tournament.standings.crosstable import FORFEITS, PAIRED, PLAYED, Kind, PlayerId
from tournament.standings.points import Number
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import (
    Numbers,
    TermKind,
    TiebreakTerm,
    Values,
    average_terms,
    cut_terms,
    sum_terms,
    sum_without_cuts,
)


def buchholz(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of the opponents' scores (8.1); BH/F is FB."""
    terms = score_terms(table.fore if code.fore else table, forfeits_count=code.forfeits_count)
    return {number: sum_terms(cut_terms(terms[number], code.low, code.high)) for number in group}


def buchholz_numbers(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Numbers:
    """Return the numbers of `buchholz`."""
    terms = score_terms(table.fore if code.fore else table, forfeits_count=code.forfeits_count)
    return {number: sum_without_cuts(terms[number], code.low, code.high) for number in group}


def fore_buchholz(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the Buchholz with all pairings of the last round drawn (8.3)."""
    return buchholz(table.fore, group, code)


def average_of_buchholz(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the mean Buchholz of the opponents of played games, not rounded (8.2)."""
    terms = score_terms(table.fore if code.fore else table, forfeits_count=False)
    sums = {number: sum(term.value for term in own) for number, own in terms.items()}
    return {
        number: average_terms(opponent_terms(table, number, sums, TermKind.OPPONENT_VALUE))
        for number in group
    }


def sonneborn_berger(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of each opponent's score times the points scored against them (9.1)."""
    terms = score_terms(table, forfeits_count=code.forfeits_count)
    values = {}
    for number in group:
        units = table.round_points[number]
        products = [
            TiebreakTerm(
                round_number, opponent, basis, basis * units[round_number - 1], kind, is_vur
            )
            for round_number, opponent, basis, _, kind, is_vur, _ in terms[number]
        ]
        values[number] = sum_terms(cut_terms(products, code.low, code.high))
    return values


def sonneborn_berger_numbers(
    table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode
) -> Numbers:
    """Return the numbers of `sonneborn_berger`."""
    if code.low or code.high:
        values = sonneborn_berger(table, group, code)
        return {number: value.number for number, value in values.items()}
    terms = score_terms(table, forfeits_count=code.forfeits_count)
    return {
        number: sum(
            [term.basis * table.round_points[number][term.round - 1] for term in terms[number]]
        )
        for number in group
    }


def koya(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the points against players with at least half of the maximum score (9.2).

    `L±n` moves that limit by n half points (14.5). The tie-break is meant for round robins; in a
    Swiss the points of forfeits count as well, which the article leaves open.
    """
    twice_the_limit = table.games_scheduled * table.points.win
    twice_the_limit += (code.limit or 0) * table.points.unit
    scores, units = table.scores, table.round_points
    return {
        number: sum_terms(
            TiebreakTerm(
                round_number,
                opponent,
                scores[opponent],
                units[number][round_number - 1],
                TermKind.SCORE,
            )
            for round_number, opponent in table.opponents(number)
            if 2 * scores[opponent] >= twice_the_limit
        )
        for number in group
    }


def score_terms(table: ScoreTable, *, forfeits_count: bool) -> dict[PlayerId, list[TiebreakTerm]]:
    """Return a term for each round of each player, with the score of the opponent as value."""
    terms = table.score_terms.get(forfeits_count)
    if terms is None:
        if table.is_round_robin:
            terms = {
                number: opponent_terms(table, number, table.scores, TermKind.SCORE, PAIRED)
                for number in table.results
            }
        else:
            terms = {
                number: _swiss_terms(table, number, forfeits_count) for number in table.results
            }
        table.score_terms[forfeits_count] = terms
    return terms


def opponent_terms(
    table: ScoreTable,
    number: PlayerId,
    values: Mapping[PlayerId, Number],
    kind: TermKind,
    results: frozenset[Kind] = PLAYED,
) -> list[TiebreakTerm]:
    """Return a term for each of these results, with the opponent's value where it is defined."""
    return [
        TiebreakTerm(round_number, opponent, values[opponent], values[opponent], kind)
        for round_number, opponent in table.opponents(number, results)
        if opponent in values
    ]


def _swiss_terms(table: ScoreTable, number: PlayerId, forfeits_count: bool) -> list[TiebreakTerm]:
    scores, adjusted = table.scores, table.adjusted
    games = PAIRED if forfeits_count else PLAYED
    own = scores[number]
    draws = table.points.draw * table.rounds
    terms = []
    for round_number, result in enumerate(table.results[number], start=1):
        opponent = result.opponent
        is_voluntary = False
        if opponent is not None and result.kind in games:
            basis = adjusted[opponent]
            kind = TermKind.SCORE if basis == scores[opponent] else TermKind.ADJUSTED
        elif opponent is not None and result.kind in FORFEITS:
            basis, kind = own, TermKind.DUMMY
            if adjusted[opponent] < own:
                basis, kind = adjusted[opponent], TermKind.DUMMY_OF_OPPONENT
            is_voluntary = result.is_voluntary
        else:
            basis, kind = own, TermKind.DUMMY
            if draws < own:
                basis, kind = draws, TermKind.DUMMY_OF_DRAWS
            is_voluntary = result.is_voluntary
        terms.append(TiebreakTerm(round_number, opponent, basis, basis, kind, is_voluntary))
    return terms
