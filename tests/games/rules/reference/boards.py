"""Boards as graphs: the name of every cell, with the set of the names of its neighbours.

The ring mesh is built from one relation: which cells of the next ring a cell touches. Straight on
through a cell means to the third of the six cells around it, which is found from the graph.
"""

from functools import cache

Graph = dict[str, set[str]]

CENTRE = "C"


def join(graph: Graph, one: str, other: str) -> None:
    graph.setdefault(one, set()).add(other)
    graph.setdefault(other, set()).add(one)


def groups(stones: set[str], graph: Graph) -> list[set[str]]:
    """Return the chains of some stones."""
    left, found = set(stones), []
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            cell = edge.pop()
            group.add(cell)
            fresh = graph[cell] & left
            left -= fresh
            edge.extend(fresh)
        found.append(group)
    return found


def ring_name(sector: int, ring: int, around: int, sectors: int) -> str:
    """Return the name of a cell by its place in the ring, counted from a sector's corner."""
    letters = "*STAR" if sectors == 5 else "ABCDEFGHI"
    around = (sector * ring + around) % (sectors * ring)
    # No board has an eleventh ring; it is only used to find the direction at the rim.
    return f"{letters[around // ring]}{ring if ring > 10 else ring % 10}{around % ring}"


@cache
def ring_graph(rings: int, sectors: int = 5, *, centre: bool = False) -> Graph:
    graph: Graph = {}
    for ring in range(1, rings + 1):
        for sector in range(sectors):
            for k in range(ring):
                here = ring_name(sector, ring, k, sectors)
                join(graph, here, ring_name(sector, ring, k + 1, sectors))
                if ring < rings:
                    for out in (0, 1) if k else (-1, 0, 1):
                        join(graph, here, ring_name(sector, ring + 1, k + out, sectors))
                if ring == 1 and centre:
                    join(graph, CENTRE, here)
    return graph


@cache
def rim(rings: int, sectors: int = 5) -> list[str]:
    """Return the outermost ring, clockwise from the first corner."""
    return [ring_name(0, rings, k, sectors) for k in range(sectors * rings)]


def ring_sides(rings: int, sectors: int = 5) -> list[set[str]]:
    """Return each side with the corners at both its ends."""
    around = [*rim(rings, sectors), rim(rings, sectors)[0]]
    return [set(around[s * rings : (s + 1) * rings + 1]) for s in range(sectors)]


@cache
def straight_on(previous: str, cell: str) -> tuple[str, ...]:
    """Return the next cells of a row on ten rings: one, none, or two beyond the centre."""
    board = ring_graph(10, centre=True)
    if cell == CENTRE:
        ways = [("*STAR".index(previous[0]) + turn) % 5 for turn in (2, 3)]
        return tuple(f"{'*STAR'[way]}10" for way in ways)
    wide = ring_graph(11, centre=True)
    beside, reached = wide[cell], {previous}
    edge = {previous}
    for _ in range(3):
        edge = {neighbour for other in edge for neighbour in wide[other] & beside} - reached
        reached |= edge
    return tuple(other for other in edge if other in board)


@cache
def rows_from(cell: str) -> tuple[tuple[str, ...], ...]:
    """Return every row that leaves a cell, up to the rim."""
    ways: list[tuple[str, ...]] = []

    def go(way: tuple[str, ...]) -> None:
        onward = straight_on(way[-2], way[-1])
        if not onward:
            ways.append(way[1:])
        for following in onward:
            go((*way, following))

    for beside in ring_graph(10, centre=True)[cell]:
        go((cell, beside))
    return tuple(ways)


def plain_graph(cells: list[tuple[int, int]], steps: list[tuple[int, int]]) -> Graph:
    """Return the graph of cells (column, row); `steps` are half of the directions."""
    names = {(c, r): f"{chr(97 + c)}{r}" for c, r in cells}
    graph: Graph = {name: set() for name in names.values()}
    for (c, r), name in names.items():
        for dc, dr in steps:
            if (c + dc, r + dr) in names:
                join(graph, name, names[c + dc, r + dr])
    return graph


def hexagon_cells(a: int, b: int) -> list[tuple[int, int]]:
    wide = range(a + b - 1)
    return [(q, r) for q in wide for r in range(1, a + b) if 2 - b <= r - q <= a]


HEXAGON_STEPS = [(0, 1), (1, 0), (1, 1)]
RHOMBUS_STEPS = [(0, 1), (1, 0), (1, -1)]
