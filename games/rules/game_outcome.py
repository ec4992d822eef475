"""The outcome of a game: who won, how and with what score.

A `GameOutcome` is built from the verdict on a record, or from the result that a claim or a ruling
states. It has one JSON form, which reports store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.outcome import Detail, Score, Termination
from games.rules.records.claims import BOTH_LOSE_TOKEN, DRAW_TOKEN, WIN_TOKENS
from games.rules.records.record import Record
from games.rules.records.verdict import Verdict
from games.rules.seat import Seat


class RulingTermination(LabelledEnum):
    """How a game ended by a ruling."""

    FORFEIT = "forfeit", gettext_noop("forfeit, not played")
    DOUBLE_FORFEIT = "double_forfeit", gettext_noop("forfeit by both, not played")
    RULED = "ruled", gettext_noop("ruled")


FORFEITS = frozenset({RulingTermination.FORFEIT.value, RulingTermination.DOUBLE_FORFEIT.value})

AnyTermination: TypeAlias = Termination | RulingTermination


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOutcome:
    """Who won a game, how and with what score.

    `score` holds handicap points; `detail` is what a record proves that the score consists of.
    Without a winner and a draw, both sides have lost.
    """

    winner: Seat | None = None
    draw: bool = False
    score: Score | None = None
    termination: AnyTermination | None = None
    detail: Detail | None = None

    @classmethod
    def from_verdict(cls, verdict: Verdict) -> GameOutcome:
        """Return the outcome that a record proves."""
        return cls(
            winner=verdict.outcome.winner,
            draw=verdict.outcome.draw,
            score=verdict.outcome.score,
            termination=verdict.outcome.termination,
            detail=verdict.outcome.detail,
        )

    @classmethod
    def from_agreement(cls, conditions: Mapping[str, Any], result: str) -> GameOutcome:
        """Return the outcome of a result that the players agree on without a record.

        `conditions` are in the JSON form of a record. Raises RecordError for a result that the
        game cannot have.
        """
        record = Record.from_json({**conditions, "moves": ["agreed"], "result": result})
        return replace(cls.from_verdict(record.replay()), detail=None)

    @classmethod
    def from_result(cls, result: str, termination: AnyTermination) -> GameOutcome:
        """Return the outcome of `1-0`, `0-1`, `1/2` or `0-0`: both lose, or neither appeared."""
        if result == BOTH_LOSE_TOKEN and termination == RulingTermination.FORFEIT:
            return cls(termination=RulingTermination.DOUBLE_FORFEIT)
        winner = WIN_TOKENS.get(result)
        return cls(winner=winner, draw=result == DRAW_TOKEN, termination=termination)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> GameOutcome:
        """Return the outcome of its JSON form; raises ValueError if it is not one."""
        try:
            winner, score = value.get("winner"), value.get("score")
            termination = value.get("termination")
            return cls(
                winner=Seat(winner) if winner else None,
                draw=bool(value.get("draw")),
                score=(score["first"], score["second"]) if score else None,
                termination=_parse_termination(termination) if termination else None,
                detail=value.get("detail"),
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"not an outcome: {value!r:.100}") from error

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form; `detail` only where there is one."""
        value: dict[str, Any] = {
            "winner": self.winner,
            "draw": self.draw,
            "score": self.score and {"first": self.score[0], "second": self.score[1]},
            "termination": self.termination,
        }
        return value | ({"detail": self.detail} if self.detail else {})

    def agrees_with(self, other: GameOutcome) -> bool:
        """Return True if both have one winner and, where both give a score, the same score."""
        if (self.winner, self.draw) != (other.winner, other.draw):
            return False
        return None in (self.score, other.score) or self.score == other.score

    def repeats(self, other: GameOutcome) -> bool:
        """Return True if it agrees with the other, and neither is a forfeit or both are."""
        is_forfeit, was_forfeit = (one.termination in FORFEITS for one in (self, other))
        return self.agrees_with(other) and is_forfeit == was_forfeit


NO_OUTCOME = GameOutcome()
"""The outcome of a game without a result."""


def _parse_termination(text: str) -> AnyTermination:
    """Return the termination of that name; raises ValueError for an unknown one."""
    is_ruling = text in tuple(RulingTermination)
    return RulingTermination(text) if is_ruling else Termination(text)
