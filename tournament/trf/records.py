"""What the lines around the players said, gathered before the tournament is put together."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from games.rules.seat import Seat
from tournament.standings.crosstable import Kind, PlayerId
from tournament.trf.columns import whole
from tournament.trf.trf_file import ForbiddenGroup


class AwardedPoints(NamedTuple):
    """Points of a round that are not those of its result, or, where they are `added`, beside it."""

    line: int
    worth: Fraction
    round: int
    players: tuple[PlayerId, ...]
    added: bool


@dataclass(slots=True)
class Records:
    """What the lines around the players said, by the line that said it where it can be wrong."""

    rounds: int = 0
    initial_seat: Seat | None = None
    worth: dict[str, Fraction] = field(default_factory=dict)
    worth_line: int = 1
    absent: list[tuple[int, PlayerId]] = field(default_factory=list)
    byes: list[tuple[int, int, Kind, PlayerId]] = field(default_factory=list)
    forbidden: list[tuple[int, ForbiddenGroup]] = field(default_factory=list)
    virtual: dict[PlayerId, tuple[int, list[Fraction]]] = field(default_factory=dict)
    ranges: list[tuple[int, Fraction, range, range]] = field(default_factory=list)
    awards: list[AwardedPoints] = field(default_factory=list)
    tiebreaks: tuple[str, ...] = ()
    system: str = ""


def columns_of_players(line: str, first: int, number: int) -> tuple[PlayerId, ...]:
    """Read pairing numbers, four columns each and one between; blank ones are passed over."""
    starts = range(first, len(line.rstrip()) + 1, 5)
    return tuple(
        player for start in starts if (player := whole(line, start, start + 3, number, "player"))
    )
