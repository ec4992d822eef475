"""The rules that a pairing must follow, checked from the crosstable without the engine's own code.

These are the absolute criteria C1 to C3, complete pairings, the bye (C2, C5), seats (5.2) and the
order of boards (C.04.2). The quality of a pairing is compared with gacrux.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import rustworkx

from games.rules.seat import Seat
from tournament.pairing.request import PairingRequest, Pairings
from tournament.standings.crosstable import BYES, PAIRED, PLAYED, Kind, PlayerId


@dataclass(frozen=True)
class Candidate:
    """A player of the round to pair, by what the rules need to know about them."""

    request: PairingRequest
    number: PlayerId

    @cached_property
    def score(self) -> int:
        table, last = self.request.crosstable, self.request.round - 1
        player = table.by_number[self.number]
        virtual = player.virtual[last] if last < len(player.virtual) else 0
        return virtual + sum(table.units_of(player.result(n)) for n in range(1, last + 1))

    @cached_property
    def met(self) -> set[PlayerId]:
        earlier = self.request.earlier(self.number)
        return {r.opponent for r in earlier if r.kind in PLAYED and r.opponent}

    @cached_property
    def seats(self) -> list[Seat]:
        return [r.seat for r in self.request.earlier(self.number) if r.kind in PLAYED and r.seat]

    @cached_property
    def surplus(self) -> int:
        return self.seats.count(Seat.FIRST) - self.seats.count(Seat.SECOND)

    @cached_property
    def preference(self) -> tuple[int, Seat | None]:
        """The strength, 3 for an absolute preference to 0 for none, and the seat."""
        if not self.seats:
            return 0, None
        if abs(self.surplus) > 1:
            return 3, Seat.SECOND if self.surplus > 0 else Seat.FIRST
        if self.seats[-2:] in ([Seat.FIRST] * 2, [Seat.SECOND] * 2):
            return 3, self.seats[-1].other
        if self.surplus:
            return 2, Seat.SECOND if self.surplus > 0 else Seat.FIRST
        return 1, self.seats[-1].other

    @cached_property
    def is_topscorer(self) -> bool:
        request = self.request
        most = (request.round - 1) * request.crosstable.points.win
        return request.round == request.crosstable.rounds and self.score * 2 > most

    @cached_property
    def can_have_bye(self) -> bool:
        table = self.request.crosstable
        return not any(
            r.kind is Kind.PAIRING_BYE
            or (r.kind in BYES | {Kind.FORFEIT_WIN} and table.units_of(r) >= table.points.win)
            for r in self.request.earlier(self.number)
        )

    @cached_property
    def rank(self) -> int:
        """The pairing number without players who were never paired and are absent."""
        return sum(
            number <= self.number
            and (
                number in self.request.present
                or any(
                    r.kind in PAIRED or r.kind is Kind.PAIRING_BYE
                    for r in self.request.earlier(number)
                )
            )
            for number in self.request.crosstable.by_number
        )


class Rules:
    """The rules for a round."""

    def __init__(self, request: PairingRequest):
        self.request = request
        self.players = {number: Candidate(request, number) for number in request.present}
        numbers = set(self.players)
        self.forbidden = {frozenset(pair) for pair in request.forbidden}
        self.legal = {frozenset(pair) for pair in combinations(numbers, 2) if self._may_meet(*pair)}

    def find_breaches(self, pairings: Pairings) -> Iterator[str]:
        """Yield what is wrong with pairings."""
        pairs, bye = pairings.pairs, pairings.bye
        seated = Counter([*(number for pair in pairs for number in pair), *([bye] if bye else [])])
        everyone = sorted({*seated, *self.players})
        wrong = [number for number in everyone if seated[number] != (number in self.players)]
        if wrong:
            yield ", ".join(f"{number} has {seated[number]} pairings" for number in wrong)
            return
        yield from (f"{pair} may not meet" for pair in pairs if frozenset(pair) not in self.legal)
        yield from (
            f"{pair} sit the wrong way round" for pair in pairs if self._due_first(*pair) != pair[0]
        )
        if [self._board_key(pair) for pair in pairs] != sorted(map(self._board_key, pairs)):
            yield "the boards are not in order"
        if bye:
            yield from self._bye_breaches(self.players[bye])

    def can_be_paired(self, *, without: PlayerId | None = None) -> bool:
        """Return True if a complete legal pairing exists, also if this player has the bye."""
        if without is None and len(self.players) % 2:
            return any(
                player.can_have_bye and self.can_be_paired(without=number)
                for number, player in self.players.items()
            )
        numbers = [number for number in self.players if number != without]
        place = {number: index for index, number in enumerate(numbers)}
        graph = rustworkx.PyGraph()
        graph.add_nodes_from(numbers)
        for a, b in map(sorted, self.legal):
            if without not in (a, b):
                graph.add_edge(place[a], place[b], None)
        return 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True)) == len(numbers)

    def _may_meet(self, a: PlayerId, b: PlayerId) -> bool:
        one, other = self.players[a], self.players[b]
        has_clash = one.preference == other.preference and one.preference[0] == 3
        return (
            b not in one.met
            and frozenset((a, b)) not in self.forbidden
            and (not has_clash or one.is_topscorer or other.is_topscorer)
        )

    def _bye_breaches(self, player: Candidate) -> Iterator[str]:
        if not player.can_have_bye:
            yield f"{player.number} may not have the bye"
        for other in self.players.values():
            is_lower = other.can_have_bye and other.score < player.score
            if is_lower and self.can_be_paired(without=other.number):
                yield f"{other.number} is due the bye, not {player.number}"

    def _board_key(self, pair: tuple[PlayerId, PlayerId]) -> tuple[int, int, PlayerId]:
        higher, lower = self._by_rank(*pair)
        return -higher.score, -lower.score, higher.number

    def _by_rank(self, a: PlayerId, b: PlayerId) -> list[Candidate]:
        return sorted((self.players[a], self.players[b]), key=lambda p: (-p.score, p.number))

    def _due_first(self, a: PlayerId, b: PlayerId) -> PlayerId:
        """Return the player who sits first by article 5.2."""
        higher, lower = self._by_rank(a, b)
        is_first = self._seat_of_higher(higher, lower) is Seat.FIRST
        return higher.number if is_first else lower.number

    def _seat_of_higher(self, higher: Candidate, lower: Candidate) -> Seat | None:
        (strength, seat), (other_strength, other_seat) = higher.preference, lower.preference
        if seat is not other_seat:
            return other_seat.other if seat is None and other_seat is not None else seat
        if seat is None:
            initial = self.request.crosstable.initial_seat or Seat.FIRST
            return initial if higher.rank % 2 else initial.other
        own = (strength, abs(higher.surplus) if strength == 3 else 0)
        other = (other_strength, abs(lower.surplus) if other_strength == 3 else 0)
        if own != other:
            return seat if own > other else seat.other
        for last, other_last in zip(reversed(higher.seats), reversed(lower.seats), strict=False):
            if last is not other_last:
                return last.other
        return seat
