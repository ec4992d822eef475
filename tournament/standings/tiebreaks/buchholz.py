"""Opponents' points: BH, FB, AOB, SB (articles 8, 9.1 and 16 of C.07, 2026-03-01) and KS (9.2).

Every round of a Swiss gives an element. Against an opponent its basis is his adjusted score
(16.3); an unplayed round is a game against a dummy whose score is the own one, capped by the
scheduled opponent's or by a draw a round (16.4). In a round robin article 16 is silent: forfeits
are games, a free round is nothing (15.2, 15.3).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from tournament.standings.crosstable import FORFEITS, PAIRED, PLAYED, PlayerId
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.cuts import cut_elements
from tournament.standings.tiebreaks.score_table import Element, Number, ScoreTable, Tally, Why

Tallies = dict[PlayerId, Tally]


def buchholz(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Sum the opponents' adjusted scores, dummies included (8.1; BH/F is FB)."""
    source = ledger.fore if code.fore else ledger
    rows = _contributions(source, code.forfeits_count)
    return {number: _tally(rows[number], code) for number in group}


def fore_buchholz(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Take the Buchholz of the event whose last round ended in draws (8.3)."""
    rows = _contributions(ledger.fore, code.forfeits_count)
    return {number: _tally(rows[number], code) for number in group}


def average_of_buchholz(
    ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode
) -> Tallies:
    """Average the Buchholz of the opponents met over the board, once a game, unrounded (8.2)."""
    source = ledger.fore if code.fore else ledger
    rows = _contributions(source, False)
    sums = {number: sum(element.value for element in row) for number, row in rows.items()}
    return {number: average(opponents_values(ledger, number, sums)) for number in group}


def sonneborn_berger(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Sum the opponents' scores times the points taken from them (9.1)."""
    rows = _contributions(ledger, code.forfeits_count)
    tallies = {}
    for number in group:
        awards = ledger.awards[number]
        products = [
            Element(round_number, opponent, basis, basis * awards[round_number - 1], why, voluntary)
            for round_number, opponent, basis, _, why, voluntary in rows[number]
        ]
        tallies[number] = _tally(products, code)
    return tallies


def koya(ledger: ScoreTable, group: Sequence[PlayerId], code: TiebreakCode) -> Tallies:
    """Count the points against players with at least half of the maximum score (9.2).

    `L±n` moves that limit by n half points (14.5). Made for round robins; in a Swiss the points
    of a forfeit count as well, on which the text is silent.
    """
    twice_the_limit = ledger.games_scheduled * ledger.points.win
    twice_the_limit += (code.limit or 0) * ledger.points.unit
    tallies = {}
    for number in group:
        awards = ledger.awards[number]
        elements = tuple(
            Element(index + 1, opponent, ledger.scores[opponent], awards[index], Why.SCORE)
            for index, opponent in _opponents(ledger, number)
            if 2 * ledger.scores[opponent] >= twice_the_limit
        )
        tallies[number] = Tally(sum(element.value for element in elements), elements)
    return tallies


def opponents_values(
    ledger: ScoreTable, number: PlayerId, values: dict[PlayerId, Number]
) -> tuple[Element, ...]:
    """Give an element for each game over the board, drawn from a value of the opponent."""
    return tuple(
        Element(
            index + 1,
            result.opponent,
            values[result.opponent],
            values[result.opponent],
            Why.OPPONENT_VALUE,
        )
        for index, result in enumerate(ledger.rows[number])
        if result.kind in PLAYED and result.opponent in values
    )


def average(elements: tuple[Element, ...]) -> Tally:
    """Take the exact mean; undefined without elements."""
    if not elements:
        return Tally(None)
    return Tally(Fraction(sum(e.value for e in elements)) / len(elements), elements)


def _opponents(ledger: ScoreTable, number: PlayerId) -> Iterable[tuple[int, PlayerId]]:
    for index, result in enumerate(ledger.rows[number]):
        if result.opponent is not None:
            yield index, result.opponent


def _tally(elements: Sequence[Element], code: TiebreakCode) -> Tally:
    cuts = cut_elements(elements, code.low, code.high)
    if cuts:
        value = sum(element.value for i, element in enumerate(elements) if i not in cuts)
    else:
        value = sum([element.value for element in elements])
    return Tally(value, tuple(elements), cuts)


def _contributions(ledger: ScoreTable, forfeits_count: bool) -> dict[PlayerId, list[Element]]:
    found = ledger.contributions.get(forfeits_count)
    if found is None:
        contribute = _round_robin_elements if ledger.is_round_robin else _swiss_elements
        found = {number: contribute(ledger, number, forfeits_count) for number in ledger.rows}
        ledger.contributions[forfeits_count] = found
    return found


def _round_robin_elements(ledger: ScoreTable, number: PlayerId, _: bool) -> list[Element]:
    scores = ledger.scores
    return [
        Element(index + 1, opponent, scores[opponent], scores[opponent], Why.SCORE)
        for index, opponent in _opponents(ledger, number)
    ]


def _swiss_elements(ledger: ScoreTable, number: PlayerId, forfeits_count: bool) -> list[Element]:
    scores, adjusted = ledger.scores, ledger.adjusted
    games = PAIRED if forfeits_count else PLAYED
    own = scores[number]
    draws = ledger.points.draw * ledger.rounds
    elements = []
    for round_number, result in enumerate(ledger.rows[number], start=1):
        opponent = result.opponent
        voluntary = False
        if opponent is not None and result.kind in games:
            basis = adjusted[opponent]
            why = Why.SCORE if basis == scores[opponent] else Why.ADJUSTED
        elif opponent is not None and result.kind in FORFEITS:
            basis, why = own, Why.DUMMY
            if adjusted[opponent] < own:
                basis, why = adjusted[opponent], Why.DUMMY_OF_OPPONENT
            voluntary = result.is_voluntary
        else:
            basis, why = (own, Why.DUMMY) if own <= draws else (draws, Why.DUMMY_OF_DRAWS)
            voluntary = result.is_voluntary
        elements.append(Element(round_number, opponent, basis, basis, why, voluntary))
    return elements
