"""A bracket as a graph: which players can be paired or float, and what each choice costs.

The vertices are the members of the bracket by BSN, the players of some of the next score groups,
and the bye if one of them has it. A player who is left single floats below the graph. Moved-down
players are not joined with each other: if two of them could meet, the bracket before would have
paired them (C6).
"""

from collections.abc import Sequence

from tournament.pairing.systems.dutch.criteria import Bracket, Costs
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.lexicographic_matching import Edge


class BracketGraph:
    """The graph of a bracket and of the score groups `below`.

    `bye_candidates` may have the bye, if a player of the graph has it. `is_open` is True if there
    are players below the graph. `places` are the places of the vertices in the field, `size` is the
    number of members and `bye` the vertex of the bye, or None.
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
        needed: tuple[int, int] = (0, 0),
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
        self._kind_of_costs: dict[Costs, int] = {}
        self.edges = [*self._inside(), *self._floats(), *self._byes(bye_candidates)]
        self.singles: list[int | None] = [None] * len(self.places)
        if is_open:
            self.singles = self._singles()
        if self.bye is not None:
            self.singles.append(None)
        self.players = len(self.singles)
        self._add_needed(*needed)

    @property
    def kinds(self) -> list[Costs]:
        """The costs of each kind of edge or single vertex."""
        return list(self._kind_of_costs)

    def _kind(self, costs: Costs) -> int:
        return self._kind_of_costs.setdefault(costs, len(self._kind_of_costs))

    def _inside(self) -> list[Edge]:
        """Join the members; the costs are computed once for equal profiles."""
        bracket, places, allowed = self.bracket, self.places, self.field.allowed
        profiles = list(dict.fromkeys(bracket.profiles))
        rows = {}
        for profile in profiles:
            row = {other: self._kind(bracket.pair_costs(profile, other)) for other in profiles}
            rows[profile] = [row[other] for other in bracket.profiles]
        return [
            (i, j, rows[bracket.profiles[i]][j])
            for i in range(self.size)
            for j in range(max(i + 1, self.moved), self.size)
            if allowed[places[i]] >> places[j] & 1
        ]

    def _floats(self) -> list[Edge]:
        """Join the members, and the players of the next group, with the players of lower groups."""
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
                    profile = self.bracket.profiles[i]
                    costs = self.bracket.float_costs(profile, beyond_next=False, with_bye=True)
                edges.append((i, self.bye, self._kind(costs)))
        return edges

    def _singles(self) -> list[int | None]:
        """Allow players to stay single who may meet a player below the graph."""
        after = self.places[-1] + 1
        has_next = self.next_stop > self.size
        return [
            self._kind_of_float(i, is_beyond=has_next)
            if self.field.allowed[place] >> after
            else None
            for i, place in enumerate(self.places)
        ]

    def _add_needed(self, count: int, scarce: int) -> None:
        """Let `count` players float below the graph who may meet one of the `scarce` players there.

        Each is matched with a vertex of its own. The first of these players, in their order, has
        the first such vertex, and so on.
        """
        allowed, has_next = self.field.allowed, self.next_stop > self.size
        able = [i for i, place in enumerate(self.places) if allowed[place] & scarce]
        kinds = {i: self._kind_of_float(i, is_beyond=has_next) for i in able}
        for index in range(count):
            choices = able[index : len(able) - count + index + 1]
            self.edges += [(i, len(self.singles), kinds[i]) for i in choices]
            self.singles.append(None)

    def _kind_of_float(self, vertex: int, *, is_beyond: bool) -> int:
        """Return the kind of a float to the next bracket or, if `is_beyond`, through it."""
        if vertex < self.size:
            profile = self.bracket.profiles[vertex]
            return self._kind(self.bracket.float_costs(profile, beyond_next=is_beyond))
        is_float = is_beyond and vertex < self.next_stop
        return self._kind(self.bracket.next_float_costs() if is_float else ())
