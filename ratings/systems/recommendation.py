"""Recommend a handicap for the weaker of two players, from the handicaps that an event gives.

The rating difference, of which the event gives a share, is compared with the value of each
handicap by the table in force (handicap.py). The handicap nearest to it is recommended, because
its expected score is nearest to that of an even game; of two that are equally near, the smaller.
Points are recommended up to two thirds of those that the stronger player can overcome. A
recommendation says if the difference calls for more than the largest handicap of the event.
Stones are for the second seat and the first move is for the first, so these decide who sits where.

`compare_tables` states which recommendations other values of handicaps would change.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from games.rules.conditions import Conditions, Handicap
from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.records.handicaps import FIRST_MOVE, most_points
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.systems.elo import MILLI, MILLION
from ratings.systems.handicap import (
    COVERED_BOARDS,
    LARGEST_HANDICAPS,
    PLACEMENT_GAMES,
    GameTables,
    HandicapTable,
    has_table,
    part_of_conditions,
)


class CatalogueKind(LabelledEnum):
    """The kinds of handicaps that an event can give."""

    STONES = "stones", gettext_noop("stones")
    POINTS = "points", gettext_noop("points")
    FIRST_MOVE = "first_move", gettext_noop("first move")


def name_kind(kind: str) -> str:
    """Return a kind of handicaps with its label, if there is such a kind."""
    return next((known for known in CatalogueKind if known == kind), kind)


BASES = {"ratings": Text("ratings"), "scores": Text("scores")}
"""What the difference of two players may be that of."""


def explain_recommendation(
    *,
    share: int,
    basis: str,
    difference: int,
    value: int,
    version: str,
    expected: int,
    is_most: bool,
) -> str:
    """Return in words why a handicap of this value is recommended, and what it achieves.

    `expected` is the score of the weaker player with it, in millionths; `is_most` says that the
    difference calls for more than can be given.
    """
    values = {
        "share": share,
        "basis": BASES.get(basis, basis),
        "difference": difference,
        "value": value,
        "version": version,
        "percent": in_percent(expected),
    }
    if is_most:
        return Text(
            "the %(basis)s differ by %(difference)s, of which %(share)s %% are given; no handicap "
            "here is worth more than %(value)s rating points by table %(version)s, so only "
            "%(percent)s %% of the score can be expected for the weaker player",
            **values,
        )
    return Text(
        "the %(basis)s differ by %(difference)s, of which %(share)s %% are given; this is worth "
        "%(value)s rating points by table %(version)s, so %(percent)s %% of the score can be "
        "expected for the weaker player",
        **values,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The handicaps that an event gives: `share` is in percent, `cap` the most stones or points.

    `swap` says whether an even game has the pie rule. `values` are those of the table's `version`
    in the game on the board.
    """

    game: str
    board: str
    swap: bool
    kinds: tuple[CatalogueKind, ...]
    share: int = 100
    version: str
    values: HandicapTable
    cap: int | None = None

    def recommend(self, difference: int, seat: Seat) -> "Recommendation":
        """Return the handicap for a difference in rating points.

        `seat` is that of the weaker player, as long as the handicap does not decide it.
        """
        target = difference * self.share * MILLI // 100
        candidates = list(self._candidates(seat))
        found = min(candidates, key=lambda found: (abs(target - found.value), found.value))
        largest = max(candidate.value for candidate in candidates)
        return replace(found, is_most=found.value == largest and target > largest)

    def explain(
        self, found: "Recommendation", difference: int, expected: int, basis: str = "ratings"
    ) -> str:
        """Return in words why a handicap is recommended for a difference.

        `expected` is the score of the weaker player with it, in millionths.
        """
        return explain_recommendation(
            share=self.share,
            basis=basis,
            difference=difference,
            value=found.value // MILLI,
            version=self.version,
            expected=expected,
            is_most=found.is_most,
        )

    def _candidates(self, seat: Seat) -> Iterator["Recommendation"]:
        """Yield the even game and each handicap of the catalogue."""
        yield self._evaluate(seat, "", None, swap=self.swap)
        for kind in self.kinds:
            if kind is CatalogueKind.FIRST_MOVE:
                yield self._evaluate(Seat.FIRST, FIRST_MOVE, None, swap=False)
                continue
            is_stones = kind is CatalogueKind.STONES
            most = LARGEST_HANDICAPS[kind] if is_stones else self._most_points(seat)
            for number in range(1, min(most, self.cap or most) + 1):
                own_seat = Seat.SECOND if is_stones else seat
                handicap = Handicap(own_seat, **{kind.value: number})
                swap = self.swap and not is_stones
                yield self._evaluate(own_seat, str(handicap), handicap, swap=swap)

    def _most_points(self, seat: Seat) -> int:
        conditions = Conditions(game=self.game, board=self.board, swap=self.swap)
        return min(most_recommended(most_points(conditions, seat)), LARGEST_HANDICAPS["points"])

    def _evaluate(
        self, seat: Seat, text: str, handicap: Handicap | None, *, swap: bool
    ) -> "Recommendation":
        part = part_of_conditions(self.values, self.game, self.board, handicap, swap=swap)
        return Recommendation(text, seat, part if seat is Seat.FIRST else -part)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A handicap as text, empty for an even game, the weaker player's seat, its value in milli.

    `is_most` says that the difference calls for more, and that no handicap is larger.
    """

    handicap: str
    seat: Seat
    value: int
    is_most: bool = False


def most_recommended(points: int) -> int:
    """Return how many points are recommended at most if so many can be overcome."""
    return points * 2 // 3


def in_percent(expected: int) -> str:
    """Return an expected score in millionths as whole percent."""
    return str((expected * 100 + MILLION // 2) // MILLION)


def rated_kinds(game: str, board: str, *, swap: bool) -> tuple[CatalogueKind, ...]:
    """Return the kinds of handicaps whose values the tables have for a game with this board."""
    samples = {
        CatalogueKind.STONES: Handicap(Seat.SECOND, stones=1),
        CatalogueKind.POINTS: Handicap(Seat.SECOND, points=1),
    }
    kinds = [kind for kind, sample in samples.items() if has_table(game, board, sample)]
    if swap and game in PLACEMENT_GAMES:
        kinds.append(CatalogueKind.FIRST_MOVE)
    return tuple(kinds)


SHOWN_DIFFERENCES: Final = (100, 200, 300, 400, 600, 800)
"""Differences of the ratings, in points, for which handicaps are compared."""


@dataclass(frozen=True, slots=True)
class TableChange:
    """The handicaps of a kind, in a game on a board, at all `SHOWN_DIFFERENCES`."""

    game: str
    board: str
    kind: CatalogueKind
    handicaps: tuple[tuple[str, str], ...]


def compare_tables(before: GameTables, after: GameTables) -> Iterator[TableChange]:
    """Yield the games, boards and kinds of which other handicaps would be recommended."""
    for game, board in COVERED_BOARDS:
        values = before[game, board], after[game, board]
        for kind in rated_kinds(game, board, swap=True) if values[0] != values[1] else ():
            catalogues = [
                Catalogue(
                    game=game, board=board, swap=True, kinds=(kind,), version="", values=table
                )
                for table in values
            ]
            old, new = (
                [found.recommend(points, Seat.SECOND).handicap for points in SHOWN_DIFFERENCES]
                for found in catalogues
            )
            if old != new:
                yield TableChange(game, board, kind, tuple(zip(old, new, strict=True)))
