"""What a handicap is worth in rating points, as the first seat has it.

The values are **our priors, not measurements**: every page and list that uses them says so. A
table never changes; a new judgement is a new version with a key of its own.

| what | points of rating | on a board of n < 10 rings |
|---|---|---|
| moving first, no pie rule, no stones | 40 for the first seat | the same |
| stones | 110 for the first, 85 for each further | the sum x 275 / cells |
| points | 9 each | the sum x 50 / peries |

Who moves first is in the value of the stones. The scaled sums are rounded to whole points, a half
away from zero. A ring mesh of n rings and five sides has 5n(n+1)/2 cells and 5n peries.
"""

import re
from dataclasses import dataclass
from typing import Final

from games.rules.conditions import Handicap, HandicapKind
from games.rules.seat import Seat
from ratings.systems.elo import MILLI, divided
from ratings.systems.errors import BadHandicap

WRITTEN = re.compile(r"(first|second) ([1-9][0-9]?) (stone|point)s?", re.ASCII)
MOST = {"stones": 10, "points": 50}
RINGS: Final = {"4": 4, "6": 6, "8": 8, "10": 10}
FULL_RINGS = 10

PLACEMENT_GAMES: Final = frozenset(
    {"star-star", "nobridge-star-star", "double-star-star", "star-y", "poly-y"}
)
SCORING_GAMES: Final = frozenset({"star-star", "nobridge-star-star", "double-star-star"})


def parse_handicap(text: str) -> Handicap:
    """Read `second 3 stones` or `first 2 points`; raises BadHandicap saying what is right."""
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise BadHandicap(f"{text[:60]!r}; right is `second 3 stones` or `first 2 points`")
    return handicap_of(found[1], f"{found[3]}s", int(found[2]))


def handicap_of(seat: str, kind: str, number: int) -> Handicap:
    """The handicap of these parts; raises BadHandicap when no table could know it."""
    if seat not in ("first", "second"):
        raise BadHandicap(f"the seat is {seat[:60]!r}; right is first or second")
    if kind not in MOST:
        raise BadHandicap(f"{kind[:60]!r} are given; right is stones or points")
    if not 1 <= number <= MOST[kind]:
        raise BadHandicap(f"{kind} are given from 1 to {MOST[kind]}")
    if kind == HandicapKind.STONES and seat == Seat.FIRST:
        raise BadHandicap("stones are for the second seat: the other side moves first")
    return Handicap(Seat(seat), HandicapKind(kind), number)


@dataclass(frozen=True, slots=True)
class HandicapTable:
    """The worth of each kind of help, in whole rating points on a board of ten rings."""

    version: str
    first_move: int
    first_stone: int
    further_stone: int
    point: int

    def part(self, handicap: Handicap | None, *, swap: bool, rings: int = FULL_RINGS) -> int:
        """What the conditions are worth to the first seat, in milli; negative helps the second.

        `swap` is the pie rule. Raises BadHandicap for stones together with the pie rule.
        """
        stones = handicap is not None and handicap.kind is HandicapKind.STONES
        if stones and swap:
            raise BadHandicap("handicap stones and swap do not go together")
        part = 0 if swap or stones else self.first_move
        if handicap is not None:
            worth = self._scaled(handicap, min(rings, FULL_RINGS))
            part += worth if handicap.seat is Seat.FIRST else -worth
        return part * MILLI

    def _scaled(self, handicap: Handicap, rings: int) -> int:
        if handicap.kind is HandicapKind.STONES:
            worth = self.first_stone + self.further_stone * (handicap.number - 1)
            return divided(worth * FULL_RINGS * (FULL_RINGS + 1), rings * (rings + 1))
        return divided(self.point * handicap.number * FULL_RINGS, rings)


TABLES: Final = {
    "v1": HandicapTable("v1", first_move=40, first_stone=110, further_stone=85, point=9),
}


def has_table(game: str, board: str, handicap: Handicap | None) -> bool:
    """Whether the tables speak of such a game; one that they do not know is rated only even."""
    if handicap is None:
        return True
    games = PLACEMENT_GAMES if handicap.kind is HandicapKind.STONES else SCORING_GAMES
    return game in games and board in RINGS
