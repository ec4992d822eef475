"""How a record ends when its moves do not end it, and whether its result token is true.

- `resign`: the side to move gives up. `time`: the side to move has lost on time. The token after
  either may only repeat who won.
- `agreed` needs a token: in the scoring games a score whose total is the board's and that lies
  within the bounds, in the others `1-0` or `0-1`, and `1/2` where the game can be drawn.
- A bare token must not differ from what the moves prove; `1-0` and `0-1` are true of a score that
  is won. Where the moves prove nothing it is a claim, and `*` says nothing at all.
"""

from __future__ import annotations

from dataclasses import replace

from games.rules.conditions import Conditions
from games.rules.errors import Code, FalseClaim
from games.rules.game import GameRules
from games.rules.position import Outcome, Position, Score, Termination, winner_by
from games.rules.records.notation import RESULT
from games.rules.seat import Seat

OPEN_TOKEN = "*"
DRAW_TOKEN = "1/2"
WIN_TOKENS = {"1-0": Seat.FIRST, "0-1": Seat.SECOND}


def unproven_claim(outcome: Outcome, token: str | None) -> str | None:
    """Return the claim that a bare token makes, None when it makes none.

    Raises `claim_contradicts` when the token differs from what is proved.
    """
    if outcome.termination is None:
        return None if token == OPEN_TOKEN else token
    if token is not None and token not in _true_tokens(outcome):
        raise FalseClaim(
            f"the record says {token}, its moves prove {_proved(outcome)}", Code.CLAIM_CONTRADICTS
        )
    return None


def given_up(
    rules: GameRules, outcome: Outcome, position: Position, why: Termination, token: str | None
) -> Outcome:
    """Return the outcome when the side to move has resigned, or has lost on time.

    The other side wins, if there is one.
    """
    winner = position.to_move.other if rules.players == 2 else None
    ended = replace(
        outcome, termination=why, winner=winner, draw=False, score=None, winner_decided=None
    )
    unproven_claim(ended, token)
    return ended


def agreed(
    rules: GameRules, conditions: Conditions, outcome: Outcome, token: str | None
) -> Outcome:
    """Return the outcome when the players have agreed on the result that the token states.

    Raises `claim_contradicts` for a result that the game cannot have, `claim_out_of_bounds` for
    a score that cannot come of this position.
    """
    score = _score(token)
    if rules.combined_score is not None:
        if score is None:
            raise _cannot_agree("agreed needs a score")
        return _agreed_score(rules.combined_score(conditions), conditions, outcome, score)
    winner = WIN_TOKENS.get(token or "")
    drawn = token == DRAW_TOKEN and rules.draws
    if winner is None and not drawn:
        raise _cannot_agree(f"{rules.code} cannot end by agreeing on {token or 'nothing'}")
    return replace(
        outcome, termination=Termination.AGREED, winner=winner, draw=drawn, winner_decided=None
    )


def _agreed_score(total: int, conditions: Conditions, outcome: Outcome, score: Score) -> Outcome:
    if sum(score) != total:
        raise _cannot_agree(f"the scores of this board add up to {total}, not {sum(score)}")
    assert outcome.bounds is not None, "a scoring game gives bounds in every position"
    points = conditions.points_for_first
    least, most = (bound + points for bound in outcome.bounds[0])
    if not least <= score[0] <= most:
        raise FalseClaim(
            f"the first seat scores from {least} to {most} of {total} here, "
            f"the second from {total - most} to {total - least}; {score[0]}-{score[1]} cannot be",
            Code.CLAIM_OUT_OF_BOUNDS,
        )
    winner = winner_by(score)
    return replace(
        outcome,
        termination=Termination.AGREED,
        winner=winner,
        draw=winner is None,
        score=score,
        winner_decided=None,
    )


def _score(token: str | None) -> Score | None:
    numbers = RESULT.fullmatch(token or "")
    return (int(numbers[1]), int(numbers[2])) if numbers and numbers[1] else None


def _true_tokens(outcome: Outcome) -> set[str]:
    """Return the tokens that are true of a finished game."""
    tokens = {token for token, seat in WIN_TOKENS.items() if seat is outcome.winner}
    if outcome.draw:
        tokens.add(DRAW_TOKEN)
    if outcome.score is not None:
        tokens.add(f"{outcome.score[0]}-{outcome.score[1]}")
    return tokens


def _proved(outcome: Outcome) -> str:
    return " or ".join(sorted(_true_tokens(outcome), reverse=True)) or "no winner"


def _cannot_agree(detail: str) -> FalseClaim:
    return FalseClaim(detail, Code.CLAIM_CONTRADICTS)
