"""What other values of handicaps would change: the handicaps that are recommended by them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.rules.seat import Seat
from ratings.systems.handicap import COVERED_BOARDS, GameTables
from ratings.systems.recommendation import Catalogue, CatalogueKind, rated_kinds

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
                Catalogue(game=game, board=board, swap=True, kinds=(kind,), values=table)
                for table in values
            ]
            old, new = (
                [found.recommend(points, Seat.SECOND).handicap for points in SHOWN_DIFFERENCES]
                for found in catalogues
            )
            if old != new:
                yield TableChange(game, board, kind, tuple(zip(old, new, strict=True)))
