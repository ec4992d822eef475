"""The ties of a knockout: two players, or a bye, and the score of the games between them."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.text import Numeral
from tournament.standings.crosstable import PlayerId, RoundResult
from tournament.standings.points import PointSystem

FirstBoards = Mapping[int, frozenset[PlayerId]]
"""The players of board 1, by round."""
NO_BOARDS: FirstBoards = {}


@dataclass(frozen=True, slots=True)
class TieScore:
    """The points of two players in the games of their tie so far, and their results by game."""

    points: tuple[int, int]
    games: tuple[tuple[RoundResult, RoundResult], ...]

    def text(self, system: PointSystem) -> Numeral:
        """Return the score, for example `1.5-0.5`."""
        return Numeral("-".join(system.format_units(units) for units in self.points))


@dataclass(frozen=True, slots=True)
class Tie:
    """Two players of whom one advances, the better seed first; without `worse`, it is a bye."""

    better: PlayerId
    worse: PlayerId | None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """The one or two players."""
        return (self.better,) if self.worse is None else (self.better, self.worse)


def count_stages(players: int) -> int:
    """Return the number of stages of a bracket, including the final."""
    return (players - 1).bit_length()


def folded(places: int) -> tuple[int, ...]:
    """Return the seeds of a bracket from top to bottom; `folded(8)` is 1 8 4 5 2 7 3 6."""
    order = [1]
    while len(order) < places:
        order = [seed for upper in order for seed in (upper, 2 * len(order) + 1 - upper)]
    return tuple(order)
