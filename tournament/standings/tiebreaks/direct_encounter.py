"""Direct encounter, DE: article 6 of C.07 (edition of 2026-03-01), for players still tied.

The tied players' games among themselves make a table of their own. When all have met (in a round
robin: always) it ranks them, and those still level start again with their own table (6.2). When
some have not, in a Swiss, a place is given only if it is certain whatever the missing games would
have brought, place after place from the same table; the rest start again (6.3).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from tournament.standings.crosstable import PAIRED, PLAYED, PlayerId
from tournament.standings.tiebreaks.buchholz import Tallies
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import Element, Number, ScoreTable, Tally, Why


class _Table(NamedTuple):
    totals: dict[PlayerId, Number]
    elements: dict[PlayerId, tuple[Element, ...]]


def direct_encounter(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Rank the tied players by their games with each other; the value is the place in the group.

    Forfeits are left out in a Swiss, and those two have not met (6.1.1), unless `P` or a round
    robin counts them. Two who met more than once bring the average of their games (6.1.2). The
    elements are the whole group's table, of which every later table is a part.
    """
    games = PAIRED if code.forfeits_count or ledger.is_round_robin else PLAYED
    whole = _table(ledger, list(group), games)
    tallies: Tallies = {}
    place = 1
    waiting = [list(group)]
    while waiting:
        tied = waiting.pop()
        parts = [tied]
        if len(tied) > 1:
            table = whole if len(tied) == len(group) else _table(ledger, tied, games)
            parts = _split(ledger, tied, table)
        if len(parts) > 1:
            waiting.extend(reversed(parts))
            continue
        for number in tied:
            tallies[number] = Tally(place, whole.elements[number])
        place += len(tied)
    return tallies


def _split(ledger: ScoreTable, tied: list[PlayerId], table: _Table) -> list[list[PlayerId]]:
    totals = table.totals
    order = sorted(tied, key=lambda number: (-totals[number], number))
    missing = {number: len(tied) - 1 - len(table.elements[number]) for number in tied}
    if ledger.is_round_robin or not any(missing.values()):
        return _levels(order, totals)

    win = ledger.points.win
    best_below: list[Number] = [-1] * len(order)
    for index in range(len(order) - 2, -1, -1):
        below = order[index + 1]
        possible = totals[below] + win * missing[below]
        best_below[index] = max(best_below[index + 1], possible)
    certain = 0
    while certain < len(order) - 1 and totals[order[certain]] > best_below[certain]:
        certain += 1
    parts = [[number] for number in order[:certain]]
    return [*parts, order[certain:]]


def _levels(order: list[PlayerId], totals: dict[PlayerId, Number]) -> list[list[PlayerId]]:
    levels: list[list[PlayerId]] = []
    for number in order:
        if levels and totals[levels[-1][0]] == totals[number]:
            levels[-1].append(number)
        else:
            levels.append([number])
    return levels


def _table(ledger: ScoreTable, tied: list[PlayerId], games: frozenset[object]) -> _Table:
    members = set(tied)
    totals: dict[PlayerId, Number] = {}
    elements: dict[PlayerId, tuple[Element, ...]] = {}
    for number in tied:
        met: dict[PlayerId, list[int]] = {}
        for index, result in enumerate(ledger.rows[number]):
            if result.opponent in members and result.kind in games:
                met.setdefault(result.opponent, []).append(index)
        awards = ledger.awards[number]
        row = []
        for opponent, rounds in met.items():
            total = sum(awards[index] for index in rounds)
            value = total if len(rounds) == 1 else Fraction(total, len(rounds))
            row.append(Element(rounds[-1] + 1, opponent, len(rounds), value, Why.SCORE))
        elements[number] = tuple(row)
        totals[number] = sum(element.value for element in row)
    return _Table(totals, elements)
