"""Koya, KS (C.07 article 9.2, 2026-03-01)."""

from collections.abc import Sequence

from tournament.standings.crosstable import PlayerId
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import TermKind, TiebreakTerm, Values, sum_terms


def koya(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the points scored against players with at least half of the maximum score.

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
