"""Tie-breaks of the *Star games: MARGIN, STARS and QUARKS, from proven game scores.

Only played games count. A code cannot be used if a game has no record that proves its score,
because the players could agree on any margin.
"""

from collections.abc import Callable, Sequence

from games.rules.text import Text
from tournament.standings.crosstable import PLAYED, PlayerId, RoundResult
from tournament.standings.errors import TiebreakError
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import TermKind, TiebreakTerm, Values, sum_terms


def margin(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of the player's minus the opponent's game scores; `L+n` limits a game to n.

    Raises TiebreakError for a negative limit, and for the first game without a proven score.
    """
    limit = code.limit
    if limit is not None and limit < 0:
        raise TiebreakError(
            Text("%(code)s has a negative limit", code=code), str(code), ("MARGIN/L+n",)
        )

    def difference(result: RoundResult) -> int | None:
        if result.score is None:
            return None
        own, opponents = result.score
        return own - opponents if limit is None else max(-limit, min(limit, own - opponents))

    return _sum(table, group, code, difference)


def stars(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of the player's stars; raises TiebreakError as `margin` does."""
    return _sum(table, group, code, lambda result: result.stars)


def quarks(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of the player's quarks; raises TiebreakError as `margin` does."""
    return _sum(table, group, code, lambda result: result.quarks)


def _sum(
    table: ScoreTable,
    group: Sequence[PlayerId],
    code: TiebreakCode,
    read: Callable[[RoundResult], int | None],
) -> Values:
    values = {}
    for number in group:
        terms = []
        for index, result in enumerate(table.results[number]):
            if result.kind not in PLAYED:
                continue
            value = read(result)
            if value is None:
                raise TiebreakError(
                    Text(
                        "%(code)s needs every game proven by its record; the game of "
                        "%(first)s and %(second)s in round %(number)s is not",
                        code=code,
                        first=number,
                        second=result.opponent,
                        number=index + 1,
                    ),
                    str(code),
                )
            terms.append(TiebreakTerm(index + 1, result.opponent, value, value, TermKind.SCORE))
        values[number] = sum_terms(terms)
    return values
