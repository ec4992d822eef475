"""What may give way when the strict rules leave no legal pairing, and in which order.

The order is that of the rule texts, the lightest first:

1. `forbidden-pairs`: two whom the organiser keeps apart meet; no rule of FIDE's asks for that.
2. `same-seats` (C3): two with the same absolute seat preference meet. C.04.1 itself lets systems
   make exceptions to the rules on seats in the last round, and C3 makes one for topscorers.
3. `second-bye` (C2): the pairing-allocated bye goes to somebody who was given points before.
4. `rematch` (C1): two meet again; the first of the absolute criteria and the last to give way.

C.04.3 (2026-02-01) leaves the decision to the arbiter. So nothing gives way unasked: `propose`
tells what would have to, and a heavier rule is never broken to save a lighter one. It breaks the
fewest rules of the heaviest kind, of those the fewest of the next, and so on; among equals it
takes the boards and the bye of those nearest in points, whose last meeting is longest ago. Just
those boards and that bye are exempt, and the round is then paired by the system as ever.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import rustworkx

from tournament.pairing.boards import units_before
from tournament.pairing.errors import PairingError
from tournament.pairing.request import (
    PairingRequest,
    bars_pairing_bye,
    either_way,
    opponents_met,
    played_seats,
)
from tournament.pairing.systems.dutch.seat_preferences import seat_preference_of
from tournament.standings.crosstable import Kind, PlayerId

MOST_PLAYERS = 300
"""In larger fields the rules practically never block, and all boards would take too long."""


class Relaxation(StrEnum):
    """A rule that may give way, the lightest first."""

    FORBIDDEN_PAIRS = "forbidden-pairs"
    SAME_SEATS = "same-seats"
    SECOND_BYE = "second-bye"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True)
class Breach:
    """One rule broken at one board, or by the bye of one player, and the sentence that says so."""

    relaxation: Relaxation
    players: tuple[PlayerId, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The least that has to give way; `request` is the round with just that exempt."""

    request: PairingRequest
    breaches: tuple[Breach, ...]

    @property
    def relaxations(self) -> tuple[Relaxation, ...]:
        """The rules that give way, the lightest first."""
        broken = {breach.relaxation for breach in self.breaches}
        return tuple(one for one in Relaxation if one in broken)


class TooManyPlayers(PairingError):
    """A field in which nobody looks for what could give way."""


def propose(request: PairingRequest, *, has_criterion_c3: bool) -> Proposal:
    """Tell what has to give way so that a round can be paired; nothing when it can be as it is.

    `has_criterion_c3` tells that the system has C3. Raises TooManyPlayers.
    """
    field = _Field(request, has_criterion_c3=has_criterion_c3)
    matched = rustworkx.max_weight_matching(
        field.graph(), max_cardinality=True, weight_fn=lambda weight: -weight
    )
    pairs = sorted(tuple(sorted(field.numbers[place] for place in pair)) for pair in matched)
    breaches: list[Breach] = []
    for one, other in pairs:
        breaches += field.breaches(one, other)
    return Proposal(
        replace(
            request,
            exempt=frozenset((b.players[0], b.players[1]) for b in breaches if len(b.players) == 2),
            exempt_byes=frozenset(b.players[0] for b in breaches if len(b.players) == 1),
        ),
        tuple(breaches),
    )


BYE = 0
"""Stands for the bye among the numbers of players."""


class _Field:
    """The players of a round, and which rules each board of two would break."""

    def __init__(self, request: PairingRequest, *, has_criterion_c3: bool):
        present = request.present
        if len(present) > MOST_PLAYERS:
            told = f"{len(present)} players; what may give way is told up to {MOST_PLAYERS}"
            raise TooManyPlayers(told)
        self.request = request
        self.numbers = (BYE, *present) if len(present) % 2 else present
        self.met = {number: opponents_met(request.earlier(number)) for number in present}
        self.points = {number: units_before(request, number) for number in present}
        self.apart = either_way(request.forbidden)
        self.seat_preferences = {}
        if has_criterion_c3 and request.balance_seats:
            self.seat_preferences = {
                number: seat_preference_of(played_seats(request.earlier(number)))
                for number in present
            }
        self.top = _topscorers(request, self.points)

    def breaches(self, one: PlayerId, other: PlayerId) -> list[Breach]:
        """Give the rules that a board of two would break; `one` is BYE or the lower number."""
        if one == BYE:
            return self._of_bye(other)
        players, found = (one, other), []
        if players in self.apart:
            sentence = f"{one} and {other} meet although they are kept apart"
            found.append(Breach(Relaxation.FORBIDDEN_PAIRS, players, sentence))
        if self._clash(one, other):
            sentence = f"{one} and {other} meet although both must sit in the same seat (C3)"
            found.append(Breach(Relaxation.SAME_SEATS, players, sentence))
        if other in self.met[one]:
            sentence = f"{one} and {other} meet again; they met in round {self.met[one][other]}"
            found.append(Breach(Relaxation.REMATCH, players, sentence))
        return found

    def _of_bye(self, number: PlayerId) -> list[Breach]:
        request = self.request
        if not bars_pairing_bye(request.crosstable, request.earlier(number)):
            return []
        sentence = f"{number} has the bye and has had points without a game before (C2)"
        return [Breach(Relaxation.SECOND_BYE, (number,), sentence)]

    def _clash(self, one: PlayerId, other: PlayerId) -> bool:
        if not self.seat_preferences or one in self.top or other in self.top:
            return False
        return self.seat_preferences[one].clashes_absolutely(self.seat_preferences[other])

    def graph(self) -> "rustworkx.PyGraph[int, int]":
        """Join everybody with everybody at the cost of the rules broken; BYE is one of them."""
        size = len(self.numbers)
        widest = max(self.points.values(), default=0) - min(self.points.values(), default=0)
        base = (widest + 1) * (self.request.round + 1)  # above any cost among equals
        weight = {one: base * (size + 1) ** (2 + index) for index, one in enumerate(Relaxation)}
        graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(list(self.numbers))
        graph.add_edges_from(
            [
                (i, j, self._cost(self.numbers[i], self.numbers[j], weight))
                for i in range(size)
                for j in range(i + 1, size)
            ]
        )
        return graph

    def _cost(self, one: PlayerId, other: PlayerId, weight: Mapping[Relaxation, int]) -> int:
        breaches = self.breaches(one, other)
        if not breaches:
            return 0
        rounds = self.request.round + 1
        if one == BYE:
            byes = sum(r.kind is Kind.PAIRING_BYE for r in self.request.earlier(other))
            secondary = (self.points[other] - min(self.points.values())) * rounds + byes
        else:
            secondary = abs(self.points[one] - self.points[other]) * rounds
            secondary += self.met[one].get(other, 0)
        return sum(weight[breach.relaxation] for breach in breaches) + secondary


def _topscorers(request: PairingRequest, points: Mapping[PlayerId, int]) -> frozenset[PlayerId]:
    """Give those whom C3 does not bind: above half the maximum, in the last round (1.8)."""
    if request.round < request.crosstable.rounds:
        return frozenset()
    most = request.crosstable.points.win * (request.round - 1)
    return frozenset(number for number, units in points.items() if 2 * units > most)


def parse_relaxations(words: Iterable[str]) -> tuple[Relaxation, ...]:
    """Take words in any order; raises ValueError for one that is none."""
    said = {Relaxation(word) for word in words}
    return tuple(one for one in Relaxation if one in said)
