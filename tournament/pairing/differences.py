"""In what a round set by hand is not the one the engine would pair."""

from dataclasses import dataclass
from enum import StrEnum

from tournament.pairing.request import Pair, Pairings
from tournament.standings.crosstable import PlayerId

Place = tuple[PlayerId, PlayerId | None]
"""A board as (first, second), or somebody's pairing-allocated bye, with None in the second seat."""


class DifferenceCode(StrEnum):
    """In what a board is another; the heaviest that holds is told."""

    OPPONENTS = "opponents"
    BYE = "bye"
    SEATS = "seats"
    BOARD = "board"


@dataclass(frozen=True, slots=True)
class Difference:
    """One board, from 1, or the bye when `board` is None, and where the engine has its players.

    `engine` are those places by board; empty when the engine has no legal pairing.
    """

    code: DifferenceCode
    board: int | None
    place: Place
    engine: tuple[Place, ...]

    @property
    def is_by_hand(self) -> bool:
        """Whether somebody has another opponent or seat; that boards change numbers is none."""
        return self.code is not DifferenceCode.BOARD


def differences(
    pairs: tuple[Pair, ...], byes: tuple[PlayerId, ...], engine: Pairings | None
) -> tuple[Difference, ...]:
    """Compare boards and byes with the engine's; all of them differ when it has no pairing."""
    due: list[Place] = [] if engine is None else list(engine.pairs)
    boards = {place: board for board, place in enumerate(due, start=1)}
    if engine is not None and engine.bye is not None:
        due.append((engine.bye, None))
    found = []
    for board, pair in enumerate(pairs, start=1):
        if boards.get(pair) == board:
            continue
        if pair in boards:
            code = DifferenceCode.BOARD
        elif pair[::-1] in boards:
            code = DifferenceCode.SEATS
        else:
            code = DifferenceCode.OPPONENTS
        found.append(Difference(code, board, pair, _places_of(pair, due)))
    found += [
        Difference(DifferenceCode.BYE, None, (bye, None), _places_of((bye,), due))
        for bye in byes
        if (bye, None) not in due
    ]
    return tuple(found)


def _places_of(players: tuple[PlayerId, ...], due: list[Place]) -> tuple[Place, ...]:
    return tuple(place for place in due if set(players).intersection(place))
