"""Lexicographically best matchings, by maximum-weight matching in weights of at most 124 bits.

rustworkx adds weights in 128 bits and is silently wrong from 127 on, while all criteria of a
bracket together can need more. So the terms are optimised in stages, as many at a time as fit. A
term whose optimum is nought stays at nought by dropping whatever costs it; any other keeps its
place in the weights with a range just above its optimum, which is all that is needed to hold it,
unless its optimum is the most it can be, when what costs less is dropped.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from operator import index as as_integer

from rustworkx import PyGraph, max_weight_matching

from tournament.pairing.systems.dutch.criteria import Costs

MOST_BITS = 124
AMPLE_BITS = 64
"""How wide the weights of what is held may be before it is looked into whether they must."""

Edge = tuple[int, int, int]
"""Two vertices, the lower first, and the kind of the edge."""

Extra = Callable[[Edge], int]


class Infeasible(ArithmeticError):
    """A vertex that has to be matched cannot be."""


class LexicographicMatching:
    """A graph whose matchings are compared by the totals of several terms, in their order.

    `edges` join vertices; `singles[v]` is the kind of leaving v unmatched, None when v must be
    matched. `kinds[k]` lists what a kind adds to which term, and `most[t]` bounds term t.
    """

    def __init__(
        self,
        edges: list[Edge],
        singles: list[int | None],
        kinds: Sequence[Costs],
        most: Sequence[int],
    ):
        self.edges = edges
        self.singles = singles
        self.kinds = [*kinds, ()]
        self.most = most
        self.mate = [-1] * len(singles)
        self.totals: dict[int, int] = {}
        self._pinned: set[int] = set()
        self._weights = [0] * len(self.kinds)
        self._range = 1
        self._next = 0

    def optimise(self, up_to: int | None = None) -> None:
        """Bring the terms before `up_to` (all, when None) to their optimum, one after another."""
        stop = len(self.most) if up_to is None else up_to
        while self._next < stop:
            first = self._next
            scope = prod(size for _, size in self._held())
            while self._next < stop and (scope * (self.most[self._next] + 1)).bit_length() < 121:
                scope *= self.most[self._next] + 1
                self._next += 1
            if first == self._next:
                raise OverflowError(f"term {first} does not fit in {MOST_BITS} bits")
            fresh = range(first, self._next)
            self._weigh([*self._held(), *((term, self.most[term] + 1) for term in fresh)])
            self.solve()
            self.totals |= dict.fromkeys(fresh, 0)
            self._count(fresh)
            self._hold()

    def skip(self, term: int) -> None:
        """Leave the next term out of the comparison."""
        assert term == self._next
        self._next += 1

    def solve(
        self, extra: Extra | None = None, single: Mapping[int, int] | None = None, scope: int = 1
    ) -> None:
        """Find a matching that keeps the optima and has the smallest sum of extra costs.

        `extra` gives the cost of an edge and `single` that of each vertex left unmatched; their
        sum stays below `scope` in a best matching. Raises Infeasible.
        """
        ceiling = self._range * scope
        weights = [weight * scope for weight in self._weights]
        alone = [ceiling if kind is None else weights[kind] for kind in self.singles]
        for vertex, cost in (single or {}).items():
            if self.singles[vertex] is not None:
                alone[vertex] += cost
        width = (2 * max(alone, default=0)).bit_length()
        if width > MOST_BITS:
            raise OverflowError(f"weights of {width} bits")
        if extra is None:
            weighted = [(i, j, alone[i] + alone[j] - weights[kind]) for i, j, kind in self.edges]
        else:
            weighted = [
                (edge[0], edge[1], alone[edge[0]] + alone[edge[1]] - weights[edge[2]] - extra(edge))
                for edge in self.edges
            ]
        graph: PyGraph[None, int] = PyGraph()
        graph.add_nodes_from([None] * len(alone))
        graph.add_edges_from([edge for edge in weighted if edge[2] > 0])
        mate = [-1] * len(alone)
        for one, other in max_weight_matching(graph, False, weight_fn=as_integer):
            mate[one], mate[other] = other, one
        if any(mate[v] < 0 for v, kind in enumerate(self.singles) if kind is None):
            raise Infeasible
        self.mate = mate

    def keep(self, wanted: Callable[[Edge], bool]) -> None:
        """Drop the edges that are not wanted any more."""
        self.edges = [edge for edge in self.edges if wanted(edge)]

    def match(self, vertices: Iterable[int]) -> None:
        """Demand that vertices be matched."""
        for vertex in vertices:
            self.singles[vertex] = None

    def take_out(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Take pairs of the present matching out, with their costs."""
        gone = {vertex for pair in pairs for vertex in pair}
        for i, j, kind in self.edges:
            if i in gone and self.mate[i] == j:
                for term, amount in self.kinds[kind]:
                    self.totals[term] -= amount
        self.edges = [edge for edge in self.edges if edge[0] not in gone and edge[1] not in gone]
        for vertex in gone:
            self.singles[vertex] = len(self.kinds) - 1
        self._hold()

    @property
    def bits(self) -> int:
        """The width of the weights that hold the optima."""
        return self._range.bit_length()

    def _held(self) -> list[tuple[int, int]]:
        totals = self.totals.items()
        return [(term, total + 1) for term, total in totals if total and term not in self._pinned]

    def _count(self, terms: Iterable[int]) -> None:
        """Add up what the present matching costs in some terms."""
        wanted = set(terms)
        used = [kind for i, j, kind in self.edges if self.mate[i] == j]
        used += [k for v, k in enumerate(self.singles) if k is not None and self.mate[v] < 0]
        for kind in used:
            for term, amount in self.kinds[kind]:
                if term in wanted:
                    self.totals[term] += amount

    def _hold(self) -> None:
        """Keep the optima: what costs a term that is at nought cannot be part of one."""
        spent = [
            any(amount and not self.totals.get(term, 1) for term, amount in costs)
            for costs in self.kinds
        ]
        self.edges = [edge for edge in self.edges if not spent[edge[2]]]
        for vertex, kind in enumerate(self.singles):
            if kind is not None and spent[kind]:
                self.singles[vertex] = None
        if prod(size for _, size in self._held()).bit_length() > AMPLE_BITS:
            for term, _ in self._held():
                self._pin(term)
        self._weigh(self._held())

    def _pin(self, term: int) -> None:
        """Fix a term whose optimum is the most it can be: then every vertex gives all it can.

        An edge's costs are counted for its lower vertex. What gives less is dropped, and the term
        needs no weight any more.
        """
        amounts = [dict(costs).get(term, 0) for costs in self.kinds]
        most: dict[int, int] = {}
        for i, _, kind in self.edges:
            if amounts[kind] > most.get(i, 0):
                most[i] = amounts[kind]
        for vertex, single in enumerate(self.singles):
            if single is not None and amounts[single] > most.get(vertex, 0):
                most[vertex] = amounts[single]
        if sum(most.values()) != self.totals[term]:
            return
        self._pinned.add(term)
        self.edges = [
            edge
            for edge in self.edges
            if edge[1] not in most and amounts[edge[2]] == most.get(edge[0], 0)
        ]
        for vertex, single in enumerate(self.singles):
            if single is not None and amounts[single] < most.get(vertex, 0):
                self.singles[vertex] = None

    def _weigh(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Give every kind its weight: the terms as digits, each in a range of its own."""
        units, unit = {}, 1
        for term, size in reversed(ranges):
            units[term] = unit
            unit *= size
        self._range = unit
        self._weights = [
            sum(units[term] * amount for term, amount in costs if term in units)
            for costs in self.kinds
        ]
