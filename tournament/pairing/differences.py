"""Differences between a round set by hand and the round that the pairing system would pair."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

from tournament.pairing.request import Pair, Pairings
from tournament.standings.crosstable import PlayerId

Place = tuple[PlayerId, PlayerId | None]
"""A board as (first, second), or a pairing-allocated bye as (player, None)."""


class DifferenceCode(StrEnum):
    """How a board differs; the most important difference counts."""

    OPPONENTS = "opponents"
    BYE = "bye"
    SEATS = "seats"
    BOARD = "board"


class PairedNumbers(TypedDict):
    """A board, or a tie, by pairing numbers; a bye has one."""

    numbers: list[PlayerId]


class StatedDifference(PairedNumbers):
    """A board that differs from those that the engine has for its players."""

    code: DifferenceCode
    board: int | None
    engine: list[PairedNumbers]


@dataclass(frozen=True, slots=True)
class Difference:
    """A board, from 1, or a bye if `board` is None, and where the system places its players.

    `engine` is empty if the system has no legal pairing.
    """

    code: DifferenceCode
    board: int | None
    place: Place
    engine: tuple[Place, ...]

    @property
    def is_by_hand(self) -> bool:
        """True if a player has another opponent or seat; another board number does not count."""
        return self.code is not DifferenceCode.BOARD

    def as_json(self) -> StatedDifference:
        """Return the difference for the API and the journal, by pairing numbers."""
        return {
            "code": self.code,
            "board": self.board,
            "numbers": _numbers_of(self.place),
            "engine": [{"numbers": _numbers_of(place)} for place in self.engine],
        }


def _numbers_of(place: Place) -> list[PlayerId]:
    return [number for number in place if number is not None]


def find_differences(
    pairs: tuple[Pair, ...], byes: tuple[PlayerId, ...], engine: Pairings | None
) -> tuple[Difference, ...]:
    """Compare boards and byes with those of the system; without a legal pairing, all differ."""
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
