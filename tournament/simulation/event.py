"""An event before and after the simulation of its remaining rounds.

A round that is paired, but not complete, is an `OpenRound`: its boards stay, and only the results
that are missing are drawn. Later rounds are paired by the system of the event.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tournament.pairing.options import OptionValue
from tournament.pairing.request import Pair
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.ties import NO_BOARDS, FirstBoards
from tournament.simulation.strengths import KindPair, Strengths
from tournament.standings.crosstable import Crosstable, PlayerId, RoundResult


@dataclass(frozen=True, slots=True)
class OpenPairing:
    """A pairing without a result: its players by seat, and what helps the first one, in milli.

    `games` has the result of each game for the two players, None if it is missing.
    """

    pair: Pair
    part: int = 0
    games: tuple[KindPair | None, ...] = (None,)


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A paired round that is not complete: the pairings without a result, and all results."""

    pairings: tuple[OpenPairing, ...]
    results: Mapping[PlayerId, RoundResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedEvent:
    """An event whose remaining rounds can be simulated.

    - `system`: the code of its pairing system, with `options` and `balance_seats`.
    - `crosstable`: the completed rounds, which standings count.
    - `paired_by`: the same rounds as later pairings count them, if that differs.
    - `tiebreaks`: the codes that rank the players, in the end and in systems that follow the
      standings; none that needs records.
    - `withdrawn`: the players who have withdrawn: they are absent from all rounds to come.
    - `open_rounds`: the paired rounds that are not complete, by number.
    - `first_boards`: the players of board 1 by round, as far as they are known.

    Raises ValueError for an unknown system, and for a player without a strength.
    """

    system: str
    crosstable: Crosstable
    strengths: Strengths
    tiebreaks: tuple[str, ...] = ("PTS",)
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    balance_seats: bool = True
    withdrawn: frozenset[PlayerId] = frozenset()
    open_rounds: Mapping[int, OpenRound] = field(default_factory=dict)
    paired_by: Crosstable | None = None
    first_boards: FirstBoards = field(default_factory=lambda: NO_BOARDS)

    def __post_init__(self) -> None:
        if self.system not in PAIRING_SYSTEMS:
            raise ValueError(f"there is no pairing system {self.system!r}")
        unrated = sorted(self.crosstable.by_number.keys() - self.strengths.ratings.keys())
        if unrated:
            raise ValueError(f"players without a strength: {', '.join(map(str, unrated))}")


class RandomGame(NamedTuple):
    """A simulated game: its players by seat, what helps the first one (milli), and its result."""

    first: PlayerId
    second: PlayerId
    part: int
    kinds: KindPair


@dataclass(frozen=True, slots=True)
class FinishedEvent:
    """A simulated event: its results, and the players in their final order, the best first.

    Players whom the tie-breaks leave tied are ordered by lot. `rounds_paired` is the last round
    that could be paired: later rounds have no pairings, because none is legal. `games` are the
    games that were simulated.
    """

    crosstable: Crosstable
    order: tuple[PlayerId, ...]
    rounds_paired: int
    games: tuple[RandomGame, ...] = ()
