"""The conditions of a game: which game, on what board, under which agreements.

They come from the tags of a record (JSON says the same things under the same names) and decide
what its moves mean; names of players and of events do not. Defaults are written out here, so
equal games have equal conditions: swap is on, except with handicap stones and in games that
know no swap; a game with a set-up of its own has it in full.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from games.rules.seat import Seat

Setup: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The cells of a starting position by seat, each list sorted."""


class HandicapKind(StrEnum):
    """What a handicap consists of."""

    STONES = "stones"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Handicap:
    """What the weaker seat is given: stones on the board before play, or points.

    Points are added to its score and taken from the other's.
    """

    seat: Seat
    kind: HandicapKind
    number: int

    @property
    def points_for_first(self) -> int:
        """What is added to the first seat's score and taken from the second's."""
        if self.kind is HandicapKind.STONES:
            return 0
        return self.number if self.seat is Seat.FIRST else -self.number

    def __str__(self) -> str:
        return f"{self.seat} {self.number} {self.kind}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What two reports of one game must agree on before their moves are compared."""

    game: str
    board: str
    options: tuple[str, ...] = ()
    swap: bool = True
    handicap: Handicap | None = None
    advice: Seat | None = None
    setup: Setup | None = None

    @property
    def handicap_stones(self) -> int:
        """How many stones the second seat has on the board before play."""
        if self.handicap is None or self.handicap.kind is not HandicapKind.STONES:
            return 0
        return self.handicap.number

    @property
    def points_for_first(self) -> int:
        """The handicap points added to the first seat's score, below zero when taken."""
        return 0 if self.handicap is None else self.handicap.points_for_first

    def as_dict(self) -> dict[str, object]:
        """Return the conditions as JSON writes them; the handicap is null when there is none."""
        handicap, setup = self.handicap, self.setup
        return {
            "game": self.game,
            "board": self.board,
            "options": list(self.options),
            "swap": self.swap,
            "handicap": handicap
            and {"seat": handicap.seat.value, handicap.kind.value: handicap.number},
            "advice": self.advice and self.advice.value,
            "setup": setup and {"first": list(setup[0]), "second": list(setup[1])},
        }

    def as_tags(self) -> dict[str, str]:
        """Return the tags that say the same; Game, Board and Swap always, the rest if set."""
        tags = {"Game": self.game, "Board": self.board}
        if self.options:
            tags["Options"] = " ".join(self.options)
        tags["Swap"] = "yes" if self.swap else "no"
        if self.handicap:
            tags["Handicap"] = str(self.handicap)
        if self.advice:
            tags["Advice"] = self.advice.value
        if self.setup:
            first, second = (" ".join(cells) for cells in self.setup)
            tags["Setup"] = f"first: {first}; second: {second}"
        return tags
