"""Whether those still unpaired can all be paired (C4), and the next bracket at its best (C8).

Most questions are answered by Dirac's bound: where everybody may meet at least half of the others
there is a perfect matching. Only when it does not hold is a matching looked for.
"""

from collections.abc import Sequence

from tournament.pairing.matching import Matching, Unmatched
from tournament.pairing.systems.dutch.field import Field

FEW = 40
"""Up to how many players each of a group is tried as the one who goes on to them."""


class Completion:
    """Answers whether players can be paired; `bye_candidates` is empty if no bye is due."""

    def __init__(self, field: Field, bye_candidates: int):
        self.field = field
        self.bye_candidates = bye_candidates
        self._least: dict[int, int] = {}

    def rest(self, start: int, floaters: Sequence[int] = (), *, bye: bool = False) -> bool:
        """Whether the players from a place on, the floaters and the bye can be paired."""
        size = len(self.field.numbers) - start + len(floaters) + bye
        if size % 2:
            return False
        if not size:
            return True
        bye_candidates = self.bye_candidates >> start if bye else 0
        half = size // 2
        if (
            (bye_candidates or not bye)
            and self._least_degree(start) >= half
            and all((self.field.allowed[f] >> start).bit_count() >= half for f in floaters)
        ):
            return True
        return _is_matchable(self._graph(range(start, len(self.field.numbers)), floaters, bye=bye))

    def next_at_best(
        self, following: range, floaters: Sequence[int], *, bye_next: bool, bye_later: bool
    ) -> bool:
        """Whether the next bracket certainly leaves nobody but one resident where numbers are odd.

        `bye_next` and `bye_later` tell where the bye is taken. False when it is not certain.
        """
        size = len(following) + len(floaters) + bye_next
        graph = self._graph(following, floaters, bye=bye_next)
        if size % 2 == 0:
            return self.rest(following.stop, bye=bye_later) and _is_matchable(graph)
        can_float = self._can_float(following, bye=bye_later)
        vertex = len(graph)
        for offset in range(len(following)):
            if can_float >> offset & 1:
                graph[offset] |= 1 << vertex
        return _is_matchable([*graph, can_float])

    def _can_float(self, group: range, *, bye: bool) -> int:
        """Give those of a group, as a set of offsets, who may go on so that all below can pair."""
        size = len(self.field.numbers) - group.stop + 1 + bye
        if size % 2 or (bye and not self.bye_candidates >> group.stop):
            return 0
        is_dense = self._least_degree(group.stop) >= size // 2
        can_float = 0
        for offset, place in enumerate(group):
            degree = (self.field.allowed[place] >> group.stop).bit_count()
            can = is_dense and degree >= size // 2
            if not can and degree and size <= FEW:
                can = self.rest(group.stop, [place], bye=bye)
            can_float |= can << offset
        return can_float

    def _graph(self, span: range, floaters: Sequence[int], *, bye: bool) -> list[int]:
        """Give neighbours by place in the span, then of the bye, then of the floaters."""
        allowed, size = self.field.allowed, len(span)
        window = (1 << size) - 1
        graph = [allowed[place] >> span.start & window for place in span]
        if bye:
            graph.append(self.bye_candidates >> span.start & window)
        graph += [allowed[place] >> span.start & window for place in floaters]
        for vertex in range(size, len(graph)):
            neighbours = graph[vertex]
            while neighbours:
                low = neighbours & -neighbours
                graph[low.bit_length() - 1] |= 1 << vertex
                neighbours ^= low
        for vertex, place in enumerate(floaters, start=size + bye):
            for other, another in enumerate(floaters, start=size + bye):
                if allowed[place] >> another & 1:
                    graph[vertex] |= 1 << other
            if bye and self.bye_candidates >> place & 1:
                graph[vertex] |= 1 << size
                graph[size] |= 1 << vertex
        return graph

    def _least_degree(self, start: int) -> int:
        """Give the fewest opponents that one of the players from a place on has among them."""
        if start not in self._least:
            allowed = self.field.allowed[start:]
            self._least[start] = min(((one >> start).bit_count() for one in allowed), default=0)
        return self._least[start]


def _is_matchable(graph: list[int]) -> bool:
    """Whether a graph of neighbour sets has a perfect matching."""
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
