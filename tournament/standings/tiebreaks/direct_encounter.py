"""Direct encounter, DE (C.07 article 6, 2026-03-01), for players who are still tied.

The games of the tied players with each other form a table. If all of them have met (in a round
robin: always), it ranks them, and those who are still tied start again with their own table (6.2).
If some have not met, in a Swiss, a place is given only if it is certain whatever the results of
the missing games; the table gives place after place, and the others start again (6.3).
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from tournament.standings.crosstable import PAIRED, PLAYED, Kind, PlayerId
from tournament.standings.points import Number
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import TermKind, TiebreakTerm, Value, Values


class _Encounters(NamedTuple):
    """The table of a tied group: the points against each other, and a term for each opponent."""

    totals: dict[PlayerId, Number]
    terms: dict[PlayerId, tuple[TiebreakTerm, ...]]


def direct_encounter(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Rank the tied players by their games with each other; the value is the place in the group.

    In a Swiss, players with only a forfeit between them have not met (6.1.1), unless the modifier
    P counts forfeits. The result of several games between two players is their average (6.1.2).
    The terms are those of the table of the whole group.
    """
    games = PAIRED if code.forfeits_count or table.is_round_robin else PLAYED
    whole = _encounters(table, list(group), games)
    values: Values = {}
    place = 1
    waiting = [list(group)]
    while waiting:
        tied = waiting.pop()
        parts = [tied]
        if len(tied) > 1:
            encounters = whole if len(tied) == len(group) else _encounters(table, tied, games)
            parts = _split(table, tied, encounters)
        if len(parts) > 1:
            waiting.extend(reversed(parts))
            continue
        for number in tied:
            values[number] = Value(place, whole.terms[number])
        place += len(tied)
    return values


def _split(
    table: ScoreTable, tied: list[PlayerId], encounters: _Encounters
) -> list[list[PlayerId]]:
    totals = encounters.totals
    order = sorted(tied, key=lambda number: (-totals[number], number))
    missing = {number: len(tied) - 1 - len(encounters.terms[number]) for number in tied}
    if table.is_round_robin or not any(missing.values()):
        return [list(equal) for _, equal in groupby(order, key=totals.__getitem__)]

    win = table.points.win
    best_below: list[Number] = [-1] * len(order)
    for index in range(len(order) - 2, -1, -1):
        below = order[index + 1]
        possible = totals[below] + win * missing[below]
        best_below[index] = max(best_below[index + 1], possible)
    certain = 0
    while certain < len(order) - 1 and totals[order[certain]] > best_below[certain]:
        certain += 1
    return [*([number] for number in order[:certain]), order[certain:]]


def _encounters(table: ScoreTable, tied: list[PlayerId], games: frozenset[Kind]) -> _Encounters:
    members = set(tied)
    totals: dict[PlayerId, Number] = {}
    terms: dict[PlayerId, tuple[TiebreakTerm, ...]] = {}
    for number in tied:
        met: dict[PlayerId, list[int]] = {}
        for index, result in enumerate(table.results[number]):
            if result.opponent in members and result.kind in games:
                met.setdefault(result.opponent, []).append(index)
        units = table.round_points[number]
        own_terms = []
        for opponent, rounds in met.items():
            total = sum(units[index] for index in rounds)
            value = total if len(rounds) == 1 else Fraction(total, len(rounds))
            own_terms.append(
                TiebreakTerm(rounds[-1] + 1, opponent, len(rounds), value, TermKind.SCORE)
            )
        terms[number] = tuple(own_terms)
        totals[number] = sum(term.value for term in own_terms)
    return _Encounters(totals, terms)
