"""Which rules have to give way when no pairing follows all of them.

The order is that of the rule texts, the least important first:

1. `forbidden_pairs`: two players meet whom the organiser keeps apart; no FIDE rule requires this.
2. `same_seats` (C3): two players with the same absolute seat preference meet. C.04.1 itself allows
   exceptions for seats in the last round, and C3 makes one for topscorers.
3. `second_bye` (C2): the pairing-allocated bye goes to a player who may not have it.
4. `rematch` (C1): two players meet again; the first of the absolute criteria.

C.04.3 (2026-02-01) leaves the decision to the arbiter, so no rule gives way unless the organiser
allows it. `propose` returns what would have to give way. It breaks the fewest rules of the most
important kind, among these the fewest of the next kind, and so on; among equals, it takes the
boards and the bye of the players who are nearest in points and met longest ago. Only these boards
and this bye are exempt; the system then pairs the round as usual.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import rustworkx

from games.rules.text import Text
from tournament.pairing.errors import PairingError
from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.request import PairingRequest, in_both_orders
from tournament.pairing.sentences import Sentence
from tournament.pairing.systems.dutch.field import field_of
from tournament.standings.crosstable import Kind, PlayerId

RELAXATIONS = (
    FindingCode.FORBIDDEN_PAIRS,
    FindingCode.SAME_SEATS,
    FindingCode.SECOND_BYE,
    FindingCode.REMATCH,
)
"""The rules that may give way, the least important first."""

MOST_RELAXED_PLAYERS = 300
"""The search compares all pairs. In larger tournaments, the rules hardly ever block a round."""

BYE = 0
"""The number of the bye among the numbers of players."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The least that has to give way, and the request that exempts it."""

    request: PairingRequest
    broken_rules: tuple[Finding, ...]

    @property
    def relaxations(self) -> tuple[FindingCode, ...]:
        """The rules that give way, the least important first."""
        codes = {finding.code for finding in self.broken_rules}
        return tuple(code for code in RELAXATIONS if code in codes)


class TooManyPlayers(PairingError):
    """The tournament is too large for a proposal."""


def propose(request: PairingRequest, *, has_criterion_c3: bool) -> Proposal:
    """Return what has to give way so that a round can be paired; nothing if nothing has to.

    `has_criterion_c3` is False for systems without absolute seat preferences. Raises
    TooManyPlayers.
    """
    rules = _Rules(request, has_criterion_c3=has_criterion_c3)
    matched = rustworkx.max_weight_matching(
        rules.graph(), max_cardinality=True, weight_fn=lambda weight: -weight
    )
    pairs = sorted(tuple(sorted(rules.numbers[place] for place in pair)) for pair in matched)
    broken = tuple(finding for a, b in pairs for finding in rules.broken_by(a, b))
    exempt = [finding.players for finding in broken]
    return Proposal(
        replace(
            request,
            exempt=frozenset((players[0], players[1]) for players in exempt if len(players) == 2),
            exempt_byes=frozenset(players[0] for players in exempt if len(players) == 1),
        ),
        broken,
    )


class _Rules:
    """The players of a round, and which rules any two of them would break."""

    def __init__(self, request: PairingRequest, *, has_criterion_c3: bool):
        present = request.present
        if len(present) > MOST_RELAXED_PLAYERS:
            raise TooManyPlayers(
                Text(
                    "%(players)s players; proposals are limited to %(most)s players",
                    players=len(present),
                    most=MOST_RELAXED_PLAYERS,
                )
            )
        self.request = request
        self.has_criterion_c3 = has_criterion_c3
        self.numbers = (BYE, *present) if len(present) % 2 else present
        self.field = field_of(request)
        self.place = {number: place for place, number in enumerate(self.field.numbers)}
        self.points = dict(zip(self.field.numbers, self.field.scores, strict=True))
        self.met = {number: request.opponents_met(number) for number in present}
        self.separated = in_both_orders(request.forbidden)

    def broken_by(self, a: PlayerId, b: PlayerId) -> list[Finding]:
        """Return the rules that a pair would break; `a` is BYE or the lower number."""
        if a == BYE:
            is_candidate = self.field.bye_candidates >> self.place[b] & 1
            return [] if is_candidate else [Sentence.SECOND_BYE.about(b)]
        broken = []
        if (a, b) in self.separated:
            broken.append(Sentence.FORBIDDEN_PAIR.about(a, b))
        if self.has_criterion_c3 and self.field.has_seat_clash(self.place[a], self.place[b]):
            broken.append(Sentence.SAME_SEATS.about(a, b))
        if b in self.met[a]:
            broken.append(Sentence.REMATCH.about(a, b, round=self.met[a][b]))
        return broken

    def graph(self) -> "rustworkx.PyGraph[int, int]":
        """Return the complete graph of the players and BYE, with the cost of the broken rules."""
        size = len(self.numbers)
        widest = max(self.points.values(), default=0) - min(self.points.values(), default=0)
        base = (widest + 1) * (self.request.round + 1)  # above any cost among equals
        weight = {code: base * (size + 1) ** (2 + i) for i, code in enumerate(RELAXATIONS)}
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

    def _cost(self, a: PlayerId, b: PlayerId, weight: Mapping[FindingCode, int]) -> int:
        broken = self.broken_by(a, b)
        if not broken:
            return 0
        rounds = self.request.round + 1
        if a == BYE:
            byes = sum(r.kind is Kind.PAIRING_BYE for r in self.request.earlier(b))
            secondary = (self.points[b] - min(self.points.values())) * rounds + byes
        else:
            secondary = abs(self.points[a] - self.points[b]) * rounds + self.met[a].get(b, 0)
        return sum(weight[finding.code] for finding in broken) + secondary
