"""Explain a round of the Dutch system, board by board.

`explain` says for each board where its players come from, why a player floats, which nearer players
were barred, which rule decided the seats and, on request, what the round would lose without the
pair. Of the bye it says who could not have it. `why_not` says what the round would lose if two
given players met. The losses come from pairing the round again (`alternatives`).
"""

from collections.abc import Iterator
from itertools import islice

from games.rules.messages import gettext_noop
from games.rules.seat import Seat
from games.rules.text import Numeral, Text, Word
from tournament.pairing.bye import bars_pairing_bye
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.findings import ExplainedPairing, Finding, FindingCode
from tournament.pairing.request import PairingRequest, Pairings, in_both_orders
from tournament.pairing.sentences import SEAT_RULES, Sentence
from tournament.pairing.systems.dutch.alternatives import Alternatives, Loss
from tournament.pairing.systems.dutch.field import field_of
from tournament.pairing.systems.dutch.losses import (
    BracketLoss,
    bracket_loss,
    explain_loss,
    in_seat_order,
)
from tournament.pairing.systems.dutch.round import PairedBracket, bye_of
from tournament.pairing.systems.dutch.seat_preferences import Strength
from tournament.pairing.systems.dutch.seats import SeatRule, decide_seat, order_boards
from tournament.standings.crosstable import Kind, PlayerId

BYE_SENTENCES = {
    Kind.PAIRING_BYE: Sentence.HAD_BYE,
    Kind.FORFEIT_WIN: Sentence.WON_BY_FORFEIT,
}
STRENGTHS = {
    Strength.MILD: Word("mild", gettext_noop("mild")),
    Strength.STRONG: Word("strong", gettext_noop("strong")),
    Strength.ABSOLUTE: Word("absolute", gettext_noop("absolute")),
}
MOST_BARRED = 8
"""The maximum number of nearer players for whom a board says that they were barred."""

MOST_COMPARED = 4
"""The maximum number of other opponents, or players for the bye, that are compared."""


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
                *self._floats(higher, alternatives=alternatives),
                self._seats(higher, lower),
            ]
            barred = islice(self._barred(higher, lower, bracket_of[higher, lower]), MOST_BARRED)
            reasons[-1:-1] = [reason for reason in barred if reason not in reasons]
            pair = in_seat_order(self.field, (higher, lower))
            pairs.append((self.numbers[pair[0]], self.numbers[pair[1]]))
            reasons += self._not_granted(*pair)
            if alternatives:
                reasons.append(self._without(higher, lower))
            explained.append(ExplainedPairing(*pairs[-1], tuple(reasons)))
        place = bye_of(brackets)
        bye = None if place is None else self.numbers[place]
        if place is not None and bye is not None:
            passed_over = self._passed_over_for_bye(place, alternatives=alternatives)
            points = self._points(self.field.scores[place])
            unplayed = self.field.unplayed[place]
            reason = Sentence.LOWEST_SCORE_BYE.about(bye, points=points, unplayed=unplayed)
            explained.append(ExplainedPairing(bye, None, (reason, *passed_over)))
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
        return explain_loss(FindingCode.WITH_PAIR, (a, b), self._loss(loss))

    def _scores(self, higher: int, lower: int) -> Finding:
        players = (self.numbers[higher], self.numbers[lower])
        scores = (self._points(self.field.scores[higher]), self._points(self.field.scores[lower]))
        if scores[0] == scores[1]:
            return Sentence.SAME_SCORE.about(*players, points=scores[0])
        return Sentence.FLOATS_DOWN.about(*players, **{"from": scores[0], "to": scores[1]})

    def _floats(self, floater: int, *, alternatives: bool) -> Iterator[Finding]:
        """Yield why a player is not paired in the brackets from which they float."""
        compared = {floater}
        for bracket in self.alternatives.brackets:
            if floater not in bracket.floaters:
                continue
            members = [*bracket.moved, *bracket.residents]
            points = self._points(self.field.scores[bracket.residents.start])
            if len(members) == 1:
                yield Sentence.FLOATS_ALONE.about(self.numbers[floater], points=points)
                continue
            yield Sentence.FLOATS_FROM_BRACKET.about(
                self.numbers[floater],
                points=points,
                paired=2 * len(bracket.pairs),
                size=len(members),
            )
            others = sorted(
                set(members) - compared, key=lambda place: (abs(place - floater), place)
            )
            compared.update(others)
            yield from self._opponents_passed_over(floater, others, alternatives=alternatives)

    def _opponents_passed_over(
        self, floater: int, others: list[int], *, alternatives: bool
    ) -> Iterator[Finding]:
        """Yield the rule that bars each opponent, or what the round would lose."""
        compared = 0
        for other in others:
            barred = self._why_barred(*sorted((floater, other)))
            if barred is not None:
                yield barred
            elif alternatives and compared < MOST_COMPARED:
                compared += 1
                loss = self.alternatives.force(*sorted((floater, other)))
                assert loss is not None
                pair = (self.numbers[floater], self.numbers[other])
                yield explain_loss(FindingCode.WITH_PAIR, pair, self._loss(loss))

    def _passed_over_for_bye(self, bye: int, *, alternatives: bool) -> Iterator[Finding]:
        """Yield why the players of the same score or below do not have the bye, the lowest first.

        Players of the same score above the one who has the bye are included if C2 bars them.
        """
        compared = 0
        start = next(group.start for group in self.field.groups if bye in group)
        for place in reversed(range(start, len(self.numbers))):
            if not self.field.bye_candidates >> place & 1:
                yield self._why_barred_from_bye(self.numbers[place])
            elif place > bye and alternatives and compared < MOST_COMPARED:
                compared += 1
                loss = self.alternatives.force_bye(place)
                assert loss is not None
                players = (self.numbers[place],)
                yield explain_loss(FindingCode.PASSED_OVER_FOR_BYE, players, self._loss(loss))

    def _why_barred_from_bye(self, number: PlayerId) -> Finding:
        barring = (
            (round_number, result.kind)
            for round_number, result in enumerate(self.request.earlier(number), start=1)
            if bars_pairing_bye(self.request.crosstable, (result,))
        )
        round_number, kind = next(barring)
        sentence = BYE_SENTENCES.get(kind, Sentence.HAD_BYE_WORTH_A_WIN)
        return sentence.about(number, round=round_number)

    def _seats(self, higher: int, lower: int) -> Finding:
        _, rule = decide_seat(self.field, higher, lower)
        first, second = in_seat_order(self.field, (higher, lower))
        is_first_granted = self.field.seat_preferences[first].seat is Seat.FIRST
        granted = first if is_first_granted else second
        named = higher if rule is SeatRule.INITIAL_SEAT else granted
        reason = Text(SEAT_RULES[rule.value], player=self.numbers[named])
        players = (self.numbers[first], self.numbers[second])
        return Sentence.SEATS.about(*players, rule=rule.value, reason=reason)

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
        met = self.request.opponents_met(players[0]).get(players[1])
        if met is not None:
            return Sentence.MET_BEFORE_C1.about(*players, round=met)
        if players in self.forbidden:
            return Sentence.KEPT_APART.about(*players)
        seat = self.field.seat_preferences[higher].seat
        assert seat is not None
        return Sentence.ABSOLUTE_SEATS.about(*players, seat=seat)

    def _not_granted(self, first: int, second: int) -> Iterator[Finding]:
        for place, seat in ((first, Seat.FIRST), (second, Seat.SECOND)):
            preference = self.field.seat_preferences[place]
            if preference.seat is seat.other:
                yield Sentence.NOT_GRANTED.about(
                    self.numbers[place],
                    strength=STRENGTHS[preference.strength],
                    difference=preference.difference,
                    seat=preference.seat,
                )

    def _without(self, higher: int, lower: int) -> Finding:
        loss = self.alternatives.forbid(higher, lower)
        assert loss is not None
        players = (self.numbers[higher], self.numbers[lower])
        return explain_loss(FindingCode.WITHOUT_PAIR, players, self._loss(loss))

    def _loss(self, loss: Loss) -> BracketLoss:
        return bracket_loss(self.alternatives, loss, self.request.crosstable.points)

    def _points(self, units: int) -> Numeral:
        return Numeral(self.request.crosstable.points.format_units(units))
