"""The first of the equally good pairings of a bracket (C.04.3 articles 3.6 and 4).

The order is decided by the moved-down players who are paired, then by the partner of each of them.
For the other residents, it is decided by the fewest and smallest exchanges between the halves (the
lowest players of the upper half leave first, the highest of the lower half enter first), then by
the partners of the upper half, one by one. The upper half after exchanges is the set of the higher
players of all pairs.

Each step asks which choice comes first of those that keep the optimum. A matching answers it: the
choices are the lower digits of the weights, as many as fit, and are fixed before the next step.
"""

from collections.abc import Sequence

from tournament.pairing.systems.dutch.graph import BracketGraph
from tournament.pairing.systems.dutch.lexicographic_matching import (
    MOST_BITS,
    Edge,
    LexicographicMatching,
)

SPARE_BITS = MOST_BITS - 3


class Ordering:
    """Finds the first of the equally good pairings; `pairs` are those already fixed."""

    def __init__(self, graph: BracketGraph, matching: LexicographicMatching):
        self.graph = graph
        self.matching = matching
        self.size = graph.size
        self.pairs: list[tuple[int, int]] = []

    def arrange(self) -> list[tuple[int, int]]:
        """Return the pairs as vertices, the higher first; the matching keeps the floaters."""
        moved = range(self.graph.moved)
        if any(not self._is_paired(vertex) for vertex in moved):
            for chunk in self._chunks(moved, self._spare()):
                self._choose_paired(chunk)
        paired = [vertex for vertex in moved if self._is_paired(vertex)]
        self._choose_partners(paired, range(self.graph.moved, self.size))
        self._arrange_residents()
        return self.pairs

    def _is_paired(self, vertex: int) -> bool:
        return 0 <= self.matching.mate[vertex] < self.size

    def _is_upper(self, vertex: int) -> bool:
        return vertex < self.matching.mate[vertex] < self.size

    def _spare(self) -> int:
        return max(1, SPARE_BITS - self.matching.bits)

    @staticmethod
    def _chunks(vertices: Sequence[int], size: int) -> list[Sequence[int]]:
        return [vertices[start : start + size] for start in range(0, len(vertices), size)]

    def _choose_paired(self, chunk: Sequence[int]) -> None:
        """Pair moved-down players rather than leave them over, the highest first."""
        size, matching = self.size, self.matching
        bit = {vertex: 1 << index for index, vertex in enumerate(reversed(chunk))}

        def leaving(edge: Edge) -> int:
            return bit.get(edge[0], 0) if edge[1] >= size else 0

        matching.solve(leaving, bit, 1 << len(chunk))
        paired = {vertex for vertex in chunk if self._is_paired(vertex)}
        left_over = set(chunk) - paired
        matching.keep(lambda edge: edge[0] not in (paired if edge[1] >= size else left_over))
        matching.require(paired)

    def _choose_partners(self, uppers: Sequence[int], lowers: Sequence[int]) -> None:
        """Give each upper player in turn the highest partner that keeps the optimum."""
        rank = {lower: index for index, lower in enumerate(lowers)}
        width = max(1, (len(lowers) - 1).bit_length())
        waiting = list(uppers)
        while waiting:
            fit = max(1, self._spare() // width)
            chunk, waiting = waiting[:fit], waiting[fit:]
            self._choose_partners_of(chunk, rank, width)

    def _choose_partners_of(self, chunk: Sequence[int], rank: dict[int, int], width: int) -> None:
        unit = {upper: 1 << width * index for index, upper in enumerate(reversed(chunk))}

        def partner(edge: Edge) -> int:
            return unit[edge[0]] * rank[edge[1]] if edge[0] in unit else 0

        self.matching.solve(partner, scope=1 << width * len(chunk))
        pairs = [(upper, self.matching.mate[upper]) for upper in chunk]
        self.matching.fix(pairs)
        self.pairs += pairs

    def _arrange_residents(self) -> None:
        """Order the residents who are not partners of moved-down players."""
        taken = {lower for _, lower in self.pairs}
        residents = [v for v in range(self.graph.moved, self.size) if v not in taken]
        count = sum(self._is_upper(vertex) for vertex in residents)
        if not count:
            return
        exchanges = _Exchanges(residents, count, self.size)
        self.matching.solve(exchanges.cost, scope=exchanges.most + 1)
        uppers = {vertex for vertex in residents if self._is_upper(vertex)}
        if not uppers <= set(residents[:count]):
            uppers = self._choose_exchange(exchanges, uppers)
        lowers = set(residents) - uppers
        self.matching.keep(
            lambda edge: (
                edge[1] in lowers
                if edge[0] in uppers
                else edge[1] not in uppers and (edge[0] not in lowers or edge[1] not in lowers)
            )
        )
        self.matching.require(uppers)
        self._choose_partners(sorted(uppers), sorted(lowers))

    def _choose_exchange(self, exchanges: "_Exchanges", uppers: set[int]) -> set[int]:
        """Return the upper half after the first exchange of the same number and size."""
        residents, count = exchanges.residents, exchanges.count
        total = exchanges.total(uppers)
        fit = max(1, self._spare() - total.bit_length())
        for chunk in self._chunks(residents[:count][::-1], fit):
            self._choose_upper(exchanges, total, chunk, prefer_upper=False)
        for chunk in self._chunks(residents[count:], fit):
            self._choose_upper(exchanges, total, chunk, prefer_upper=True)
        return {vertex for vertex in residents if self._is_upper(vertex)}

    def _choose_upper(
        self, exchanges: "_Exchanges", total: int, chunk: Sequence[int], *, prefer_upper: bool
    ) -> None:
        """Make players in turn the higher, or the lower, of their pairs, as preferred."""
        matching, size = self.matching, self.size
        bit = {vertex: 1 << index for index, vertex in enumerate(reversed(chunk))}
        scope = 1 << len(chunk)

        def upper(edge: Edge) -> int:
            added = bit.get(edge[0], 0) if edge[1] < size else 0
            return exchanges.cost(edge) * scope + added

        def not_upper(edge: Edge) -> int:
            added = bit.get(edge[1], 0) + (bit.get(edge[0], 0) if edge[1] >= size else 0)
            return exchanges.cost(edge) * scope + added

        if prefer_upper:
            matching.solve(not_upper, bit, (total + 1) * scope)
        else:
            matching.solve(upper, scope=(total + 1) * scope)
        above = {vertex for vertex in chunk if self._is_upper(vertex)}
        below = set(chunk) - above
        matching.keep(
            lambda edge: (
                edge[1] not in above and edge[0] not in (below if edge[1] < size else above)
            )
        )
        matching.require(above)


class _Exchanges:
    """The cost of residents as the higher players of their pairs.

    Players of the lower half cost most, so the number of exchanges counts first; then the sum of
    the ranks, which grows with the difference between the players who enter and those who leave.
    """

    def __init__(self, residents: Sequence[int], count: int, size: int):
        self.residents = residents
        self.count = count
        self.size = size
        step = count * len(residents) + 1
        self.most = (count + 1) * step
        self._costs = {
            vertex: index + (step if index >= count else 0)
            for index, vertex in enumerate(residents)
        }

    def cost(self, edge: Edge) -> int:
        """Return the cost of a pair of residents by its higher player."""
        return self._costs.get(edge[0], 0) if edge[1] < self.size else 0

    def total(self, uppers: set[int]) -> int:
        """Return the cost of a whole upper half."""
        return sum(self._costs[vertex] for vertex in uppers)
