"""Why a round is paired as it is, board by board.

`explain` tells of every board where its players come from, who nearer was barred, which rule
decided the seats and, when asked, what the round would lose without that pair. `why_not` tells
what it would lose if two given players met. Losses come from pairing the round again under the
wish and comparing the engine's own totals (`alternatives`).
"""

from collections.abc import Iterator

from games.rules.seat import Seat
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.request import PairingRequest, Pairings, either_way, opponents_met
from tournament.pairing.systems.dutch.alternatives import Alternatives, Loss
from tournament.pairing.systems.dutch.assessment import SCORES, Amount
from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.field import Field, field_of
from tournament.pairing.systems.dutch.reasons import Board, Reason, ReasonCode
from tournament.pairing.systems.dutch.round import PairedBracket
from tournament.pairing.systems.dutch.seat_preferences import Strength
from tournament.pairing.systems.dutch.seats import SeatRule, allocate, boards
from tournament.standings.crosstable import PlayerId

MOST_BARRED = 8
"""Of how many nearer players a board says that they were barred."""


CRITERIA = {
    Criterion.C6: "players float down",
    Criterion.C7: "scores of the players who float down",
    Criterion.C8_FLOATERS: "players float down from the next bracket",
    Criterion.C8_SCORES: "scores of the players who float down from the next bracket",
    Criterion.C9: "unplayed games of the player who has the bye",
    Criterion.C10: "topscorers' boards with a seat difference above two",
    Criterion.C11: "topscorers' boards with one seat three times running",
    Criterion.C12: "seat preferences not granted",
    Criterion.C13: "strong seat preferences not granted",
    Criterion.C14: "players float down who did so in the last round",
    Criterion.C15: "players float up who did so in the last round",
    Criterion.C16: "players float down who did so two rounds ago",
    Criterion.C17: "players float up who did so two rounds ago",
    Criterion.C18: "score differences of those who floated down in the last round",
    Criterion.C19: "score differences of those who floated up in the last round",
    Criterion.C20: "score differences of those who floated down two rounds ago",
    Criterion.C21: "score differences of those who floated up two rounds ago",
}


def explain(
    request: PairingRequest, *, alternatives: bool = False
) -> tuple[Pairings, tuple[Board, ...]]:
    """Pair a round and tell why, board by board; raises NoLegalPairing."""
    told = _Explanation(request)
    return told.explain(alternatives=alternatives)


def why_not(request: PairingRequest, one: PlayerId, other: PlayerId) -> Reason:
    """Tell why two players do not meet; raises PairingRequestError for unknown players."""
    numbers = request.crosstable.by_number
    if one == other or one not in numbers or other not in numbers:
        raise PairingRequestError(f"{one} and {other} are not two players of the event")
    return _Explanation(request).why_not(one, other)


class _Explanation:
    def __init__(self, request: PairingRequest):
        self.request = request
        self.field: Field = field_of(request)
        self.actual = Alternatives(self.field)
        self.numbers = self.field.numbers
        self.place = {number: index for index, number in enumerate(self.numbers)}
        self.forbidden = either_way(request.forbidden)

    def explain(self, *, alternatives: bool) -> tuple[Pairings, tuple[Board, ...]]:
        """Give the pairings and the reasons of every board."""
        bracket_of = {pair: b for b in self.actual.brackets for pair in map(_ordered, b.pairs)}
        told: list[Board] = []
        pairs = []
        for higher, lower in boards(self.field, list(bracket_of)):
            seat, rule = allocate(self.field, higher, lower)
            first, second = (higher, lower) if seat is Seat.FIRST else (lower, higher)
            reasons = [
                *self._scores(higher, lower),
                *self._barred(higher, lower, bracket_of[higher, lower]),
                *self._seats(first, second, rule),
            ]
            if alternatives:
                reasons.append(self._without(higher, lower))
            pairs.append((self.numbers[first], self.numbers[second]))
            told.append(Board(*pairs[-1], tuple(reasons)))
        bye = next((b.bye for b in self.actual.brackets if b.bye is not None), None)
        if bye is not None:
            told.append(Board(self.numbers[bye], None, (self._bye(bye),)))
        taker = None if bye is None else self.numbers[bye]
        return Pairings(tuple(pairs), taker), tuple(told)

    def why_not(self, one: PlayerId, other: PlayerId) -> Reason:
        """Give what keeps two players apart."""
        players = (one, other)
        for number in players:
            if number not in self.place:
                return Reason(ReasonCode.ABSENT, (number,), f"{number} does not play this round")
        higher, lower = sorted((self.place[one], self.place[other]))
        barred = self._why_barred(higher, lower)
        if barred is not None:
            return barred
        loss = self.actual.forced(higher, lower)
        if loss is None:
            return Reason(ReasonCode.PAIRED, players, f"{one} and {other} do meet")
        lost, values = self._lost(loss)
        sentence = f"if {one} and {other} met, {lost}"
        return Reason(ReasonCode.INSTEAD, players, sentence, values)

    def _scores(self, higher: int, lower: int) -> Iterator[Reason]:
        scores = [self._points(self.field.scores[place]) for place in (higher, lower)]
        players = (self.numbers[higher], self.numbers[lower])
        if scores[0] == scores[1]:
            sentence = f"both have {scores[0]} points"
            yield Reason(ReasonCode.SCORE_GROUP, players, sentence, {"points": scores[0]})
        else:
            sentence = f"{players[0]} floats down from {scores[0]} to {scores[1]} points"
            values: dict[str, str | int] = {"from": scores[0], "to": scores[1]}
            yield Reason(ReasonCode.FLOAT, players, sentence, values)

    def _barred(self, higher: int, lower: int, bracket: PairedBracket) -> Iterator[Reason]:
        members = sorted((*bracket.moved, *bracket.residents))
        barred = (
            reason
            for place in members
            if higher < place < lower and (reason := self._why_barred(higher, place)) is not None
        )
        for _, reason in zip(range(MOST_BARRED), barred, strict=False):
            yield reason

    def _why_barred(self, higher: int, lower: int) -> Reason | None:
        """Tell which absolute rule keeps two apart, if one does."""
        if self.field.allowed[higher] >> lower & 1:
            return None
        one, other = players = (self.numbers[higher], self.numbers[lower])
        met = opponents_met(self.request.earlier(one)).get(other)
        if met is not None:
            sentence = f"{one} and {other} met in round {met} (C1)"
            return Reason(ReasonCode.MET_BEFORE, players, sentence, {"round": met})
        if players in self.forbidden:
            return Reason(ReasonCode.FORBIDDEN, players, f"{one} and {other} are kept apart")
        seat = self.field.seat_preferences[higher].seat
        assert seat is not None
        sentence = f"{one} and {other} must both sit {seat} (C3)"
        return Reason(ReasonCode.ABSOLUTE_SEATS, players, sentence, {"seat": seat.value})

    def _seats(self, first: int, second: int, rule: SeatRule) -> Iterator[Reason]:
        players = (self.numbers[first], self.numbers[second])
        sentence = f"{players[0]} sits first by article {rule}"
        yield Reason(ReasonCode.SEATS, players, sentence, {"rule": rule.value})
        for place, seat in ((first, Seat.FIRST), (second, Seat.SECOND)):
            preference = self.field.seat_preferences[place]
            if preference.seat in (None, seat):
                continue
            strength = Strength(preference.strength).name.lower()
            number = self.numbers[place]
            sentence = f"{number}'s {strength} preference for sitting {seat.other} is not granted"
            values: dict[str, str | int] = {
                "strength": strength,
                "difference": preference.difference,
            }
            yield Reason(ReasonCode.UNGRANTED, (number,), sentence, values)

    def _bye(self, place: int) -> Reason:
        number, points = self.numbers[place], self._points(self.field.scores[place])
        unplayed = self.field.unplayed[place]
        sentence = (
            f"{number} has the bye: {points} points is the lowest score whose bye leaves a "
            f"pairing for all (C5), and {number} has {unplayed} unplayed games (C9)"
        )
        values: dict[str, str | int] = {"points": points, "unplayed": unplayed}
        return Reason(ReasonCode.BYE, (number,), sentence, values)

    def _without(self, higher: int, lower: int) -> Reason:
        loss = self.actual.forbidden(higher, lower)
        assert loss is not None
        one, other = players = (self.numbers[higher], self.numbers[lower])
        lost, values = self._lost(loss)
        return Reason(ReasonCode.WITHOUT, players, f"without {one} against {other}, {lost}", values)

    def _lost(self, loss: Loss) -> tuple[str, dict[str, str | int]]:
        score = self._points(self.field.scores[self.field.groups[loss.index].start])
        values: dict[str, str | int] = {"rule": loss.rule.split()[0], "bracket": score}
        if loss.rule == "C4":
            return "the others could not all be paired (C4)", values
        if loss.rule == "C5":
            return "the bye would go to another score (C5)", values
        if loss.difference is None:
            return f"the bracket of {score} would be as good, but later in the order", values
        criterion = loss.difference.criterion
        is_scores = criterion in SCORES
        values["actual"] = self._amount(loss.difference.actual, is_scores=is_scores)
        values["alternative"] = self._amount(loss.difference.alternative, is_scores=is_scores)
        sentence = (
            f"the bracket of {score} would have {values['alternative']} instead of "
            f"{values['actual']} {CRITERIA[criterion]} ({values['rule']})"
        )
        return sentence, values

    def _amount(self, amount: Amount, *, is_scores: bool) -> str:
        parts = [self._points(one) if is_scores else str(one) for one in amount]
        return " ".join(parts) or "none"

    def _points(self, units: int) -> str:
        return self.request.crosstable.points.format_units(units)


def _ordered(pair: tuple[int, int]) -> tuple[int, int]:
    return min(pair), max(pair)
