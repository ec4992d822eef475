"""The values of the records around the players, collected before the tournament is assembled."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from games.rules.seat import Seat
from tournament.standings.crosstable import Kind, PlayerId
from tournament.trf.trf_file import ForbiddenGroup


class AwardedPoints(NamedTuple):
    """Points that players get in a round instead of those of the result, or in addition."""

    line: int
    points: Fraction
    round: int
    players: tuple[PlayerId, ...]
    is_addition: bool


class VirtualPoints(NamedTuple):
    """Virtual points of a range of players in a range of rounds (record 250)."""

    line: int
    points: Fraction
    rounds: range
    players: range


class PairingGames(NamedTuple):
    """The results of the games of a pairing, for each of its players (record XXG)."""

    line: int
    round: int
    players: tuple[PlayerId, PlayerId]
    games: tuple[tuple[Kind, ...], tuple[Kind, ...]]


@dataclass(slots=True)
class Records:
    """The values of the records, with the number of the line where a later check needs it."""

    rounds: int = 0
    initial_seat: Seat | None = None
    points: dict[str, Fraction] = field(default_factory=dict)
    unknown_points: Fraction | None = None
    points_line: int = 1
    absent: list[tuple[int, PlayerId]] = field(default_factory=list)
    byes: list[tuple[int, int, Kind, PlayerId]] = field(default_factory=list)
    forbidden: list[tuple[int, ForbiddenGroup]] = field(default_factory=list)
    virtual: dict[PlayerId, tuple[int, list[Fraction]]] = field(default_factory=dict)
    virtual_ranges: list[VirtualPoints] = field(default_factory=list)
    awarded: list[AwardedPoints] = field(default_factory=list)
    games_per_pairing: int = 1
    games: list[PairingGames] = field(default_factory=list)
    tiebreaks: tuple[str, ...] = ()
    system: str = ""
