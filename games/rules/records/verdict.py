"""The referee's verdict on a record: what its moves prove and the digest, or its errors.

The digest of a game: equal for two reports exactly if they describe the same game.

The canonical form is a JSON object without spaces, with sorted keys, in UTF-8 without unnecessary
escapes; the digest is `sha256:` and the SHA-256 of its bytes in lower-case hexadecimal digits. The
object always has these nine keys:

- `advice`: `"first"`, `"second"` or null;
- `board`: the board's canonical name (`"10"`; Hex `11x11` is `"11"`);
- `ending`: null if the moves alone determine the state; `"resign"`, `"time"`, `"agreed 26-25"`;
  or the bare result token that nothing proves (`"26-25"`, `"1-0"`, `"1/2"`);
- `game`: its code;
- `handicap`: null, `{"points":2,"seat":"first"}` or `{"seat":"second","stones":3}`;
- `moves`: the turns in canonical spelling, including `swap` and `pass`;
- `options`: a list, in the order in which the game names them;
- `setup`: null in games with one start only, else `{"first":[...],"second":[...]}`, sorted;
- `swap`: true or false.

Left out: a result token that the moves already prove (after `resign` or `time` too, and `*` on
an open position), names, all other tags, comments.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from games.rules.conditions import Conditions
from games.rules.errors import RecordError
from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.outcome import Outcome
from games.rules.scoring.sums import alternative_of, terms_of
from games.rules.seat import Seat

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


class State(LabelledEnum):
    """Finished if nothing can change the result any more."""

    FINISHED = "finished", gettext_noop("finished")
    UNFINISHED = "unfinished", gettext_noop("unfinished")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The referee's answer about one record, by seat and never by colour.

    - `to_move` is None if the game is finished, and in a solitaire.
    - `claim` is a result token that nothing proves.
    - `digest` identifies the game.
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
        """Return the JSON form.

        `terms`, `alternative`, `draw`, `winner_decided` and `claim` are present only if set.
        """
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
        points = conditions.points_for_first
        if terms := terms_of(outcome, points):
            answer["terms"] = terms
        if alternative := alternative_of(outcome, points):
            answer["alternative"] = alternative.as_json()
        if outcome.draw:
            answer["draw"] = True
        if outcome.winner_decided:
            answer["winner_decided"] = outcome.winner_decided
        if self.claim is not None:
            answer["claim"] = self.claim
        return answer


def digest_game(conditions: Conditions, turns: Sequence[str], ending: str | None) -> str:
    """Return the digest of a game, `sha256:` and 64 hexadecimal digits."""
    canonical_form = _encode({**conditions.as_json(), "moves": turns, "ending": ending})
    return "sha256:" + sha256(canonical_form.encode()).hexdigest()
