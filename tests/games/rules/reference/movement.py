"""The movement games on ten rings, and the solitaires."""

from itertools import combinations, permutations

from tests.games.rules.reference.boards import (
    CENTRE,
    groups,
    rim,
    ring_graph,
    rows_from,
    straight_on,
)

Stones = set[str]
Place = tuple[int, int]
BOARD = ring_graph(10, centre=True)
WIDER = ring_graph(11, centre=True)
RIM = {*rim(10)}


def runs(start: str, filled: Stones) -> set[str]:
    """Return the cells that a stone can move to, over empty cells only."""
    found = set()
    for way in rows_from(start):
        for cell in way:
            if cell in filled:
                break
            found.add(cell)
    return found


def in_a_row(cell: str) -> set[str]:
    return {other for way in rows_from(cell) for other in way}


def whole_row(cell: str, way: tuple[str, ...]) -> frozenset[str]:
    """Return the row that leaves a cell in a direction, extended backwards up to a fork."""
    row = [cell, *way]
    while len(back := straight_on(row[1], row[0])) == 1:
        row.insert(0, back[0])
    return frozenset(row)


def has_five(stones: Stones) -> bool:
    """Return True if five stones are on consecutive cells of one row."""
    return any({start, *way[:4]} <= stones for start in stones for way in rows_from(start)
               if len(way) >= 4)  # fmt: skip


def jumps(stones: Stones) -> dict[str, str]:
    """Return every jump, with the stone that it removes."""
    return {
        f"{start}-{target}": over
        for start in stones
        for over in BOARD[start] & stones
        for target in straight_on(start, over)
        if target not in stones
    }


def unfolded(group: set[str]) -> list[Place]:
    """Return the group on the plane: of four cells in two triangles three determine the fourth.

    The six cells around every stone are placed; stones that touch share two of these, which
    determine the others one by one.
    """
    start = min(group)
    known = sorted(WIDER[start])[0]
    around = {known: (1, 0), min(WIDER[start] & WIDER[known]): (0, 1)}
    placed = {start: (0, 0)}
    waiting = [(start, around)]
    for cell, around in waiting:
        while len(around) < 6:
            for one, other in permutations(around, 2):
                for third in (WIDER[cell] & WIDER[one]) - {*around}:
                    if other in WIDER[one]:
                        around[third] = fourth(around[one], placed[cell], around[other])
        for beside_it in (WIDER[cell] & group) - {*placed}:
            placed[beside_it] = around[beside_it]
            shared = {one: around[one] for one in WIDER[cell] & WIDER[beside_it]}
            waiting.append((beside_it, {**shared, cell: placed[cell]}))
    return list(placed.values())


def fourth(one: Place, other: Place, across: Place) -> Place:
    return one[0] + other[0] - across[0], one[1] + other[1] - across[1]


def shape(group: set[str]) -> list[tuple[int, ...]]:
    """Return the least of the twelve rotated and reflected images, in three coordinates."""
    cubes = [(x, y, -x - y) for x, y in unfolded(group)]
    images = []
    for axes in permutations(range(3)):
        for sign in (1, -1):
            image = [tuple(sign * cube[axis] for axis in axes) for cube in cubes]
            low = [min(values) for values in zip(*image, strict=True)]
            images.append(
                sorted(tuple(v - least for v, least in zip(cube, low, strict=True))
                       for cube in image)
            )  # fmt: skip
    return min(images)


def pentahexes(stones: Stones) -> list[set[str]]:
    middle = BOARD[CENTRE]
    return [
        group
        for group in groups(stones, BOARD)
        if len(group) == 5 and CENTRE not in group and group != middle
    ]


def enclosed(target: str, own: Stones, enemy: Stones) -> Stones:
    """Return the enemy stones that a stone moved to `target` encloses."""
    safe = RIM | {CENTRE} | set().union(*pentahexes(enemy))
    found = set()
    for stone in (BOARD[target] & enemy) - safe:
        # Alternate neighbours of a cell: three of the six, none beside another.
        flanks = BOARD[stone] & own
        found |= {
            stone
            for three in combinations(sorted(flanks), 3)
            if target in three
            and not any(other in BOARD[one] for one, other in combinations(three, 2))
        }
    return found


def penta_hex_error(
    start: str,
    target: str,
    lifts: list[tuple[str, str]],
    own: Stones,
    enemy: Stones,
    *,
    total_separation: bool = False,
) -> str | None:
    """Return the error code of a turn whose run is legal; None if the turn is legal too."""
    moved = own - {start} | {target}
    if sorted(cell for cell, _ in lifts) != sorted(enclosed(target, moved, enemy)):
        return "relocation"
    left = enemy - {cell for cell, _ in lifts}
    for _, to in lifts:
        if to not in RIM or to in moved | left:
            return "relocation"
        left = left | {to}
    done, others = pentahexes(moved), pentahexes(left)
    shapes = [shape(group) for group in (*done, *others)]
    if any(one == other for one, other in combinations(shapes, 2)):
        return "shape_taken"
    older = [group for group in pentahexes(own) if start not in group]
    free = moved - set().union(*older)
    fresh = next(group for group in groups(free, BOARD) if target in group)
    if fresh in pentahexes(fresh) and any(beside(fresh) & group for group in older):
        return "groups_touch"
    if total_separation and any(beside(one) & other for one in done for other in others):
        return "groups_touch"
    return None


def beside(group: set[str]) -> set[str]:
    return set().union(*(BOARD[cell] for cell in group))
