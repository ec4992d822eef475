"""The games with a winning shape: Star Y, Poly-Y, Y, Hex, Havannah, TwixT.

Each is a board with `cells` and `has_won(stones, last, black)`, which is True if these stones of a
colour win by the last of them; black is the colour that moves first.
"""

from fractions import Fraction
from itertools import combinations

from tests.games.rules.reference.boards import (
    HEXAGON_STEPS,
    RHOMBUS_STEPS,
    Graph,
    groups,
    hexagon_cells,
    join,
    plain_graph,
    ring_graph,
    ring_sides,
)

Stones = set[str]


class ConnectionGame:
    """A graph, and the condition for a winning chain."""

    graph: Graph

    @property
    def cells(self) -> set[str]:
        return {*self.graph}

    def has_won(self, stones: Stones, last: str, black: bool) -> bool:
        return any(self.wins(group, black) for group in groups(stones, self.graph) if last in group)

    def wins(self, group: set[str], black: bool) -> bool:
        raise NotImplementedError


class StarY(ConnectionGame):
    def __init__(self, board: str) -> None:
        self.graph = ring_graph(int(board), centre=True)
        self.sides = ring_sides(int(board))

    def wins(self, group: set[str], black: bool) -> bool:
        touched = [n for n, side in enumerate(self.sides) if group & side]
        in_a_row = [{n, (n + 1) % 5, (n + 2) % 5} for n in range(5)]
        return any(set(three) not in in_a_row for three in combinations(touched, 3))


class PolyY(ConnectionGame):
    def __init__(self, board: str) -> None:
        rings, _, sides = board.partition("x")
        self.graph = ring_graph(int(rings), int(sides or 5), centre=True)
        self.sides = ring_sides(int(rings), int(sides or 5))

    def owned(self, stones: Stones) -> int:
        corners = 0
        for group in groups(stones, self.graph):
            touched = {n for n, side in enumerate(self.sides) if group & side}
            for corner in range(len(self.sides)):
                both = {corner, (corner + 1) % len(self.sides)}
                corners += both < touched
        return corners

    def has_won(self, stones: Stones, last: str, black: bool) -> bool:
        return 2 * self.owned(stones) > len(self.sides)


class Y(ConnectionGame):
    def __init__(self, board: str) -> None:
        if board == "93":
            self.graph, self.sides = curved()
            return
        size = int(board)
        cells = [(c, r) for c in range(size) for r in range(1, size - c + 1)]
        self.graph = plain_graph(cells, RHOMBUS_STEPS)
        self.sides = [
            {name(c, r) for c, r in cells if c == 0},
            {name(c, r) for c, r in cells if r == 1},
            {name(c, r) for c, r in cells if c + r == size},
        ]

    def wins(self, group: set[str], black: bool) -> bool:
        return all(group & side for side in self.sides)


class Hex(ConnectionGame):
    def __init__(self, board: str) -> None:
        columns, _, rows = board.partition("x")
        wide, high = int(columns), int(rows or columns)
        self.graph = plain_graph(
            [(c, r) for c in range(wide) for r in range(1, high + 1)], RHOMBUS_STEPS
        )
        self.black = [{name(c, r) for c in range(wide)} for r in (1, high)]
        self.white = [{name(c, r + 1) for r in range(high)} for c in (0, wide - 1)]

    def wins(self, group: set[str], black: bool) -> bool:
        return all(group & side for side in (self.black if black else self.white))


class Havannah(ConnectionGame):
    def __init__(self, board: str) -> None:
        cells = hexagon_cells(int(board), int(board))
        self.graph = plain_graph(cells, HEXAGON_STEPS)
        self.corners = {cell for cell, beside in self.graph.items() if len(beside) == 3}
        self.border = {cell for cell, beside in self.graph.items() if len(beside) < 6}
        # Without the corners the border consists of separate sides.
        self.sides = groups(self.border - self.corners, self.graph)

    def wins(self, group: set[str], black: bool) -> bool:
        joined = sum(bool(group & side) for side in self.sides)
        if len(group & self.corners) >= 2 or joined >= 3:
            return True
        return any(self.is_enclosed(cell, group) for cell in self.graph)

    def is_enclosed(self, cell: str, group: set[str]) -> bool:
        """Return True if every path from a cell to the border crosses the group."""
        reached, edge = {cell}, [cell]
        while edge:
            here = edge.pop()
            if here in self.border:
                return False
            fresh = self.graph[here] - group - reached
            reached |= fresh
            edge.extend(fresh)
        return True


class Twixt:
    """Pegs on a square; `links` are pairs of points with their colour."""

    def __init__(self, board: str) -> None:
        self.size = size = int(board)
        ends = (1, size)
        self.points = {
            name(c - 1, r): (c, r)
            for c in range(1, size + 1)
            for r in ends[:1] + tuple(range(2, size)) + ends[1:]
            if not (c in ends and r in ends)
        }
        self.cells = {*self.points}
        self.links: dict[frozenset[str], bool] = {}

    def open_to(self, black: bool) -> set[str]:
        axis = 0 if black else 1
        return {peg for peg, point in self.points.items() if point[axis] not in (1, self.size)}

    def link(self, peg: str, own: Stones, black: bool) -> None:
        x, y = self.points[peg]
        for other in own:
            to_x, to_y = self.points[other]
            if {abs(x - to_x), abs(y - to_y)} != {1, 2}:
                continue
            if not any(
                colour is not black and self.crosses(peg, other, *link)
                for link, colour in self.links.items()
            ):
                self.links[frozenset((peg, other))] = black

    def crosses(self, a: str, b: str, c: str, d: str) -> bool:
        """Return True if two links have an inner point in common, by computing it."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (self.points[peg] for peg in (a, b, c, d))
        ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
        bottom = ux * vy - uy * vx
        if not bottom:
            return False
        along = Fraction((cx - ax) * vy - (cy - ay) * vx, bottom)
        across = Fraction((cx - ax) * uy - (cy - ay) * ux, bottom)
        return 0 < along < 1 and 0 < across < 1

    def has_won(self, stones: Stones, last: str, black: bool) -> bool:
        graph: Graph = {peg: set() for peg in stones}
        for link, colour in self.links.items():
            if colour is black:
                one, other = link
                graph[one].add(other)
                graph[other].add(one)
        axis = 1 if black else 0
        return any(
            {1, self.size} <= {self.points[peg][axis] for peg in chain}
            for chain in groups(stones, graph)
        )


def name(column: int, row: int) -> str:
    return f"{chr(97 + column)}{row}"


def curved() -> tuple[Graph, list[set[str]]]:
    """Return the curved board: a triangle of side five, and four rings, each three cells longer."""
    inner = plain_graph([(c, r) for c in range(5) for r in range(1, 6 - c)], RHOMBUS_STEPS)
    corners = ["a1", "e1", "a5"]
    perimeter = ["a1", "b1", "c1", "d1", "e1", "d2", "c3", "b4", "a5", "a4", "a3", "a2"]
    names = {cell: f"{'abc'[n // 4]}2{n % 4}" for n, cell in enumerate(perimeter)}
    names |= {"b2": "a10", "c2": "b10", "b3": "c10"}
    assert [perimeter[4 * n] for n in range(3)] == corners
    graph: Graph = {names[cell]: {names[one] for one in inner[cell]} for cell in inner}

    def around(ring: int, n: int) -> str:
        length = ring + 2
        n %= 3 * length
        return f"{'abc'[n // length]}{ring}{n % length}"

    for ring in range(3, 7):
        for n in range(3 * (ring + 2)):
            join(graph, around(ring, n), around(ring, n + 1))
            sector, k = divmod(n, ring + 2)
            inside = sector * (ring + 1) + k
            # A corner touches one cell of the inner ring, every other cell two; next to a corner
            # one of the two is the inner corner.
            touched = [inside] if not k else [inside - 1, inside]
            for one in touched:
                join(graph, around(ring, n), around(ring - 1, one))
    rim = [around(6, n) for n in range(25)]
    return graph, [set(rim[8 * s : 8 * s + 9]) for s in range(3)]
