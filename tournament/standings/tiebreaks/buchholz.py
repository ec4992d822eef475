"""Buchholz: BH, FB and AOB (C.07 articles 8.1-8.3, 2026-03-01)."""

from collections.abc import Sequence

from tournament.standings.crosstable import PlayerId
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.cuts import cut_terms
from tournament.standings.tiebreaks.opponent_scores import opponent_terms, score_terms
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import TermKind, Values, average_terms, sum_terms


def buchholz(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of the opponents' scores (8.1); BH/F is FB."""
    terms = score_terms(table.fore if code.fore else table, forfeits_count=code.forfeits_count)
    return {number: sum_terms(cut_terms(terms[number], code.low, code.high)) for number in group}


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
