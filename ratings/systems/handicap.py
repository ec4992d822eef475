"""The value of a handicap in rating points, from the first seat's point of view.

The values are **the project's priors, not measurements**, and every page and list that uses them
says so. A table never changes; other values are a new table with a version of its own.

| condition | rating points | on a board of n < 10 rings |
|---|---|---|
| moving first, without pie rule and stones | 40 for the first seat | the same |
| stones | 110 for the first, 85 for each further one | the sum x 275 / cells |
| points | 9 each | the sum x 50 / peries |

The value of stones includes who moves first. The scaled sums are rounded to whole points, half
away from zero. A ring mesh of n rings and five sides has 5n(n+1)/2 cells and 5n peries.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.rules.conditions import Handicap, HandicapKind
from games.rules.registry import GAMES
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.systems.elo import MILLI, RatingError

HANDICAP = re.compile(r"(first|second) ([1-9][0-9]?) (stone|point)s?", re.ASCII)
LARGEST_HANDICAPS = {"stones": 10, "points": 50}
RINGS_OF_BOARDS: Final = {"4": 4, "6": 6, "8": 8, "10": 10}
FULL_RINGS = 10

PLACEMENT_GAMES: Final = frozenset(
    code for code, rules in GAMES.items() if HandicapKind.STONES in rules.handicaps
)
SCORING_GAMES: Final = frozenset(
    code for code in PLACEMENT_GAMES if HandicapKind.POINTS in GAMES[code].handicaps
)


class BadHandicap(RatingError):
    """The handicap is malformed, or it contradicts the other conditions of the game."""


def parse_handicap(text: str) -> Handicap:
    """Return the handicap of a text such as `second 3 stones` or `first 2 points`.

    Raises BadHandicap with the correct form.
    """
    found = HANDICAP.fullmatch(text)
    if found is None:
        raise BadHandicap(
            Text("%(text)s; expected `second 3 stones` or `first 2 points`", text=f"{text[:60]!r}")
        )
    return make_handicap(found[1], f"{found[3]}s", int(found[2]))


def make_handicap(seat: str, kind: str, number: int) -> Handicap:
    """Return the handicap with these parts; raises BadHandicap if no table can contain it."""
    if seat not in ("first", "second"):
        raise BadHandicap(
            Text("the seat is %(word)s; expected first or second", word=f"{seat[:60]!r}")
        )
    if kind not in LARGEST_HANDICAPS:
        raise BadHandicap(
            Text("the kind is %(word)s; expected stones or points", word=f"{kind[:60]!r}")
        )
    if not 1 <= number <= LARGEST_HANDICAPS[kind]:
        raise BadHandicap(
            Text(
                "%(kind)s are given from 1 to %(most)s",
                kind=HandicapKind(kind),
                most=LARGEST_HANDICAPS[kind],
            )
        )
    if kind == HandicapKind.STONES and seat == Seat.FIRST:
        raise BadHandicap(Text("stones are for the second seat: the other side moves first"))
    return Handicap(Seat(seat), HandicapKind(kind), number)


@dataclass(frozen=True, slots=True)
class HandicapTable:
    """The value of each kind of handicap, in whole rating points on a board of ten rings."""

    first_move: int
    first_stone: int
    further_stone: int
    point: int

    def part(self, handicap: Handicap | None, *, swap: bool, rings: int = FULL_RINGS) -> int:
        """Return the value of the conditions in milli; it is negative if it helps the second seat.

        `swap` is the pie rule. Raises BadHandicap for stones together with the pie rule.
        """
        has_stones = handicap is not None and handicap.kind is HandicapKind.STONES
        if has_stones and swap:
            raise BadHandicap(Text("handicap stones and swap do not go together"))
        part = 0 if swap or has_stones else self.first_move
        if handicap is not None:
            value = self._scaled_value(handicap, min(rings, FULL_RINGS))
            part += value if handicap.seat is Seat.FIRST else -value
        return part * MILLI

    def _scaled_value(self, handicap: Handicap, rings: int) -> int:
        if handicap.kind is HandicapKind.STONES:
            value = self.first_stone + self.further_stone * (handicap.number - 1)
            factor, divisor = FULL_RINGS * (FULL_RINGS + 1), rings * (rings + 1)
        else:
            value, factor, divisor = self.point * handicap.number, FULL_RINGS, rings
        return (2 * value * factor + divisor) // (2 * divisor)


GameTables: TypeAlias = Mapping[tuple[str, str], HandicapTable]
"""The values of a version by game and board; smaller boards scale them."""

FIRST_VERSION: Final = "v1"
PRIOR: Final = HandicapTable(first_move=40, first_stone=110, further_stone=85, point=9)
COVERED_BOARDS: Final = tuple(
    (game, board) for game in sorted(PLACEMENT_GAMES) for board in GAMES[game].boards
)
"""The games and boards for which every version has values."""
PRIORS: Final[GameTables] = dict.fromkeys(COVERED_BOARDS, PRIOR)


def values_of(tables: GameTables, game: str, board: str) -> HandicapTable:
    """Return the values in a game on a board; the priors for one that versions do not cover."""
    return tables.get((game, board), PRIOR)


def part_of_conditions(
    values: HandicapTable, game: str, board: str, handicap: Handicap | None, *, swap: bool
) -> int:
    """Return the value of a game's conditions to its first seat, in milli; raises BadHandicap.

    Without the pie rule the first move counts, in the games that the table covers.
    """
    has_pie_rule = swap or game not in PLACEMENT_GAMES
    return values.part(handicap, swap=has_pie_rule, rings=RINGS_OF_BOARDS.get(board, FULL_RINGS))


def amounts_of_conditions(
    game: str, board: str, handicap: Handicap | None, *, swap: bool
) -> tuple[float, ...]:
    """Return how often a game's conditions contain each value of a table, for its first seat.

    The order is that of the fields of HandicapTable; the amounts of smaller boards are scaled.
    """
    rings = RINGS_OF_BOARDS.get(board, FULL_RINGS)
    if handicap is None:
        return (0 if swap or game not in PLACEMENT_GAMES else 1, 0, 0, 0)
    sign = 1 if handicap.seat is Seat.FIRST else -1
    if handicap.kind is HandicapKind.STONES:
        scale = sign * FULL_RINGS * (FULL_RINGS + 1) / (rings * (rings + 1))
        return (0, scale, scale * (handicap.number - 1), 0)
    first_move = 0 if swap or game not in PLACEMENT_GAMES else 1
    return (first_move, 0, 0, sign * handicap.number * FULL_RINGS / rings)


def has_table(game: str, board: str, handicap: Handicap | None) -> bool:
    """Return True if the tables cover such a game; every game is covered without a handicap."""
    if handicap is None:
        return True
    games = PLACEMENT_GAMES if handicap.kind is HandicapKind.STONES else SCORING_GAMES
    return (
        game in games
        and board in RINGS_OF_BOARDS
        and handicap.number <= LARGEST_HANDICAPS[handicap.kind]
    )
