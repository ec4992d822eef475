"""The terms of BH, FB, AOB and SB: the opponents' scores (C.07 article 16, 2026-03-01).

In a Swiss each round gives a term. The basis is the adjusted score of the opponent (16.3). An
unplayed round counts as a game against a dummy with the player's own score, limited by the score
of the scheduled opponent or by a draw in every round (16.4). Article 16 does not apply in a round
robin: forfeits are games, and a free round gives no term (15.2, 15.3).
"""

from collections.abc import Mapping

from tournament.standings.crosstable import FORFEITS, PAIRED, PLAYED, Kind, PlayerId
from tournament.standings.points import Number
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import TermKind, TiebreakTerm


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
