"""Whether the remaining players can be paired (C4), and the next bracket at its best (C8).

Dirac's theorem answers most questions: if each player may meet at least half of the players, there
is a perfect matching. Otherwise, the code searches for a matching. Where there is none because many
players are kept apart, the theorem of Gallai and Edmonds says how many must float to them, and who
compete for them and so never meet each other.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from tournament.pairing.matching import Matching, Unmatched
from tournament.pairing.systems.dutch.field import Field

FEW = 40
"""Up to this number of players, each member of a group is tried as the one who floats to them."""


class Completion:
    """Answers for the players below a bracket; `bye_candidates` may have the bye."""

    def __init__(self, field: Field, bye_candidates: int):
        self.field = field
        self.bye_candidates = bye_candidates
        self._least_degrees: dict[int, int] = {}
        self._known_unmatched: dict[tuple[range, tuple[int, ...], bool], tuple[int, int]] = {}

    def can_pair_from(
        self, start: int, floaters: Sequence[int] = (), *, has_bye: bool = False
    ) -> bool:
        """Return True if the players from a place on, the floaters and the bye can be paired."""
        size = len(self.field.numbers) - start + len(floaters) + has_bye
        if size % 2:
            return False
        if not size:
            return True
        bye_candidates = self.bye_candidates >> start if has_bye else 0
        half = size // 2
        if (
            (bye_candidates or not has_bye)
            and self._least_degree(start) >= half
            and all((self.field.allowed[f] >> start).bit_count() >= half for f in floaters)
        ):
            return True
        players = range(start, len(self.field.numbers))
        return _has_perfect_matching(self._graph(players, floaters, has_bye=has_bye))

    def is_next_at_best(
        self,
        group: range,
        moved: Sequence[int],
        following: range,
        floaters: Sequence[int],
        *,
        has_bye: bool,
        has_bye_next: bool,
        has_bye_later: bool,
    ) -> bool:
        """Return True if the next bracket certainly lets as few players float as is possible.

        These are none, or one if it is odd, or more if the players of both brackets cannot be
        paired otherwise, or if the players below need them. The flags say where the bye is. False
        means that it is not certain.
        """
        needed, scarce = self.needed_floaters(following.stop, has_bye=has_bye_later)
        unpaired, _ = self.unmatched(following)
        helpers = len(floaters) + has_bye_next
        least = max(needed, unpaired - helpers, len(floaters) - len(following) - has_bye_next)
        if least > 1:
            both = range(group.start, following.stop)
            unpaired, _ = self.unmatched(both, moved, has_bye=has_bye or has_bye_next)
            least = max(least, unpaired)
            if least > needed:
                scarce = (1 << len(self.field.numbers)) - (1 << following.stop)
            graph = self._graph(following, floaters, has_bye=has_bye_next)
            beyond = self._choose_beyond(graph, following, floaters, least, scarce)
            return beyond is not None and self.can_pair_from(
                following.stop, beyond, has_bye=has_bye_later
            )
        size = len(following) + len(floaters) + has_bye_next
        graph = self._graph(following, floaters, has_bye=has_bye_next)
        if size % 2 == 0:
            return self.can_pair_from(
                following.stop, has_bye=has_bye_later
            ) and _has_perfect_matching(graph)
        can_float = self._can_float(following, has_bye=has_bye_later)
        vertex = len(graph)
        for offset in range(len(following)):
            if can_float >> offset & 1:
                graph[offset] |= 1 << vertex
        return _has_perfect_matching([*graph, can_float])

    def _choose_beyond(
        self, graph: list[int], following: range, floaters: Sequence[int], count: int, scarce: int
    ) -> list[int] | None:
        """Return players of the next bracket who float from it and leave a pairing of it, if any.

        As few as possible of them are moved-down players, of the lowest scores, as C8 demands. The
        residents among them may meet one of the `scarce` players below.
        """
        allowed, scores = self.field.allowed, self.field.scores
        size, first = len(graph), len(graph) - len(floaters)
        able = [v for v, place in enumerate(following) if allowed[place] & scarce]
        moved = max(0, count - len(able), len(floaters) - (size - count) // 2)
        choices = [able] * (count - moved)
        lowest_first = sorted(range(first, size), key=lambda v: scores[floaters[v - first]])
        for _, tier in groupby(lowest_first, key=lambda v: scores[floaters[v - first]]):
            members = list(tier)
            choices += [members] * min(len(members), count - len(choices))
        for members in choices:
            for vertex in members:
                graph[vertex] |= 1 << len(graph)
            graph.append(sum(1 << vertex for vertex in members))
        try:
            partner = Matching(graph).partner
        except Unmatched:
            return None
        places = [*following, *[0] * (first - len(following)), *floaters]
        return [place for vertex, place in enumerate(places) if partner[vertex] >= size]

    def needed_floaters(self, start: int, *, has_bye: bool = False) -> tuple[int, int]:
        """Return how many players must float to the players from a place on, and whom they meet.

        In any pairing, at least so many floaters meet one of these players (Gallai and Edmonds).
        """
        players = range(start, len(self.field.numbers))
        count, scarce = self.unmatched(players, has_bye=has_bye)
        return count, scarce << start

    def without_pairs_of_rivals(
        self, start: int, floaters: Sequence[int], scarce: int, *, has_bye: bool
    ) -> "Completion":
        """Return the completion of the same players in which two rivals cannot meet.

        Rivals are the first who may meet one of the `scarce` players, and all for whom the others
        compete if that one is missing (Gallai and Edmonds). Each of the rivals must meet one of the
        others, so no pairing of the players from a place on, the floaters and the bye is lost.
        """
        players = range(start, len(self.field.numbers))
        places = [*players, *[len(self.field.numbers)] * has_bye, *floaters]
        first = next(place for place in (*floaters, *players) if self.field.allowed[place] & scarce)
        graph = self._graph(players, floaters, has_bye=has_bye)
        rivals = 1 << first
        try:
            Matching(graph, (1 << len(graph)) - 1 ^ 1 << places.index(first))
        except Unmatched as unmatched:
            rivals |= sum(1 << places[vertex] for vertex in unmatched.inner)
        allowed = [
            mask & ~rivals if rivals >> place & 1 else mask
            for place, mask in enumerate(self.field.allowed)
        ]
        return Completion(replace(self.field, allowed=allowed), self.bye_candidates)

    def unmatched(
        self, players: range, floaters: Sequence[int] = (), *, has_bye: bool = False
    ) -> tuple[int, int]:
        """Return how many players cannot be paired with each other, and who can be left."""
        key = (players, tuple(floaters), has_bye)
        if key not in self._known_unmatched:
            graph = self._graph(players, floaters, has_bye=has_bye)
            self._known_unmatched[key] = _find_unmatched(graph, len(players))
        return self._known_unmatched[key]

    def _can_float(self, group: range, *, has_bye: bool) -> int:
        """Return the members of a group, as offsets, who can float and leave a pairing below."""
        size = len(self.field.numbers) - group.stop + 1 + has_bye
        if size % 2 or (has_bye and not self.bye_candidates >> group.stop):
            return 0
        is_dense = self._least_degree(group.stop) >= size // 2
        can_float = 0
        for offset, place in enumerate(group):
            degree = (self.field.allowed[place] >> group.stop).bit_count()
            can = is_dense and degree >= size // 2
            if not can and degree and size <= FEW:
                can = self.can_pair_from(group.stop, [place], has_bye=has_bye)
            can_float |= can << offset
        return can_float

    def _graph(self, players: range, floaters: Sequence[int], *, has_bye: bool) -> list[int]:
        """Return the neighbours of the players, then of the bye, then of the floaters."""
        allowed, size = self.field.allowed, len(players)
        window = (1 << size) - 1
        graph = [allowed[place] >> players.start & window for place in players]
        if has_bye:
            graph.append(self.bye_candidates >> players.start & window)
        graph += [allowed[place] >> players.start & window for place in floaters]
        for vertex in range(size, len(graph)):
            neighbours = graph[vertex]
            while neighbours:
                low = neighbours & -neighbours
                graph[low.bit_length() - 1] |= 1 << vertex
                neighbours ^= low
        for vertex, place in enumerate(floaters, start=size + has_bye):
            for other, other_place in enumerate(floaters, start=size + has_bye):
                if allowed[place] >> other_place & 1:
                    graph[vertex] |= 1 << other
            if has_bye and self.bye_candidates >> place & 1:
                graph[vertex] |= 1 << size
                graph[size] |= 1 << vertex
        return graph

    def _least_degree(self, start: int) -> int:
        """Return the fewest opponents that any player from a place on has among these."""
        if start not in self._least_degrees:
            self._least_degrees[start] = min(
                ((mask >> start).bit_count() for mask in self.field.allowed[start:]), default=0
            )
        return self._least_degrees[start]


def _find_unmatched(graph: list[int], players: int) -> tuple[int, int]:
    """Return how many vertices stay unmatched at least, and which of the first may be unmatched."""
    if all(neighbours.bit_count() * 2 >= len(graph) for neighbours in graph):
        return len(graph) % 2, (1 << players) - 1
    try:
        Matching(graph)
    except Unmatched as unmatched:
        return unmatched.count, sum(1 << vertex for vertex in unmatched.outer if vertex < players)
    return 0, 0


def _has_perfect_matching(graph: list[int]) -> bool:
    size = len(graph)
    if size % 2:
        return False
    degrees = sorted(neighbours.bit_count() for neighbours in graph)
    if not size or degrees[0] * 2 >= size:
        return True
    if not degrees[0]:
        return False
    try:
        Matching(graph)
    except Unmatched:
        return False
    return True
