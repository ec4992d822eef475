"""What the referee answers about a record.

A verdict is of a valid record, with what its moves prove, or of a refused one, with its errors.
Seats, never colours: after a swap everything is by seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from games.rules.errors import RecordError
from games.rules.position import Bounds, Detail, Score, Termination
from games.rules.seat import Seat


class State(StrEnum):
    """Whether anything can still change the result."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The referee's answer about one record.

    - `to_move` is None when finished, `score` (handicap points in it) None when nothing is
      scored or it is still open; `bounds` and `detail` are as the stones count on the board.
    - `winner_decided` names the certain winner of an unfinished game; `claim` is a result token
      that nothing proves.
    - `digest` identifies the game: see `games.rules.records.digest`.
    - A refused record has `valid` False, its `errors`, and nothing else.
    """

    valid: bool
    game: str | None = None
    board: str | None = None
    plies: int = 0
    to_move: Seat | None = None
    state: State | None = None
    termination: Termination | None = None
    winner: Seat | None = None
    draw: bool = False
    score: Score | None = None
    bounds: Bounds | None = None
    detail: Detail | None = None
    winner_decided: Seat | None = None
    claim: str | None = None
    digest: str | None = None
    errors: tuple[RecordError, ...] = ()

    @classmethod
    def refused(cls, *errors: RecordError) -> Verdict:
        """Return the verdict of a record that is not valid."""
        return cls(valid=False, errors=errors)

    def as_dict(self) -> dict[str, object]:
        """Return the verdict as JSON writes it.

        `draw`, `winner_decided` and `claim` stand only where they say something.
        """
        if not self.valid:
            return {"valid": False, "errors": [error.as_dict() for error in self.errors]}
        answer: dict[str, object] = {
            "valid": True,
            "game": self.game,
            "board": self.board,
            "plies": self.plies,
            "to_move": self.to_move,
            "state": self.state,
            "termination": self.termination,
            "winner": self.winner,
            "score": self.score and {"first": self.score[0], "second": self.score[1]},
            "bounds": self.bounds
            and {"first": list(self.bounds[0]), "second": list(self.bounds[1])},
            "detail": self.detail,
            "digest": self.digest,
        }
        if self.draw:
            answer["draw"] = True
        if self.winner_decided:
            answer["winner_decided"] = self.winner_decided
        if self.claim is not None:
            answer["claim"] = self.claim
        return answer
