"""Perfect matchings in a graph of bit sets, maintained while pairs are removed from it.

The algorithm is Edmonds' blossom algorithm (an alternating tree whose odd cycles are contracted)
with one set of bits for each vertex, so that a tree grows by whole neighbourhoods. A search in a
dense graph of thousands of vertices takes milliseconds.
"""

from collections.abc import Iterator

from tournament.pairing.deadline import check_time
from tournament.pairing.errors import PairingError


class Unmatched(PairingError):
    """There is no perfect matching: the `outer` vertices compete for fewer `inner` vertices.

    `count` vertices stay unmatched in any matching.
    """

    def __init__(self, outer: tuple[int, ...], inner: tuple[int, ...], count: int):
        self.outer = outer
        self.inner = inner
        self.count = count
        super().__init__(f"{len(outer)} vertices share {len(inner)} partners")


class Matching:
    """A perfect matching of the vertices that are left.

    `neighbours[v]` is the set of possible partners of v; the graph must be symmetric. `vertices` is
    the set to match, by default all. Raises Unmatched if there is no perfect matching.
    """

    def __init__(self, neighbours: list[int], vertices: int | None = None):
        check_time()
        self.neighbours = neighbours
        everything = (1 << len(neighbours)) - 1
        self.left = self.single = everything if vertices is None else vertices
        self.partner = [-1] * len(neighbours)
        for vertex in sorted(bits(self.left), key=lambda vertex: neighbours[vertex].bit_count()):
            if self.partner[vertex] < 0:  # those with few partners first: fewer searches follow
                candidates = neighbours[vertex] & self.single & ~(1 << vertex)
                if candidates:
                    self.join(vertex, lowest_bit(candidates))
        self._complete()

    def settle(self, a: int, b: int) -> bool:
        """Match a pair for good if all others can still be matched; else return False."""
        pair = 1 << a | 1 << b
        if self.left & pair != pair or not self.neighbours[a] >> b & 1:
            return False
        partner_a, partner_b = self.partner[a], self.partner[b]
        self.left &= ~pair
        if partner_a != b:
            self.partner[partner_a] = self.partner[partner_b] = -1
            self.single = 1 << partner_a | 1 << partner_b
            if not _AugmentingSearch(self, partner_a).augment():
                self.left |= pair
                self.join(a, partner_a)
                self.join(b, partner_b)
                return False
        self.join(a, b)
        return True

    def limit(self, vertex: int, partners: int) -> bool:
        """Remove all other partners of a vertex if all can still be matched; else return False."""
        bit, mate = 1 << vertex, self.partner[vertex]
        removed = self.neighbours[vertex] & ~partners
        self.neighbours[vertex] ^= removed
        for other in bits(removed):
            self.neighbours[other] &= ~bit
        if partners >> mate & 1:
            return True
        self.partner[vertex] = self.partner[mate] = -1
        self.single = bit | 1 << mate
        if _AugmentingSearch(self, vertex).augment():
            return True
        self.join(vertex, mate)
        self.neighbours[vertex] |= removed
        for other in bits(removed):
            self.neighbours[other] |= bit
        return False

    def join(self, a: int, b: int) -> None:
        """Make two vertices partners."""
        self.partner[a], self.partner[b] = b, a
        self.single &= ~(1 << a | 1 << b)

    def _complete(self) -> None:
        """Match the single vertices; the vertices of a failed search cannot help the others."""
        outer, inner, count = 0, 0, 0
        for vertex in bits(self.single):
            if self.partner[vertex] < 0 and self.left >> vertex & 1:
                search = _AugmentingSearch(self, vertex)
                if not search.augment():
                    count += 1
                    outer |= search.outer
                    inner |= search.inner
                    self.left &= ~(search.outer | search.inner)
        if outer:
            raise Unmatched(tuple(bits(outer)), tuple(bits(inner)), count)


class _AugmentingSearch:
    """An alternating tree that grows from an unmatched vertex."""

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
        check_time()
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
        """The vertices of the tree that are only between outer vertices."""
        return self.matching.left & ~self.unseen & ~self.outer

    def _swap(self, vertex: int) -> None:
        while vertex >= 0:
            previous = self.parent[vertex]
            following = self.matching.partner[previous]
            self.matching.join(vertex, previous)
            vertex = following

    def _contract(self, a: int, b: int) -> None:
        """Contract the odd cycle that an edge between outer vertices closes to one vertex."""
        top = self._common_base(a, b)
        cycle = self._climb(a, b, top) | self._climb(b, a, top)
        gained = 0
        for base in cycle:
            gained |= self.members.pop(base, 1 << base)
        for vertex in bits(gained):
            self.base[vertex] = top
        self.members[top] |= gained
        new = gained & ~self.outer
        self.outer |= new
        self.queue.extend(bits(new))

    def _common_base(self, a: int, b: int) -> int:
        partner, base = self.matching.partner, self.base
        seen = set()
        vertex = a
        while True:
            vertex = base[vertex]
            seen.add(vertex)
            if vertex == self.root or partner[vertex] < 0:
                break
            vertex = self.parent[partner[vertex]]
        vertex = b
        while base[vertex] not in seen:
            vertex = self.parent[partner[base[vertex]]]
        return base[vertex]

    def _climb(self, vertex: int, child: int, top: int) -> set[int]:
        """Return the bases from a vertex up to the top of the cycle, and set the way back."""
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
    """Return the lowest vertex of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def bits(mask: int) -> Iterator[int]:
    """Yield the vertices of a set, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
