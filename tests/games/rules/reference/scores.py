"""The scoring games: *Star with and without a bridge, Double *Star, Star."""

from tests.games.rules.reference.boards import (
    HEXAGON_STEPS,
    Graph,
    groups,
    hexagon_cells,
    plain_graph,
    rim,
    ring_graph,
)

Stones = set[str]


class StarStarBoard:
    def __init__(self, game: str, board: str) -> None:
        rings = int(board)
        nobridge = game == "nobridge-star-star"
        self.graph: Graph = {
            cell: set(beside) for cell, beside in ring_graph(rings, centre=nobridge).items()
        }
        self.rim = rim(rings)
        self.corners = {cell for cell in self.rim if cell.endswith("0")}
        self.total = 5 * rings + 1
        if not nobridge:
            middle = {f"{letter}10" for letter in "*STAR"}
            for cell in middle:
                self.graph[cell] |= middle - {cell}

    def detail(self, mine: Stones, theirs: Stones) -> dict[str, int]:
        stars, others = ([g for g in groups(s, self.graph) if len(g & {*self.rim}) >= 2]
                         for s in (mine, theirs))  # fmt: skip
        in_star = set().union(*stars)
        peries = in_star & {*self.rim}
        sparks = theirs & {*self.rim} - set().union(*others)
        for number, cell in enumerate(self.rim):
            before, after = self.rim[number - 1], self.rim[(number + 1) % len(self.rim)]
            if cell in sparks and before in in_star and after in in_star:
                peries.add(cell)
        return {
            "peries": len(peries),
            "quarks": len(peries & self.corners),
            "stars": len(stars),
        }

    def scores(self, mine: Stones, theirs: Stones) -> tuple[int, int]:
        one, two = self.detail(mine, theirs), self.detail(theirs, mine)
        return tuple(
            own["peries"] + int(own["quarks"] >= 3) + 2 * (other["stars"] - own["stars"])
            for own, other in ((one, two), (two, one))
        )


class StarBoard:
    def __init__(self, _game: str, board: str, *, two_point_corners: bool) -> None:
        a, b = map(int, board.split("x"))
        cells = hexagon_cells(a, b)
        lower = plain_graph(cells, HEXAGON_STEPS)
        self.graph: Graph = {c.upper(): {o.upper() for o in beside} for c, beside in lower.items()}
        # Add one row of hexes all around, then remove the cells of the board.
        wider = {
            (q + dq, r + dr)
            for q, r in cells
            for dq, dr in [*HEXAGON_STEPS, *((-x, -y) for x, y in HEXAGON_STEPS)]
        }
        self.touched: dict[str, set[tuple[int, int]]] = {cell: set() for cell in self.graph}
        for q, r in wider - {*cells}:
            beside = {
                (q + sign * dq, r + sign * dr) for dq, dr in HEXAGON_STEPS for sign in (1, -1)
            } & {*cells}
            if len(beside) == 1 and two_point_corners:
                continue
            for column, row in beside:
                self.touched[f"{chr(65 + column)}{row}"].add((q, r))
        self.total = len(set().union(*self.touched.values())) - 2

    def detail(self, mine: Stones, _theirs: Stones) -> dict[str, int]:
        touches = [
            len(set().union(*(self.touched[cell] for cell in group)))
            for group in groups(mine, self.graph)
        ]
        stars = [count for count in touches if count >= 3]
        return {"stars": len(stars), "touches": sum(stars)}

    def scores(self, mine: Stones, theirs: Stones) -> tuple[int, int]:
        found = (self.detail(mine, theirs), self.detail(theirs, mine))
        return tuple(one["touches"] - 2 * one["stars"] for one in found)


def extremes(board: StarStarBoard | StarBoard, mine: Stones, theirs: Stones) -> tuple[
    tuple[int, int], tuple[int, int]
]:  # fmt: skip
    """Return both scores if the opponent fills every empty cell, and if this side does."""
    empty = {*board.graph} - mine - theirs
    return board.scores(mine, theirs | empty), board.scores(mine | empty, theirs)
