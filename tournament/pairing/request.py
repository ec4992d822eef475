"""What a pairing system is asked, and what it answers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from games.rules.seat import Seat
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.options import OptionValue
from tournament.standings.crosstable import BYES, PLAYED, Crosstable, Kind, PlayerId, RoundResult

Pair = tuple[PlayerId, PlayerId]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingRequest:
    """One round to pair, as a value: the same request always gives the same pairings.

    Only results of earlier rounds are looked at. `absent` are those who do not play this round,
    whatever bye they get for it. `forbidden` holds pairs in either order. `initial_seat` is the
    lot drawn before round 1 (the crosstable's, when not given). `codes` rank the players where a
    system follows the standings. `seed` serves systems that draw lots. `balance_seats` off means
    that the seats carry no advantage. `options` are the system's own, those left out at their
    defaults. `preferences` are pairs better kept apart, in levels, the dearest first
    (separations.py).
    `exempt` pairs may meet, and `exempt_byes` have the bye, whatever bars them: the organiser
    said so (relaxations.py).
    Raises PairingRequestError for unknown rounds or players.
    """

    crosstable: Crosstable
    round: int
    absent: frozenset[PlayerId] = frozenset()
    forbidden: frozenset[Pair] = frozenset()
    initial_seat: Seat | None = None
    codes: tuple[str, ...] = ("PTS",)
    seed: int = 0
    balance_seats: bool = True
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    preferences: tuple[frozenset[Pair], ...] = ()
    exempt: frozenset[Pair] = frozenset()
    exempt_byes: frozenset[PlayerId] = frozenset()

    def __post_init__(self) -> None:
        rounds = self.crosstable.rounds
        if not 1 <= self.round <= rounds:
            raise PairingRequestError(f"there is no round {self.round}; the event has {rounds}")
        named = self.absent.union(
            self.exempt_byes,
            *self.forbidden,
            *self.exempt,
            *(pair for level in self.preferences for pair in level),
        )
        unknown = sorted(named - self.crosstable.by_number.keys())
        if unknown:
            raise PairingRequestError(f"not in the event: {_listed(unknown)}")

    @property
    def present(self) -> tuple[PlayerId, ...]:
        """The players to pair, by number."""
        numbers = (player.number for player in self.crosstable.players)
        return tuple(number for number in numbers if number not in self.absent)

    def earlier(self, number: PlayerId) -> tuple[RoundResult, ...]:
        """Give a player's results before the round to pair."""
        return self.crosstable.by_number[number].results[: self.round - 1]


class NoteCode(StrEnum):
    """Why a board or the bye is not the first that comes to mind."""

    BYE = "bye"
    PASSED_OVER_FOR_BYE = "passed-over-for-bye"
    MET_BEFORE = "met-before"
    FORBIDDEN = "forbidden"
    NEEDED_ELSEWHERE = "needed-elsewhere"
    SEARCH_CUT_SHORT = "search-cut-short"
    DECIDED = "decided"
    FLOAT = "float"
    FORFEIT = "forfeit"
    HANDICAP = "handicap"
    LEVEL_TIE = "level-tie"
    QUALIFIED = "qualified"
    PREFERENCE_GIVEN_UP = "wish-given-up"


@dataclass(frozen=True, slots=True)
class Note:
    """One reason: a code, the players it is about, a sentence, and the number it tells, if any."""

    code: NoteCode
    players: tuple[PlayerId, ...]
    sentence: str
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Pairings:
    """A round: (first, second) by board, the taker of the pairing-allocated bye, and why.

    `byes` are those that a schedule gives otherwise, by number, each with its kind. `forfeits`
    are the absent players whose board stays, as a schedule has it, and is lost without a game.
    """

    pairs: tuple[Pair, ...]
    bye: PlayerId | None = None
    notes: tuple[Note, ...] = ()
    byes: tuple[tuple[PlayerId, Kind], ...] = ()
    forfeits: frozenset[PlayerId] = frozenset()


PairingFunction = Callable[[PairingRequest], Pairings]


def opponents_met(results: Iterable[RoundResult]) -> dict[PlayerId, int]:
    """Give the opponents of played games with the last round, from 1; forfeits are no meetings."""
    met = {}
    for round_number, result in enumerate(results, start=1):
        if result.opponent is not None and result.kind in PLAYED:
            met[result.opponent] = round_number
    return met


def bars_pairing_bye(crosstable: Crosstable, results: Iterable[RoundResult]) -> bool:
    """Whether a player may not get the bye: had it, or a win's points without a game (C.04.1)."""
    return any(
        result.kind is Kind.PAIRING_BYE
        or (
            result.kind in BYES | {Kind.FORFEIT_WIN}
            and crosstable.units_of(result) >= crosstable.points.win
        )
        for result in results
    )


def played_seats(results: Iterable[RoundResult]) -> tuple[Seat, ...]:
    """Give the seats of the games played, in order; unplayed rounds fall out."""
    return tuple(r.seat for r in results if r.kind in PLAYED and r.seat is not None)


def either_way(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Give pairs in both orders, to ask about them in any."""
    return frozenset(either for one, other in pairs for either in ((one, other), (other, one)))


def _listed(numbers: Iterable[PlayerId]) -> str:
    return ", ".join(str(number) for number in numbers)
