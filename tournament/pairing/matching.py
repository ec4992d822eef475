"""Perfect matchings in a graph given as bit sets, kept while vertices leave it.

The search is Edmonds' (an alternating tree whose odd cycles are contracted), with one set of bits
a vertex, so that a tree grows by whole neighbourhoods: dense graphs of thousands of vertices stay
a matter of milliseconds a search.
"""

from collections.abc import Iterator

from tournament.pairing.errors import PairingError


class Unmatched(PairingError):
    """No perfect matching: `outer` vertices compete for the fewer `inner` ones."""

    def __init__(self, outer: tuple[int, ...], inner: tuple[int, ...]):
        self.outer = outer
        self.inner = inner
        super().__init__(f"{len(outer)} vertices share {len(inner)} partners")


class Matching:
    """A perfect matching of the vertices still in play.

    `neighbours[v]` is the set of bits that may be v's partner; it must be symmetric. `vertices`
    is the set to match, all of them when it is not given. Raises Unmatched when there is no
    perfect matching to begin with.
    """

    def __init__(self, neighbours: list[int], vertices: int | None = None):
        self.neighbours = neighbours
        everything = (1 << len(neighbours)) - 1
        self.left = self.single = everything if vertices is None else vertices
        self.partner = [-1] * len(neighbours)
        for vertex in bits(self.left):
            if self.partner[vertex] < 0:
                candidates = neighbours[vertex] & self.single & ~(1 << vertex)
                if candidates:
                    self.join(vertex, lowest_bit(candidates))
        self._complete()

    def settle(self, one: int, other: int) -> bool:
        """Take a pair out for good if the others can still all be matched; else change nothing."""
        pair = 1 << one | 1 << other
        if self.left & pair != pair or not self.neighbours[one] >> other & 1:
            return False
        widow, widower = self.partner[one], self.partner[other]
        self.left &= ~pair
        if widow != other:
            self.partner[widow] = self.partner[widower] = -1
            self.single = 1 << widow | 1 << widower
            if not _Search(self, widow).augment():
                self.left |= pair
                self.join(one, widow)
                self.join(other, widower)
                return False
        self.join(one, other)
        return True

    def join(self, one: int, other: int) -> None:
        """Make two vertices partners."""
        self.partner[one], self.partner[other] = other, one
        self.single &= ~(1 << one | 1 << other)

    def _complete(self) -> None:
        """Match the vertices left single; what a full-grown tree holds cannot help the others."""
        outer, inner = 0, 0
        for vertex in bits(self.single):
            if self.partner[vertex] < 0 and self.left >> vertex & 1:
                search = _Search(self, vertex)
                if not search.augment():
                    outer |= search.outer
                    inner |= search.inner
                    self.left &= ~(search.outer | search.inner)
        if outer:
            raise Unmatched(tuple(bits(outer)), tuple(bits(inner)))


class _Search:
    """One alternating tree, grown from an unmatched vertex."""

    def __init__(self, matching: Matching, root: int):
        self.matching = matching
        self.root = root
        self.base = list(range(len(matching.neighbours)))
        self.members = {root: 1 << root}
        self.parent: dict[int, int] = {}
        self.outer = 1 << root
        self.unseen = matching.left & ~self.outer
        self.queue = [root]

    def augment(self) -> bool:
        """Find a path to another unmatched vertex and swap along it."""
        neighbours, partner = self.matching.neighbours, self.matching.partner
        for vertex in self.queue:
            goal = neighbours[vertex] & self.unseen & self.matching.single
            if goal:
                other = lowest_bit(goal)
                self.parent[other] = vertex
                self._swap(other)
                return True
            touched = neighbours[vertex] & self.unseen
            for other in bits(touched):
                if not self.unseen >> other & 1:
                    continue
                self.unseen &= ~(1 << other)
                self.parent[other] = vertex
                mate = partner[other]
                self.unseen &= ~(1 << mate)
                self.outer |= 1 << mate
                self.members[mate] = 1 << mate
                self.queue.append(mate)
            while cycle := neighbours[vertex] & self.outer & ~self.members[self.base[vertex]]:
                self._contract(vertex, lowest_bit(cycle))
        return False

    @property
    def inner(self) -> int:
        """The vertices of the tree that only stand between outer ones."""
        return self.matching.left & ~self.unseen & ~self.outer

    def _swap(self, vertex: int) -> None:
        while vertex >= 0:
            previous = self.parent[vertex]
            following = self.matching.partner[previous]
            self.matching.join(vertex, previous)
            vertex = following

    def _contract(self, one: int, other: int) -> None:
        """Make the odd cycle that an edge between outer vertices closes one outer vertex."""
        top = self._common_base(one, other)
        inside = self._climb(one, other, top) | self._climb(other, one, top)
        gained = 0
        for base in inside:
            gained |= self.members.pop(base, 1 << base)
        for vertex in bits(gained):
            self.base[vertex] = top
        self.members[top] |= gained
        fresh = gained & ~self.outer
        self.outer |= fresh
        self.queue.extend(bits(fresh))

    def _common_base(self, one: int, other: int) -> int:
        partner, base = self.matching.partner, self.base
        seen = set()
        vertex = one
        while True:
            vertex = base[vertex]
            seen.add(vertex)
            if vertex == self.root or partner[vertex] < 0:
                break
            vertex = self.parent[partner[vertex]]
        vertex = other
        while base[vertex] not in seen:
            vertex = self.parent[partner[base[vertex]]]
        return base[vertex]

    def _climb(self, vertex: int, child: int, top: int) -> set[int]:
        """Give the bases from a vertex up to the cycle's top, leaving the way back marked."""
        partner, base = self.matching.partner, self.base
        passed = set()
        while base[vertex] != top:
            mate = partner[vertex]
            passed |= {base[vertex], base[mate]}
            self.parent[vertex] = child
            child = mate
            vertex = self.parent[mate]
        return passed


def lowest_bit(mask: int) -> int:
    """Give the lowest vertex of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def bits(mask: int) -> Iterator[int]:
    """Give the vertices of a set, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
