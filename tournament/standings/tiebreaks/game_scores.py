"""Tie-breaks of the *Star games: MARGIN, STARS and QUARKS, from proven game scores.

Only played games count. If one of them has no record that proves its score, the players could have
agreed on any margin: the code then has no value for anybody, as the codes of C.07 article 10 have
none if a player is unrated.
"""

from collections.abc import Callable, Sequence

from games.rules.text import Text
from tournament.standings.crosstable import PLAYED, PlayerId, RoundResult
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import TermKind, TiebreakTerm, Value, Values, sum_terms

Reader = Callable[[RoundResult], int | None]


def margin(table: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Values:
    """Return the sum of the player's minus the opponent's game scores; `L+n` limits a game to n."""
    limit = code.limit

    def difference(result: RoundResult) -> int | None:
        if result.score is None:
            return None
        own, opponents = result.score
        return own - opponents if limit is None else max(-limit, min(limit, own - opponents))

    return _sum(table, group, difference)


def stars(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the sum of the player's stars."""
    return _sum(table, group, _stars)


def quarks(table: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Values:
    """Return the sum of the player's quarks."""
    return _sum(table, group, _quarks)


def lacks_a_score(table: ScoreTable) -> Text | None:
    """Return which game has no proven score, None if all games have one."""
    return _unproven_game(table, _score)


def lacks_stars(table: ScoreTable) -> Text | None:
    """Return which game has no proven stars."""
    return _unproven_game(table, _stars)


def lacks_quarks(table: ScoreTable) -> Text | None:
    """Return which game has no proven quarks."""
    return _unproven_game(table, _quarks)


def _score(result: RoundResult) -> int | None:
    return result.score and result.score[0]


def _stars(result: RoundResult) -> int | None:
    return result.stars


def _quarks(result: RoundResult) -> int | None:
    return result.quarks


def _unproven_game(table: ScoreTable, read: Reader) -> Text | None:
    for round_number in range(1, table.rounds + 1):
        for number, results in table.results.items():
            result = results[round_number - 1]
            if result.kind in PLAYED and read(result) is None:
                return Text(
                    "it needs every game proven by its record; the game of %(first)s and "
                    "%(second)s in round %(number)s is not",
                    first=number,
                    second=result.opponent,
                    number=round_number,
                )
    return None


def _sum(table: ScoreTable, group: Sequence[PlayerId], read: Reader) -> Values:
    if _unproven_game(table, read):
        return dict.fromkeys(group, Value(None))
    values = {}
    for number in group:
        terms = []
        for index, result in enumerate(table.results[number]):
            value = read(result) if result.kind in PLAYED else None
            if value is not None:
                terms.append(TiebreakTerm(index + 1, result.opponent, value, value, TermKind.SCORE))
        values[number] = sum_terms(terms)
    return values
