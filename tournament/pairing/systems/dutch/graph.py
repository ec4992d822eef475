"""A bracket as a graph: who may be paired or float, and what each choice adds to the criteria.

Vertices are the bracket's members by BSN, the players of the next score groups as far as they are
looked into, and the bye when it is taken there. Whoever is left single goes on below the graph.
Moved-down players are not joined: had two of them been able to meet, the bracket before would
have paired them (C6).
"""

from collections.abc import Sequence

from tournament.pairing.systems.dutch.criteria import Bracket, Costs
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.lexicographic_matching import Edge


class BracketGraph:
    """The graph of a bracket and the score groups `below` it that are looked into.

    `bye_candidates` are the players who may have the bye when it is taken in the graph. `is_open`
    tells
    that there are players below the graph. `places` gives the vertices' places in the field,
    `size` the number of members and `bye` the vertex of the bye, if there is one.
    """

    def __init__(
        self,
        field: Field,
        moved: Sequence[int],
        residents: Sequence[int],
        below: Sequence[range],
        *,
        bye_candidates: int,
        is_open: bool,
    ):
        self.field = field
        following = below[0] if below else range(0)
        self.bracket = Bracket(
            field, moved, residents, below=following, has_bye=bool(bye_candidates)
        )
        self.places = [*self.bracket.members, *(place for group in below for place in group)]
        self.moved = len(moved)
        self.size = len(self.bracket.members)
        self.next_stop = self.size + len(following)
        self.bye = len(self.places) if bye_candidates else None
        self._known: dict[Costs, int] = {}
        self.edges = [*self._inside(), *self._floats(), *self._byes(bye_candidates)]
        self.singles: list[int | None] = [None] * len(self.places)
        if is_open:
            self.singles = self._singles()
        if self.bye is not None:
            self.singles.append(None)

    @property
    def kinds(self) -> list[Costs]:
        """What each kind of edge or single adds to the criteria."""
        return list(self._known)

    def _kind(self, costs: Costs) -> int:
        return self._known.setdefault(costs, len(self._known))

    def _inside(self) -> list[Edge]:
        """Join the members, working out the cost of equal standings once."""
        bracket, places, allowed = self.bracket, self.places, self.field.allowed
        kinds = list(dict.fromkeys(bracket.standings))
        rows = {}
        for one in kinds:
            row = {other: self._kind(bracket.pair(one, other)) for other in kinds}
            rows[one] = [row[other] for other in bracket.standings]
        return [
            (i, j, rows[bracket.standings[i]][j])
            for i in range(self.size)
            for j in range(max(i + 1, self.moved), self.size)
            if allowed[places[i]] >> places[j] & 1
        ]

    def _floats(self) -> list[Edge]:
        """Join members and following players with those of lower groups."""
        places, allowed = self.places, self.field.allowed
        edges = []
        for i, place in enumerate(places):
            for start, stop, is_beyond in (
                (self.size, self.next_stop, False),
                (self.next_stop, len(places), True),
            ):
                if start == stop:
                    continue
                kind = self._kind_of_float(i, is_beyond=is_beyond)
                edges += [
                    (i, j, kind)
                    for j in range(max(i + 1, start), stop)
                    if allowed[place] >> places[j] & 1
                ]
        return edges

    def _byes(self, bye_candidates: int) -> list[Edge]:
        edges = []
        for i, place in enumerate(self.places):
            if self.bye is not None and bye_candidates >> place & 1:
                costs: Costs = ()
                if i < self.size:
                    standing = self.bracket.standings[i]
                    costs = self.bracket.float(standing, beyond_next=False, with_bye=True)
                edges.append((i, self.bye, self._kind(costs)))
        return edges

    def _singles(self) -> list[int | None]:
        """Leave those single who may meet somebody below the graph."""
        after = self.places[-1] + 1
        has_next = self.next_stop > self.size
        return [
            self._kind_of_float(i, is_beyond=has_next)
            if self.field.allowed[place] >> after
            else None
            for i, place in enumerate(self.places)
        ]

    def _kind_of_float(self, vertex: int, *, is_beyond: bool) -> int:
        """Give the kind of a float to the next bracket or, `is_beyond`, through it."""
        if vertex < self.size:
            standing = self.bracket.standings[vertex]
            return self._kind(self.bracket.float(standing, beyond_next=is_beyond))
        is_float = is_beyond and vertex < self.next_stop
        return self._kind(self.bracket.float_of_next() if is_float else ())
