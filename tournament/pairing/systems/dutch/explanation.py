"""Explain a round of the Dutch system, board by board.

`explain` says for each board where its players come from, which nearer players were barred, which
rule decided the seats and, on request, what the round would lose without the pair. `why_not` says
what the round would lose if two given players met. The losses come from pairing the round again
(`alternatives`).
"""

from collections.abc import Iterator
from itertools import islice

from games.rules.seat import Seat
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.findings import ExplainedPairing, Finding, FindingCode
from tournament.pairing.history import opponents_met
from tournament.pairing.request import PairingRequest, Pairings, in_both_orders
from tournament.pairing.sentences import Sentence, explain_loss
from tournament.pairing.systems.dutch.alternatives import Alternatives, Loss
from tournament.pairing.systems.dutch.assessment import SCORE_CRITERIA, Amount
from tournament.pairing.systems.dutch.field import field_of
from tournament.pairing.systems.dutch.round import PairedBracket, bye_of
from tournament.pairing.systems.dutch.seats import decide_seat, order_boards
from tournament.standings.crosstable import PlayerId

MOST_BARRED = 8
"""The maximum number of nearer players for whom a board says that they were barred."""


def explain(
    request: PairingRequest, *, alternatives: bool = False
) -> tuple[Pairings, tuple[ExplainedPairing, ...]]:
    """Pair a round and return the reasons by board; raises NoLegalPairing."""
    return _Explanation(request).explain(alternatives=alternatives)


def why_not(request: PairingRequest, a: PlayerId, b: PlayerId) -> Finding:
    """Return why two players do not meet; raises PairingRequestError for unknown players."""
    numbers = request.crosstable.by_number
    if a == b or a not in numbers or b not in numbers:
        raise PairingRequestError(f"{a} and {b} are not two players of the tournament")
    return _Explanation(request).why_not(a, b)


class _Explanation:
    def __init__(self, request: PairingRequest):
        self.request = request
        self.field = field_of(request)
        self.alternatives = Alternatives(self.field)
        self.numbers = self.field.numbers
        self.forbidden = in_both_orders(request.forbidden)

    def explain(self, *, alternatives: bool) -> tuple[Pairings, tuple[ExplainedPairing, ...]]:
        """Return the pairings and the reasons of each board."""
        brackets = self.alternatives.brackets
        bracket_of = {(min(pair), max(pair)): b for b in brackets for pair in b.pairs}
        explained: list[ExplainedPairing] = []
        pairs = []
        for higher, lower in order_boards(self.field, list(bracket_of)):
            reasons = [
                self._scores(higher, lower),
                *islice(self._barred(higher, lower, bracket_of[higher, lower]), MOST_BARRED),
            ]
            seat, rule = decide_seat(self.field, higher, lower)
            first, second = (higher, lower) if seat is Seat.FIRST else (lower, higher)
            pairs.append((self.numbers[first], self.numbers[second]))
            reasons += [
                Sentence.SEATS.about(*pairs[-1], rule=rule.value),
                *self._not_granted(first, second),
            ]
            if alternatives:
                reasons.append(self._without(higher, lower))
            explained.append(ExplainedPairing(*pairs[-1], tuple(reasons)))
        place = bye_of(brackets)
        bye = None if place is None else self.numbers[place]
        if place is not None and bye is not None:
            points = self._points(self.field.scores[place])
            unplayed = self.field.unplayed[place]
            reason = Sentence.LOWEST_SCORE_BYE.about(bye, points=points, unplayed=unplayed)
            explained.append(ExplainedPairing(bye, None, (reason,)))
        return Pairings(tuple(pairs), bye), tuple(explained)

    def why_not(self, a: PlayerId, b: PlayerId) -> Finding:
        """Return what keeps two players apart."""
        place = {number: index for index, number in enumerate(self.numbers)}
        for number in (a, b):
            if number not in place:
                return Sentence.ABSENT.about(number)
        higher, lower = sorted((place[a], place[b]))
        barred = self._why_barred(higher, lower)
        if barred is not None:
            return barred
        loss = self.alternatives.force(higher, lower)
        if loss is None:
            return Sentence.PAIRED.about(a, b)
        return explain_loss(FindingCode.WITH_PAIR, (a, b), self._values(loss))

    def _scores(self, higher: int, lower: int) -> Finding:
        players = (self.numbers[higher], self.numbers[lower])
        scores = (self._points(self.field.scores[higher]), self._points(self.field.scores[lower]))
        if scores[0] == scores[1]:
            return Sentence.SAME_SCORE.about(*players, points=scores[0])
        return Sentence.FLOATS_DOWN.about(*players, **{"from": scores[0], "to": scores[1]})

    def _barred(self, higher: int, lower: int, bracket: PairedBracket) -> Iterator[Finding]:
        """Yield why the higher player could not meet the players between the two."""
        for place in sorted((*bracket.moved, *bracket.residents)):
            if higher < place < lower:
                reason = self._why_barred(higher, place)
                if reason is not None:
                    yield reason

    def _why_barred(self, higher: int, lower: int) -> Finding | None:
        """Return the absolute rule that forbids a pair, if there is one."""
        if self.field.allowed[higher] >> lower & 1:
            return None
        players = (self.numbers[higher], self.numbers[lower])
        met = opponents_met(self.request.earlier(players[0])).get(players[1])
        if met is not None:
            return Sentence.MET_BEFORE_C1.about(*players, round=met)
        if players in self.forbidden:
            return Sentence.KEPT_APART.about(*players)
        seat = self.field.seat_preferences[higher].seat
        assert seat is not None
        return Sentence.ABSOLUTE_SEATS.about(*players, seat=seat.value)

    def _not_granted(self, first: int, second: int) -> Iterator[Finding]:
        for place, seat in ((first, Seat.FIRST), (second, Seat.SECOND)):
            preference = self.field.seat_preferences[place]
            if preference.seat is seat.other:
                yield Sentence.NOT_GRANTED.about(
                    self.numbers[place],
                    strength=preference.strength.name.lower(),
                    difference=preference.difference,
                    seat=preference.seat.value,
                )

    def _without(self, higher: int, lower: int) -> Finding:
        loss = self.alternatives.forbid(higher, lower)
        assert loss is not None
        players = (self.numbers[higher], self.numbers[lower])
        return explain_loss(FindingCode.WITHOUT_PAIR, players, self._values(loss))

    def _values(self, loss: Loss) -> dict[str, str]:
        """Return the values of a loss as texts."""
        bracket = self._points(self.field.scores[self.field.groups[loss.index].start])
        values = {"rule": str(loss.rule), "bracket": bracket}
        if loss.worse is not None:
            is_scores = loss.worse.criterion in SCORE_CRITERIA
            values["actual"] = self._amount(loss.worse.actual, is_scores=is_scores)
            values["alternative"] = self._amount(loss.worse.alternative, is_scores=is_scores)
        return values

    def _amount(self, amount: Amount, *, is_scores: bool) -> str:
        parts = [self._points(units) if is_scores else str(units) for units in amount]
        return " ".join(parts) or "none"

    def _points(self, units: int) -> str:
        return self.request.crosstable.points.format_units(units)
