"""The ties of a knockout: two players, or a bye, and the score of the games between them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from games.rules.text import Numeral
from tournament.pairing.findings import Finding
from tournament.pairing.options import OptionValue
from tournament.standings.crosstable import Crosstable, PlayerId, RoundResult
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


@dataclass(frozen=True, slots=True)
class Running:
    """The round that is being played: the players of each tie in it, and those without a result."""

    pairs: Mapping[int, Collection[frozenset[PlayerId]]] = field(default_factory=dict)
    unsettled: frozenset[PlayerId] = frozenset()


NOTHING_RUNNING = Running()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTie:
    """A tie at its place in a bracket; its sides are who came from the two ties before it.

    A side without a player is still to be decided if it `is_open`, else nobody comes: a bye.
    `points` are those of the sides so far, None before the first game. `reason` is why somebody
    advanced from a tie that ended level.
    """

    sides: tuple[PlayerId | None, PlayerId | None]
    is_open: tuple[bool, bool]
    is_for_third: bool = False
    is_over: bool = False
    winner: PlayerId | None = None
    points: tuple[int, int] | None = None
    reason: Finding | None = None


DrawnBracket = tuple[tuple[DrawnTie, ...], ...]
"""The ties of each stage from top to bottom; the neighbours of one lead to a tie of the next."""
DrawBracket = Callable[
    [Crosstable, Mapping[str, OptionValue], Sequence[str], FirstBoards, Running], DrawnBracket
]


def count_stages(players: int) -> int:
    """Return the number of stages of a bracket, including the final."""
    return (players - 1).bit_length()


def folded(places: int) -> tuple[int, ...]:
    """Return the seeds of a bracket from top to bottom; `folded(8)` is 1 8 4 5 2 7 3 6."""
    order = [1]
    while len(order) < places:
        order = [seed for upper in order for seed in (upper, 2 * len(order) + 1 - upper)]
    return tuple(order)
