"""The conditions of a game: the game, its board, and what the players agreed on before it.

They come from the tags of a record, or from the same keys in JSON, and determine what its moves
mean; the names of players and events do not. Defaults are filled in, so equal games have equal
conditions: swap is on, except with handicap stones and in games without swap; a game that
allows other starting positions always states its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.seat import Seat

Setup: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The cells of a starting position by seat, each list sorted."""


class HandicapKind(LabelledEnum):
    """What a handicap consists of."""

    STONES = "stones", gettext_noop("stones")
    POINTS = "points", gettext_noop("points")


@dataclass(frozen=True, slots=True)
class Handicap:
    """The advantage of the weaker seat: stones on the board before play, or points.

    Points are added to its score and subtracted from the opponent's.
    """

    seat: Seat
    kind: HandicapKind
    number: int

    def __str__(self) -> str:
        return f"{self.seat} {self.number} {self.kind}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The conditions on which two reports of one game must agree."""

    game: str
    board: str
    options: tuple[str, ...] = ()
    swap: bool = True
    handicap: Handicap | None = None
    advice: Seat | None = None
    setup: Setup | None = None

    @property
    def handicap_stones(self) -> int:
        """The number of stones that the second seat has on the board before play."""
        if self.handicap is None or self.handicap.kind is not HandicapKind.STONES:
            return 0
        return self.handicap.number

    @property
    def points_for_first(self) -> int:
        """The handicap points added to the first seat's score; negative if subtracted."""
        if self.handicap is None or self.handicap.kind is not HandicapKind.POINTS:
            return 0
        return self.handicap.number if self.handicap.seat is Seat.FIRST else -self.handicap.number

    def as_json(self) -> dict[str, object]:
        """Return the conditions in their JSON form, with every key."""
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
        """Return the conditions as tags: Game, Board and Swap always, the others if set."""
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
