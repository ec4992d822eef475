"""What a position proves: how the game ended, who won, the score and its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from games.rules.labels import LabelledEnum
from games.rules.messages import Say, gettext_noop, say_in_english
from games.rules.seat import Seat

Score: TypeAlias = tuple[int, int]
"""Points by seat, the first seat's first."""

Bounds: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""The least and the most that each seat can still score, by seat."""

Detail: TypeAlias = Mapping[str, int | Mapping[str, int]]
"""The counts that a score consists of; by seat in games for two."""


class Termination(LabelledEnum):
    """How a game ended; the values are themselves words of a diagram, which has little space."""

    FULL = gettext_noop("full"), gettext_noop("the board is full")
    DECIDED = gettext_noop("decided"), gettext_noop("nobody can change the result any more")
    AGREED = gettext_noop("agreed"), gettext_noop("agreed")
    RESIGNED = gettext_noop("resigned"), gettext_noop("resigned")
    TIME = gettext_noop("time"), gettext_noop("on time")
    PASSES = gettext_noop("passes"), gettext_noop("both passed")
    GOAL = gettext_noop("goal"), gettext_noop("a winning shape")
    BLOCKED = gettext_noop("blocked"), gettext_noop("no legal move")
    SOLVED = gettext_noop("solved"), gettext_noop("solved")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result that a position proves.

    `termination` is None while the result is open. `score` is None while open, and lies within the
    `bounds`; both include handicap points, `detail` does not. It is what is counted so far unless
    `is_counted`.
    `winner_decided` is a seat that is certain to win an open game.
    """

    termination: Termination | None = None
    winner: Seat | None = None
    draw: bool = False
    score: Score | None = None
    bounds: Bounds | None = None
    detail: Detail | None = field(default=None, hash=False)
    winner_decided: Seat | None = None

    @classmethod
    def from_score(
        cls, termination: Termination, score: Score, bounds: Bounds | None, detail: Detail | None
    ) -> Outcome:
        """Return the outcome of a game that ended with this score."""
        winner = leader(score)
        return cls(
            termination=termination,
            winner=winner,
            draw=winner is None,
            score=score,
            bounds=bounds,
            detail=detail,
        )

    @property
    def is_counted(self) -> bool:
        """True if the stones on the board prove the score, so that `detail` adds up to it."""
        if self.score is None or self.bounds is None:
            return False
        (least, most), _ = self.bounds
        return self.termination is not Termination.AGREED or least == most

    def describe_winner(self, say: Say = say_in_english) -> str | None:
        """Return who wins, in words; None while that is open."""
        if self.winner:
            return say(gettext_noop("{seat} wins"), seat=say(self.winner.value))
        if self.draw:
            return say(gettext_noop("a draw"))
        if self.winner_decided is None:
            return None
        return say(gettext_noop("{seat} is certain to win"), seat=say(self.winner_decided.value))


def leader(score: Score) -> Seat | None:
    """Return the seat with more points, None if they are equal."""
    first, second = score
    if first == second:
        return None
    return Seat.FIRST if first > second else Seat.SECOND
