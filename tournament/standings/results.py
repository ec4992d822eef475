"""What one player's round was: the closed sets and values that a crosstable is made of.

What each kind means for pairing, standings, tie-breaks, seats and ratings stands in the tables of
`crosstable.py`, from where everything here is to be imported.
"""

from dataclasses import dataclass
from enum import StrEnum

from games.rules.seat import Seat
from tournament.standings.errors import CrosstableError

PlayerId = int
"""The pairing number, from 1, fixed for the event."""


class Kind(StrEnum):
    """What a player's round was."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    FORFEIT_WIN = "forfeit-win"
    FORFEIT_LOSS = "forfeit-loss"
    PAIRING_BYE = "pairing-bye"
    FULL_BYE = "full-bye"
    HALF_BYE = "half-bye"
    ZERO_BYE = "zero-bye"


PLAYED = frozenset({Kind.WIN, Kind.DRAW, Kind.LOSS})
FORFEITS = frozenset({Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS})
PAIRED = PLAYED | FORFEITS
BYES = frozenset(Kind) - PAIRED
REQUESTED_BYES = frozenset({Kind.HALF_BYE, Kind.ZERO_BYE})
VOLUNTARY = REQUESTED_BYES | {Kind.FORFEIT_LOSS}

# A game that an arbiter gave lost to both, or half to one, has two worse sides; never two better.
OPPOSITES = {
    Kind.WIN: frozenset({Kind.LOSS}),
    Kind.DRAW: frozenset({Kind.DRAW, Kind.LOSS}),
    Kind.LOSS: PLAYED,
    Kind.FORFEIT_WIN: frozenset({Kind.FORFEIT_LOSS}),
    Kind.FORFEIT_LOSS: FORFEITS,
}


@dataclass(frozen=True, slots=True)
class RoundResult:
    """One round of one player.

    `short` marks a game of less than one move (TRF's W, D, L): it counts as played but is not
    rated. `awarded` holds the units given when they are not those of the kind (TRF26 record 299).
    `score` is the own and the opponent's game score, `stars` and `quarks` the own count, all
    three present only when a record proves them.
    """

    kind: Kind
    opponent: PlayerId | None = None
    seat: Seat | None = None
    short: bool = False
    awarded: int | None = None
    score: tuple[int, int] | None = None
    stars: int | None = None
    quarks: int | None = None

    def __post_init__(self) -> None:
        if self.kind in PAIRED:
            if self.opponent is None:
                raise CrosstableError(f"a {self.kind} needs an opponent")
            if self.seat is None and self.kind in PLAYED:
                raise CrosstableError(f"a {self.kind} needs a seat, first or second")
        elif self.opponent is not None or self.seat is not None:
            raise CrosstableError(f"a {self.kind} has neither opponent nor seat")
        if self.short and self.kind not in PLAYED:
            raise CrosstableError(f"a {self.kind} cannot be a short game")

    @property
    def is_played(self) -> bool:
        """Whether a game took place: neither forfeit nor bye."""
        return self.kind in PLAYED

    @property
    def is_voluntary(self) -> bool:
        """Whether the round is a VUR of C.07 16.1.2."""
        return self.kind in VOLUNTARY


ABSENT = RoundResult(Kind.ZERO_BYE)
"""A round of which nothing is recorded: not yet entered, away, or withdrawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Competitor:
    """One player's row; `results[r - 1]` is round r, and what is missing at the end is `ABSENT`.

    `rating` 0 means unrated. `virtual` holds the fictitious units of accelerated rounds (C.04.7):
    they count in pairing and never in standings. `start` is the starting score in units where a
    system gives one (McMahon): it counts in pairing and in the tie-break MMS alone.
    """

    number: PlayerId
    name: str = ""
    rating: int = 0
    title: str = ""
    federation: str = ""
    sex: str = ""
    birth: str = ""
    fide_id: str = ""
    club: str = ""
    category: str = ""
    results: tuple[RoundResult, ...] = ()
    virtual: tuple[int, ...] = ()
    start: int = 0

    def result(self, round_number: int) -> RoundResult:
        """Give the result of a round counted from 1, `ABSENT` when none is recorded."""
        return self.results[round_number - 1] if round_number <= len(self.results) else ABSENT
