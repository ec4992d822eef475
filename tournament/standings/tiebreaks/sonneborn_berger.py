"""Sonneborn-Berger, SB (C.07 article 9.1, 2026-03-01)."""

from collections.abc import Sequence

from tournament.standings.crosstable import PlayerId
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.cuts import cut_terms
from tournament.standings.tiebreaks.opponent_scores import score_terms
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import TiebreakTerm, Values, sum_terms


def sonneborn_berger(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of each opponent's score times the points scored against them."""
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
