"""The family's own: MARGIN, STARS and QUARKS, read from game scores that records prove.

They count games over the board alone: a forfeit or a bye brings nothing. One game without a
proven record takes the code off the table, since a claimed margin can be made up.
"""

from collections.abc import Callable, Sequence

from tournament.standings.crosstable import PLAYED, PlayerId, RoundResult
from tournament.standings.errors import TiebreakError
from tournament.standings.tiebreaks.buchholz import Tallies
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import Element, ScoreTable, Tally, Why


def margin(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Sum own minus opponent's game score; `L+n` caps a game at n, either way.

    Raises TiebreakError for a negative cap, and naming the first game no record proves.
    """
    cap = code.limit
    if cap is not None and cap < 0:
        raise TiebreakError(f"{code} caps a game at less than nothing", str(code), ("MARGIN/L+n",))

    def difference(result: RoundResult) -> int | None:
        if result.score is None:
            return None
        own, opponents = result.score
        gap = own - opponents
        return gap if cap is None else max(-cap, min(cap, gap))

    return _sum(ledger, group, code, difference)


def stars(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Sum the own stars; raises TiebreakError naming the first game no record proves."""
    return _sum(ledger, group, code, lambda result: result.stars)


def quarks(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Sum the own quarks; raises TiebreakError naming the first game no record proves."""
    return _sum(ledger, group, code, lambda result: result.quarks)


def _sum(
    ledger: ScoreTable,
    group: Sequence[PlayerId],
    code: TiebreakCode,
    read: Callable[[RoundResult], int | None],
) -> Tallies:
    tallies = {}
    for number in group:
        elements = []
        for index, result in enumerate(ledger.rows[number]):
            if result.kind not in PLAYED:
                continue
            value = read(result)
            if value is None:
                raise TiebreakError(
                    f"{code} needs every game proven by its record; round {index + 1}, "
                    f"{number} against {result.opponent}, is not",
                    str(code),
                )
            elements.append(Element(index + 1, result.opponent, value, value, Why.SCORE))
        tallies[number] = Tally(sum(e.value for e in elements), tuple(elements))
    return tallies
