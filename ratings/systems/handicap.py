"""The value of a handicap in rating points, from the first seat's point of view.

A table of values never changes; other values are a new table with a version of its own. Two are
part of the code. In both, stones include who moves first, and sums are rounded to whole points,
half away from zero. A ring mesh of n rings and five sides has 5n(n+1)/2 cells (a playable centre
aside) and 5n peries.

`v1`, with which games before `v2` are rated, has the same value for each point:

| condition | rating points | on a board of n < 10 rings |
|---|---|---|
| moving first, without pie rule and stones | 40 for the first seat | the same |
| stones | 110 for the first, 85 for each further one | the sum x 275 / cells |
| points | 9 each | the sum x 50 / peries |

`v2` follows from the positions and from a model of the margin:

| condition | rating points on ten rings | on other boards |
|---|---|---|
| moving first, without pie rule and stones | 40 for the first seat | x 275 / cells |
| stones | 40 for the first, 85 for each further one | the sum x 275 / cells |
| the first point | 64 | 75, 92, 130 on eight, six, four rings |
| N points | the first point x f(N) / f(1) | the same |

The value of stones and points together is the sum of both values, each rounded by itself. Stones on
other cells than the usual ones count like these: a table has no value for a cell.

The first stone is the first move: a stone on the board and the other side to move is the position
after a first move. Points are moved from one score to the other, so the favourite wins if the
margin of the scores on the board exceeds 2N. In the model the log odds of a player's share of the
points that both can win (R, the largest margin) are proportional to their performance in the game,
as are the log odds of winning in Elo's formula; so the value of N points is proportional to

    f(N) = ln((R + 2N) / (R - 2N))        R = 17, 27, 37, 47 on 4, 6, 8, 10 rings

It grows without limit as 2N approaches R, where nobody can overcome it. How much the first point is
worth comes from games of programs (`make bench ONLY=margins`). The values of first move and stones
are **the project's priors, not measurements**, and every page and list that uses them says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from typing import ClassVar, Final, TypeAlias

from games.rules.conditions import Conditions, Handicap, HandicapKind
from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.registry import GAMES
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.systems.elo import MILLI, RatingError

LARGEST_HANDICAPS = {"stones": 10, "points": 50}
RINGS_OF_BOARDS: Final = {"4": 4, "6": 6, "8": 8, "10": 10}
FULL_RINGS = 10
FULL_BOARD: Final = "10"
FULL_CELLS = 275

PLACEMENT_GAMES: Final = frozenset(
    code for code, rules in GAMES.items() if HandicapKind.STONES in rules.handicaps
)
SCORING_GAMES: Final = frozenset(
    code for code in PLACEMENT_GAMES if HandicapKind.POINTS in GAMES[code].handicaps
)
GAMES_OF_KINDS: Final = {
    HandicapKind.STONES: PLACEMENT_GAMES,
    HandicapKind.POINTS: SCORING_GAMES,
}


class BadHandicap(RatingError):
    """The handicap is malformed, or it contradicts the other conditions of the game."""


def parse_handicap(text: str) -> Handicap:
    """Return the handicap of a text such as `second 3 stones` or `first 2 points`.

    Raises BadHandicap with the correct form, and if no table can contain it.
    """
    found = Handicap.parse(text)
    if found is None:
        raise BadHandicap(
            Text(
                "%(text)s is no handicap; write second 3 stones, second and the names of the cells,"
                " first 2 points, or second 3 stones, 2 points",
                text=f"{text[:60]!r}",
            )
        )
    for kind in found.kinds:
        if _amount_of(found, kind) > LARGEST_HANDICAPS[kind]:
            raise BadHandicap(
                Text(
                    "%(kind)s are given from 1 to %(most)s", kind=kind, most=LARGEST_HANDICAPS[kind]
                )
            )
    if found.stones and found.seat is Seat.FIRST:
        raise BadHandicap(Text("stones are for the second seat: the other side moves first"))
    return found


def _amount_of(handicap: Handicap, kind: HandicapKind) -> int:
    """Return the number of points, or of stones on the usual cells: named ones have no such limit.

    The rules limit those.
    """
    if kind is HandicapKind.POINTS:
        return handicap.points
    return handicap.stones if isinstance(handicap.stones, int) else 0


class TableModel(LabelledEnum):
    """How the values of a table depend on the board and on the number of points."""

    LINEAR = "linear", gettext_noop("each point is worth the same")
    MARGIN = "margin", gettext_noop("points are worth more the harder they are to overcome")


@dataclass(frozen=True, slots=True)
class BoardSize:
    """What the values of a handicap depend on: rings, cells, and the largest margin in a game.

    A playable centre is not counted. The margin is that of the scores on the board without a
    handicap, 0 in games without a score.
    """

    rings: int
    cells: int
    margin: int


@cache
def size_of(game: str, board: str) -> BoardSize:
    """Return the size of a board of a game; that of ten rings if the tables do not cover it."""
    if (game, board) not in COVERED_BOARDS:
        return BoardSize(FULL_RINGS, FULL_CELLS, 0)
    rings, _, sides = board.partition("x")
    cells = int(sides or 5) * int(rings) * (int(rings) + 1) // 2
    bounds = GAMES[game].start(Conditions(game=game, board=board)).outcome().bounds
    return BoardSize(int(rings), cells, bounds[0][1] - bounds[0][0] if bounds else 0)


@dataclass(frozen=True, slots=True)
class HandicapTable:
    """The values of each kind of handicap in a game on a board, in whole rating points.

    They are those on ten rings. Smaller boards scale stones and points, not the first move.
    """

    model: ClassVar[TableModel] = TableModel.LINEAR

    first_move: int
    first_stone: int
    further_stone: int
    point: int

    def part(self, handicap: Handicap | None, *, swap: bool, size: BoardSize) -> int:
        """Return the value of the conditions in milli; it is negative if it helps the second seat.

        `swap` is the pie rule. Raises BadHandicap for stones together with the pie rule, and for
        points that nobody can overcome, if the model has no value for them.
        """
        first_move, stones, more_stones, points = self.amounts(handicap, swap=swap, size=size)
        worth = (
            self.first_move * first_move,
            self.first_stone * stones + self.further_stone * more_stones,
            self.point * points,
        )
        return sum(map(_round, worth)) * MILLI

    def amounts(
        self, handicap: Handicap | None, *, swap: bool, size: BoardSize
    ) -> tuple[Decimal, Decimal, Decimal, Decimal]:
        """Return how often the conditions contain each value, for the first seat.

        The order is that of the fields. Raises BadHandicap as `part` does.
        """
        stones, points = (handicap.stone_count, handicap.points) if handicap else (0, 0)
        if stones and swap:
            raise BadHandicap(Text("handicap stones and swap do not go together"))
        sign = 1 if handicap is not None and handicap.seat is Seat.FIRST else -1
        move = Decimal(0) if swap or stones else self._scale_move(size)
        scale = sign * _divide(FULL_CELLS, size.cells)
        return (
            move,
            scale if stones else Decimal(0),
            scale * max(stones - 1, 0),
            sign * self._scale_points(points, size) if points else Decimal(0),
        )

    def _scale_move(self, size: BoardSize) -> Decimal:
        return Decimal(1)

    def _scale_points(self, number: int, size: BoardSize) -> Decimal:
        return _divide(number * FULL_RINGS, size.rings)


@dataclass(frozen=True, slots=True)
class MarginTable(HandicapTable):
    """Values of the model of the margin: stones and first move are those on ten rings.

    Boards with another number of cells scale both. `point` is the first point on this board.
    """

    model: ClassVar[TableModel] = TableModel.MARGIN

    def _scale_move(self, size: BoardSize) -> Decimal:
        return _divide(FULL_CELLS, size.cells)

    def _scale_points(self, number: int, size: BoardSize) -> Decimal:
        if 2 * number >= size.margin:
            raise BadHandicap(Text("nobody can overcome %(number)s points here", number=number))
        return _points_in_first(number, size.margin)


MODELS: Final[Mapping[str, type[HandicapTable]]] = {
    TableModel.LINEAR: HandicapTable,
    TableModel.MARGIN: MarginTable,
}
"""The class of the values of each model."""


@cache
def _points_in_first(number: int, margin: int) -> Decimal:
    """Return the value of points in that of the first one; the same digits on every machine."""
    with localcontext() as context:
        context.prec = 50
        found, first = (
            (Decimal(margin + 2 * points) / (margin - 2 * points)).ln() for points in (number, 1)
        )
        return found / first


def _divide(number: int, divisor: int) -> Decimal:
    with localcontext() as context:
        context.prec = 50
        return Decimal(number) / divisor


def _round(value: Decimal) -> int:
    """Return a value in whole points, rounded half away from zero."""
    return int(value.quantize(Decimal("1e-20")).to_integral_value(ROUND_HALF_UP))


GameTables: TypeAlias = Mapping[tuple[str, str], HandicapTable]
"""The values of a version by game and board."""

FIRST_VERSION: Final = "v1"
DEFAULT_VERSION: Final = "v2"
"""The version of new pools, and of events without a pool while no other is added."""
PRIOR: Final = HandicapTable(first_move=40, first_stone=110, further_stone=85, point=9)
FIRST_POINTS: Final = {"4": 130, "6": 92, "8": 75, "10": 64}
COVERED_BOARDS: Final = tuple(
    (game, board) for game in sorted(PLACEMENT_GAMES) for board in GAMES[game].boards
)
"""The games and boards for which every version has values."""
CODE_TABLES: Final[Mapping[str, GameTables]] = {
    FIRST_VERSION: dict.fromkeys(COVERED_BOARDS, PRIOR),
    DEFAULT_VERSION: {
        (game, board): MarginTable(
            first_move=40,
            first_stone=40,
            further_stone=85,
            point=FIRST_POINTS[board] if game in SCORING_GAMES else 0,
        )
        for game, board in COVERED_BOARDS
    },
}
"""The versions that are part of the code, oldest first."""


def is_prior(place: tuple[str, str], values: HandicapTable) -> bool:
    """Return True if the values in a game on a board are those of the code."""
    return any(values == table[place] for table in CODE_TABLES.values())


def values_of(tables: GameTables, game: str, board: str) -> HandicapTable:
    """Return the values in a game on a board; of one that is not covered, those without effect."""
    return tables.get((game, board), PRIOR)


def part_of_conditions(
    values: HandicapTable, game: str, board: str, handicap: Handicap | None, *, swap: bool
) -> int:
    """Return the value of a game's conditions to its first seat, in milli; raises BadHandicap.

    Without the pie rule the first move counts, in the games that the table covers.
    """
    has_pie_rule = swap or game not in PLACEMENT_GAMES
    return values.part(handicap, swap=has_pie_rule, size=size_of(game, board))


def amounts_of_conditions(
    values: HandicapTable, game: str, board: str, handicap: Handicap | None, *, swap: bool
) -> tuple[float, ...]:
    """Return how often a game's conditions contain each value of a table, for its first seat.

    The order is that of the fields of HandicapTable. Raises BadHandicap.
    """
    has_pie_rule = swap or game not in PLACEMENT_GAMES
    amounts = values.amounts(handicap, swap=has_pie_rule, size=size_of(game, board))
    return tuple(map(float, amounts))


def has_table(game: str, board: str, handicap: Handicap | None) -> bool:
    """Return True if the tables cover such a game; every game is covered without a handicap."""
    if handicap is None:
        return True
    return board in RINGS_OF_BOARDS and all(
        game in GAMES_OF_KINDS[kind] and _amount_of(handicap, kind) <= LARGEST_HANDICAPS[kind]
        for kind in handicap.kinds
    )
