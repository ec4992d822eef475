"""The conditions of a game: the game, its board, and what the players agreed on before it.

They come from the tags of a record, or from the same keys in JSON, and determine what its moves
mean; the names of players and events do not. Defaults are filled in, so equal games have equal
conditions: swap is on, except with handicap stones and in games without swap; a game that
allows other starting positions always states its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.seat import Seat

Setup: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The cells of a starting position by seat, each list sorted."""

_NUMBER, _CELL = "([1-9][0-9]{0,9})", r"[A-Za-z*][0-9]{0,3}"
_HANDICAP = re.compile(
    rf"(first|second) "
    rf"(?:(?:{_NUMBER} stones?|({_CELL}(?: {_CELL})*))(?:, {_NUMBER} points?)?|{_NUMBER} points?)"
)


class HandicapKind(LabelledEnum):
    """What a handicap consists of."""

    STONES = "stones", gettext_noop("stones")
    POINTS = "points", gettext_noop("points")


@dataclass(frozen=True, slots=True)
class Handicap:
    """The advantage of the weaker seat: stones on the board before play, points, or both.

    `stones` are a number of stones on the usual cells, or the names of other cells. Points are
    added to the score of the seat and subtracted from the opponent's.
    """

    seat: Seat
    stones: int | tuple[str, ...] = 0
    points: int = 0

    @classmethod
    def parse(cls, text: str) -> Handicap | None:
        """Return the handicap of a text such as `second 3 stones, 2 points`; None if it is none.

        Stones may be cells: `second S60 A60 T60`. Whether a game can have it is not checked.
        """
        found = _HANDICAP.fullmatch(text)
        if found is None:
            return None
        seat, number, cells, more_points, points = found.groups()
        stones = tuple(cells.upper().split()) if cells else int(number or 0)
        return cls(Seat(seat), stones, int(more_points or points or 0))

    def __str__(self) -> str:
        parts = [f"{self.points} points"] if self.points else []
        if isinstance(self.stones, tuple):
            parts.insert(0, " ".join(self.stones))
        elif self.stones:
            parts.insert(0, f"{self.stones} stones")
        return f"{self.seat} {', '.join(parts)}"

    @property
    def stone_count(self) -> int:
        """The number of stones."""
        return len(self.stones) if isinstance(self.stones, tuple) else self.stones

    @property
    def kinds(self) -> tuple[HandicapKind, ...]:
        """What the handicap consists of."""
        stones = (HandicapKind.STONES,) if self.stones else ()
        return (*stones, HandicapKind.POINTS) if self.points else stones

    def as_json(self) -> dict[str, object]:
        """Return the JSON form, with the keys of what the handicap consists of."""
        stones = list(self.stones) if isinstance(self.stones, tuple) else self.stones
        amounts = {"stones": stones, "points": self.points}
        return {"seat": self.seat.value, **{kind.value: amounts[kind] for kind in self.kinds}}


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
        return self.handicap.stone_count if self.handicap else 0

    @property
    def points_for_first(self) -> int:
        """The handicap points added to the first seat's score; negative if subtracted."""
        if self.handicap is None:
            return 0
        return self.handicap.points if self.handicap.seat is Seat.FIRST else -self.handicap.points

    def as_json(self) -> dict[str, object]:
        """Return the conditions in their JSON form, with every key."""
        handicap, setup = self.handicap, self.setup
        return {
            "game": self.game,
            "board": self.board,
            "options": list(self.options),
            "swap": self.swap,
            "handicap": handicap and handicap.as_json(),
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
