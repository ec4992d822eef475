"""Lexicographically best matchings, by maximum-weight matching with weights of at most 124 bits.

rustworkx adds weights in 128 bits and is silently wrong from 127 bits on, while all criteria of a
bracket together can need more. So the objectives are optimised in stages, as many at once as fit.
An objective with an optimum of zero is held by removing everything that costs it. Any other
objective keeps its place in the weights with a range just above its optimum, which is enough to
hold it. If its optimum is the most it can be, everything that costs less is removed instead.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from operator import index as as_integer

from rustworkx import PyGraph, max_weight_matching

from tournament.pairing.deadline import check_time
from tournament.pairing.systems.dutch.criteria import Costs

MOST_BITS = 124
AMPLE_BITS = 64
"""Up to this width, the weights of held objectives are not reduced further."""

Edge = tuple[int, int, int]
"""Two vertices, the lower first, and the kind of the edge."""

EdgeCost = Callable[[Edge], int]


class Infeasible(ArithmeticError):
    """A vertex that must be matched cannot be matched."""


class LexicographicMatching:
    """A graph whose matchings are compared by the totals of several objectives, in their order.

    `edges` join vertices. `singles[v]` is the kind of a single vertex v, None if v must be matched.
    `kinds[k]` lists what kind k adds to which objective, and `most[i]` bounds objective i.
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
        """Optimise the objectives before `up_to` (all, if None), one after another."""
        stop = len(self.most) if up_to is None else up_to
        while self._next < stop:
            first = self._next
            scope = prod(size for _, size in self._held())
            while self._next < stop and (scope * (self.most[self._next] + 1)).bit_length() < 121:
                scope *= self.most[self._next] + 1
                self._next += 1
            if first == self._next:
                raise OverflowError(f"objective {first} does not fit in {MOST_BITS} bits")
            new = range(first, self._next)
            self._set_weights([*self._held(), *((i, self.most[i] + 1) for i in new)])
            self.solve()
            self.totals |= dict.fromkeys(new, 0)
            self._add_totals(new)
            self._hold()

    def skip(self, objective: int) -> None:
        """Leave the next objective out."""
        assert objective == self._next
        self._next += 1

    def solve(
        self, extra: EdgeCost | None = None, single: Mapping[int, int] | None = None, scope: int = 1
    ) -> None:
        """Find the matching with the smallest extra cost among those that keep the optima.

        `extra` is the extra cost of an edge, and `single` that of each single vertex; their sum is
        below `scope` in a best matching. Raises Infeasible.
        """
        check_time()
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
        for a, b in max_weight_matching(graph, False, weight_fn=as_integer):
            mate[a], mate[b] = b, a
        if any(mate[v] < 0 for v, kind in enumerate(self.singles) if kind is None):
            raise Infeasible
        self.mate = mate

    def keep(self, is_kept: Callable[[Edge], bool]) -> None:
        """Remove all other edges."""
        self.edges = [edge for edge in self.edges if is_kept(edge)]

    def require(self, vertices: Iterable[int]) -> None:
        """Require that vertices be matched."""
        for vertex in vertices:
            self.singles[vertex] = None

    def fix(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Remove pairs of the current matching from the graph, with their costs."""
        fixed = {vertex for pair in pairs for vertex in pair}
        for i, j, kind in self.edges:
            if i in fixed and self.mate[i] == j:
                for objective, amount in self.kinds[kind]:
                    self.totals[objective] -= amount
        self.edges = [edge for edge in self.edges if edge[0] not in fixed and edge[1] not in fixed]
        for vertex in fixed:
            self.singles[vertex] = len(self.kinds) - 1
        self._hold()

    @property
    def bits(self) -> int:
        """The width of the weights that hold the optima."""
        return self._range.bit_length()

    def _held(self) -> list[tuple[int, int]]:
        """Return the objectives that need a place in the weights, with their ranges."""
        return [
            (objective, total + 1)
            for objective, total in self.totals.items()
            if total and objective not in self._pinned
        ]

    def _add_totals(self, objectives: Iterable[int]) -> None:
        """Add what the current matching costs under some objectives."""
        counted = set(objectives)
        used = [kind for i, j, kind in self.edges if self.mate[i] == j]
        used += [k for v, k in enumerate(self.singles) if k is not None and self.mate[v] < 0]
        for kind in used:
            for objective, amount in self.kinds[kind]:
                if objective in counted:
                    self.totals[objective] += amount

    def _hold(self) -> None:
        """Hold the optima: remove whatever costs an objective whose optimum is zero."""
        is_excluded = [
            any(amount and not self.totals.get(objective, 1) for objective, amount in costs)
            for costs in self.kinds
        ]
        self.edges = [edge for edge in self.edges if not is_excluded[edge[2]]]
        for vertex, kind in enumerate(self.singles):
            if kind is not None and is_excluded[kind]:
                self.singles[vertex] = None
        if prod(size for _, size in self._held()).bit_length() > AMPLE_BITS:
            for objective, _ in self._held():
                self._pin(objective)
        self._set_weights(self._held())

    def _pin(self, objective: int) -> None:
        """Fix an objective whose optimum is the most it can be: each vertex adds all it can.

        The costs of an edge count for its lower vertex. Whatever adds less is removed, and the
        objective needs no weight any more.
        """
        amounts = [dict(costs).get(objective, 0) for costs in self.kinds]
        most: dict[int, int] = {}
        for i, _, kind in self.edges:
            if amounts[kind] > most.get(i, 0):
                most[i] = amounts[kind]
        for vertex, single in enumerate(self.singles):
            if single is not None and amounts[single] > most.get(vertex, 0):
                most[vertex] = amounts[single]
        if sum(most.values()) != self.totals[objective]:
            return
        self._pinned.add(objective)
        self.edges = [
            edge
            for edge in self.edges
            if edge[1] not in most and amounts[edge[2]] == most.get(edge[0], 0)
        ]
        for vertex, single in enumerate(self.singles):
            if single is not None and amounts[single] < most.get(vertex, 0):
                self.singles[vertex] = None

    def _set_weights(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Set the weight of each kind: the objectives are digits, each with its own range."""
        units, unit = {}, 1
        for objective, size in reversed(ranges):
            units[objective] = unit
            unit *= size
        self._range = unit
        self._weights = [
            sum(units[objective] * amount for objective, amount in costs if objective in units)
            for costs in self.kinds
        ]
