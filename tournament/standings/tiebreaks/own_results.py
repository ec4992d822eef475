"""A player's own results: PTS and article 7 of C.07 (edition of 2026-03-01), RTNG of 10.6.

In a round robin a won forfeit is a game here, a lost one is not (15.2), and the free round of an
odd field is neither played nor missed (15.3).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

from games.rules.seat import Seat
from tournament.standings.crosstable import PLAYED, Kind, PlayerId, RoundResult
from tournament.standings.tiebreaks.buchholz import Tallies
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.cuts import cut_first_rounds
from tournament.standings.tiebreaks.score_table import Element, ScoreTable, Tally, Why


def points(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Sum all points awarded."""
    return {
        number: Tally(
            ledger.scores[number],
            tuple(
                Element(index + 1, ledger.rows[number][index].opponent, award, award, Why.ROUND)
                for index, award in enumerate(ledger.awards[number])
            ),
        )
        for number in group
    }


def mcmahon_score(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Sum the starting score, told as round 0, and all points awarded; without one the points."""
    tallies = {}
    for number, tally in points(ledger, group, code).items():
        start = ledger.crosstable.by_number[number].start
        elements = (Element(0, None, start, start, Why.START), *tally.elements)
        tallies[number] = Tally(ledger.scores[number] + start, elements)
    return tallies


def wins(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Count the rounds that gave exactly the points of a win, played or not (7.1)."""
    win = ledger.points.win
    return _count(ledger, group, lambda _, award: award == win)


def games_won(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Count the games won over the board (7.2)."""
    won = {Kind.WIN, Kind.FORFEIT_WIN} if ledger.is_round_robin else {Kind.WIN}
    return _count(ledger, group, lambda result, _: result.kind in won)


def games_second(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Count the games played from the second seat, FIDE's black (7.3)."""
    games = PLAYED | {Kind.FORFEIT_WIN} if ledger.is_round_robin else PLAYED
    return _count(
        ledger, group, lambda result, _: result.seat is Seat.SECOND and result.kind in games
    )


def games_won_second(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Count the games won from the second seat (7.4)."""
    won = {Kind.WIN, Kind.FORFEIT_WIN} if ledger.is_round_robin else {Kind.WIN}
    return _count(
        ledger, group, lambda result, _: result.seat is Seat.SECOND and result.kind in won
    )


def progressive(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Sum the scores after each round; Cn leaves out the first n (7.5, 14.1)."""
    tallies = {}
    for number in group:
        elements = tuple(
            Element(index + 1, ledger.rows[number][index].opponent, score, score, Why.ROUND)
            for index, score in enumerate(accumulate(ledger.awards[number]))
        )
        cuts = cut_first_rounds(elements, code.low)
        tallies[number] = Tally(sum(e.value for e in elements[len(cuts) :]), elements, cuts)
    return tallies


def rounds_elected(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Count the rounds but those given away: requested byes and lost forfeits (7.6)."""
    if ledger.is_round_robin:
        return _count(ledger, group, lambda result, _: result.kind is not Kind.FORFEIT_LOSS)
    return _count(ledger, group, lambda result, _: not result.is_voluntary)


def standard_score(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Count one for a round that beat its opponent or a draw, half for an equal one (7.7).

    A double forfeit is read as the text stands: equal points.
    """
    tallies = {}
    for number in group:
        elements = []
        for index, result in enumerate(ledger.rows[number]):
            award = ledger.awards[number][index]
            other = ledger.points.draw
            if result.opponent is not None:
                other = ledger.awards[result.opponent][index]
            worth = Fraction(1, 2) if award == other else int(award > other)
            elements.append(Element(index + 1, result.opponent, award, worth, Why.ROUND))
        tallies[number] = Tally(sum(e.value for e in elements), tuple(elements))
    return tallies


def pairing_number(_ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Take the final pairing number; the lowest is best (7.8)."""
    return {number: _own(number) for number in group}


def own_rating(ledger: ScoreTable, group: Sequence[PlayerId], _: TiebreakCode) -> Tallies:
    """Take the own rating; off the list when somebody is unrated and no rule says how (10.6)."""
    if not ledger.has_all_ratings:
        return {number: Tally(None) for number in group}
    return {number: _own(ledger.rating(number)) for number in group}


def _own(value: int) -> Tally:
    return Tally(value, (Element(0, None, value, value, Why.OWN),))


def _count(
    ledger: ScoreTable, group: Sequence[PlayerId], counts: Callable[[RoundResult, int], bool]
) -> Tallies:
    tallies = {}
    for number in group:
        awards = ledger.awards[number]
        elements = tuple(
            Element(index + 1, result.opponent, 1, 1, Why.ROUND)
            for index, result in enumerate(ledger.rows[number])
            if counts(result, awards[index])
        )
        tallies[number] = Tally(len(elements), elements)
    return tallies
