"""The order among equally good pairings of a bracket (C.04.3 articles 3.6 and 4).

First the moved-down players who are paired, then the partner of each of them; of the other
residents the fewest and smallest exchanges between the halves, the lowest of the upper half
leaving and the highest of the lower half coming first; then the partners of the upper half one by
one. The upper half after exchanges is the set of the higher players of all pairs.

Each question is "which comes first of those that keep the optimum": the answer is a matching with
the choices in turn as the lower digits of the weights, as many as fit, frozen before the next.
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
    """Puts an optimised matching of a bracket in order; `pairs` are what is fixed."""

    def __init__(self, graph: BracketGraph, matching: LexicographicMatching):
        self.graph = graph
        self.matching = matching
        self.size = graph.size
        self.pairs: list[tuple[int, int]] = []

    def arrange(self) -> list[tuple[int, int]]:
        """Give the first pairs, as vertices, higher first; the matching holds what floats."""
        moved = range(self.graph.moved)
        if any(not self._is_paired(one) for one in moved):
            for chunk in self._chunks(moved, self._spare()):
                self._choose_paired(chunk)
        paired = [one for one in moved if self._is_paired(one)]
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
    def _chunks(vertices: Sequence[int], fit: int) -> list[Sequence[int]]:
        return [vertices[start : start + fit] for start in range(0, len(vertices), fit)]

    def _choose_paired(self, chunk: Sequence[int]) -> None:
        """Pair moved-down players rather than leave them over, the highest first."""
        size, matching = self.size, self.matching
        bit = {one: 1 << index for index, one in enumerate(reversed(chunk))}

        def leaving(edge: Edge) -> int:
            return bit.get(edge[0], 0) if edge[1] >= size else 0

        matching.solve(leaving, bit, 1 << len(chunk))
        paired = {one for one in chunk if self._is_paired(one)}
        over = set(chunk) - paired
        matching.keep(lambda edge: edge[0] not in (paired if edge[1] >= size else over))
        matching.match(paired)

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
        unit = {one: 1 << width * index for index, one in enumerate(reversed(chunk))}

        def partner(edge: Edge) -> int:
            return unit[edge[0]] * rank[edge[1]] if edge[0] in unit else 0

        self.matching.solve(partner, scope=1 << width * len(chunk))
        pairs = [(one, self.matching.mate[one]) for one in chunk]
        self.matching.take_out(pairs)
        self.pairs += pairs

    def _arrange_residents(self) -> None:
        """Order those residents who are not partners of moved-down players."""
        taken = {lower for _, lower in self.pairs}
        residents = [v for v in range(self.graph.moved, self.size) if v not in taken]
        count = sum(self._is_upper(vertex) for vertex in residents)
        if not count:
            return
        exchanges = _Exchanges(residents, count, self.size)
        self.matching.solve(exchanges.cost, scope=exchanges.most + 1)
        uppers = {vertex for vertex in residents if self._is_upper(vertex)}
        if not uppers <= set(residents[:count]):
            uppers = self._exchange(exchanges, uppers)
        lowers = set(residents) - uppers
        self.matching.keep(
            lambda edge: (
                edge[1] in lowers
                if edge[0] in uppers
                else edge[1] not in uppers and (edge[0] not in lowers or edge[1] not in lowers)
            )
        )
        self.matching.match(uppers)
        self._choose_partners(sorted(uppers), sorted(lowers))

    def _exchange(self, exchanges: "_Exchanges", uppers: set[int]) -> set[int]:
        """Find who changes halves, with the number and the size of the exchange held."""
        residents, count = exchanges.residents, exchanges.count
        held = exchanges.total(uppers)
        fit = max(1, self._spare() - held.bit_length())
        for chunk in self._chunks(residents[:count][::-1], fit):
            self._choose_upper(exchanges, held, chunk, is_wanted=False)
        for chunk in self._chunks(residents[count:], fit):
            self._choose_upper(exchanges, held, chunk, is_wanted=True)
        return {vertex for vertex in residents if self._is_upper(vertex)}

    def _choose_upper(
        self, exchanges: "_Exchanges", held: int, chunk: Sequence[int], *, is_wanted: bool
    ) -> None:
        """Make players in turn the higher ones of their pairs, or avoid it where not wanted."""
        matching, size = self.matching, self.size
        bit = {one: 1 << index for index, one in enumerate(reversed(chunk))}
        scope = 1 << len(chunk)

        def upper(edge: Edge) -> int:
            added = bit.get(edge[0], 0) if edge[1] < size else 0
            return exchanges.cost(edge) * scope + added

        def not_upper(edge: Edge) -> int:
            added = bit.get(edge[1], 0) + (bit.get(edge[0], 0) if edge[1] >= size else 0)
            return exchanges.cost(edge) * scope + added

        if is_wanted:
            matching.solve(not_upper, bit, (held + 1) * scope)
        else:
            matching.solve(upper, scope=(held + 1) * scope)
        above = {vertex for vertex in chunk if self._is_upper(vertex)}
        below = set(chunk) - above
        matching.keep(
            lambda edge: (
                edge[1] not in above and edge[0] not in (below if edge[1] < size else above)
            )
        )
        matching.match(above)


class _Exchanges:
    """What it costs that residents are the higher ones of their pairs.

    Most of all those from the lower half count, as many as are exchanged; then the sum of the
    ranks, which grows with the difference between those who come and those who leave.
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
        """Give what a pair of residents costs by its higher player."""
        return self._costs.get(edge[0], 0) if edge[1] < self.size else 0

    def total(self, uppers: set[int]) -> int:
        """Give what a whole upper half costs."""
        return sum(self._costs[vertex] for vertex in uppers)
