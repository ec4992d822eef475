"""The referee's verdict on a record: what its moves prove, or its errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from games.rules.conditions import Conditions
from games.rules.errors import RecordError
from games.rules.position import Outcome
from games.rules.seat import Seat


class State(StrEnum):
    """Finished if nothing can change the result any more."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The referee's answer about one record, by seat and never by colour.

    - `to_move` is None if the game is finished.
    - `claim` is a result token that nothing proves.
    - `digest` identifies the game: see `games.rules.records.digest`.
    - An invalid record has `errors` and nothing else.
    """

    conditions: Conditions | None = None
    plies: int = 0
    to_move: Seat | None = None
    outcome: Outcome = field(default_factory=Outcome)
    claim: str | None = None
    digest: str | None = None
    errors: tuple[RecordError, ...] = ()

    @property
    def is_valid(self) -> bool:
        """True if the record has no errors."""
        return not self.errors

    @property
    def state(self) -> State:
        """Whether the game is finished."""
        return State.FINISHED if self.outcome.termination else State.UNFINISHED

    def as_json(self) -> dict[str, object]:
        """Return the JSON form; `draw`, `winner_decided` and `claim` are present only if set."""
        conditions, outcome = self.conditions, self.outcome
        if conditions is None:
            return {"valid": False, "errors": [error.as_json() for error in self.errors]}
        score, bounds = outcome.score, outcome.bounds
        answer: dict[str, object] = {
            "valid": True,
            "game": conditions.game,
            "board": conditions.board,
            "plies": self.plies,
            "to_move": self.to_move,
            "state": self.state,
            "termination": outcome.termination,
            "winner": outcome.winner,
            "score": score and {"first": score[0], "second": score[1]},
            "bounds": bounds and {"first": list(bounds[0]), "second": list(bounds[1])},
            "detail": outcome.detail,
            "digest": self.digest,
        }
        if outcome.draw:
            answer["draw"] = True
        if outcome.winner_decided:
            answer["winner_decided"] = outcome.winner_decided
        if self.claim is not None:
            answer["claim"] = self.claim
        return answer
