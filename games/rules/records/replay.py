"""Replaying a record: its turns one after the other, then how it ended, then what was claimed.

Where a game offers a shortcut to the position after all turns, it is taken; the walk is for what
it leaves, and for finding the turn that is wrong. Both give the same verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.conditions import Conditions
from games.rules.errors import Code, FalseClaim, IllegalMove
from games.rules.game import GameRules
from games.rules.position import Outcome, Position, Termination, refuse_after_end
from games.rules.records.claims import agreed, given_up, unproven_claim
from games.rules.records.digest import digest
from games.rules.records.notation import ENDINGS
from games.rules.records.verdict import State, Verdict


def replay_moves(
    rules: GameRules, conditions: Conditions, moves: Sequence[str], result: str | None
) -> Verdict:
    """Return the verdict on moves in canonical spelling and the result token after them.

    Raises IllegalMove with ply and move, or FalseClaim.
    """
    ending = moves[-1] if moves and moves[-1] in ENDINGS else None
    turns = moves[:-1] if ending else moves
    position = rules.shortcut(conditions, turns) or walk(rules.start(conditions), turns)
    claim = told = None
    if ending is None:
        outcome = position.outcome()
        claim = told = unproven_claim(outcome, result)
    else:
        outcome = _end(rules, conditions, position, ending, result)
        told = f"{ending} {result}" if ending == "agreed" else ending

    is_open = outcome.termination is None
    return Verdict(
        valid=True,
        game=conditions.game,
        board=conditions.board,
        plies=len(turns),
        to_move=position.to_move if is_open else None,
        state=State.UNFINISHED if is_open else State.FINISHED,
        termination=outcome.termination,
        winner=outcome.winner,
        draw=outcome.draw,
        score=outcome.score,
        bounds=outcome.bounds,
        detail=outcome.detail,
        winner_decided=outcome.winner_decided,
        claim=claim,
        digest=digest(conditions, turns, told),
    )


def walk(position: Position, turns: Sequence[str]) -> Position:
    """Return the position after the turns; raises IllegalMove with the ply and the move."""
    for ply, move in enumerate(turns, 1):
        try:
            if move in ENDINGS:
                refuse_after_end(position)
                raise IllegalMove(f"only a result may follow {move}", Code.AFTER_END)
            position = position.play(move)
        except IllegalMove as error:
            _say_when_filled(error, turns[: ply - 1])
            raise error.located(ply=ply, move=move) from None
    return position


def _say_when_filled(error: IllegalMove, before: Sequence[str]) -> None:
    """Name the turn that placed the stone that is in the way, where a turn is a placing."""
    if error.code is not Code.OCCUPIED or error.cell is None:
        return
    for ply, move in enumerate(before, 1):
        if error.cell in move.split(","):
            error.detail = f"{error.cell} was filled at ply {ply}"


def _end(
    rules: GameRules, conditions: Conditions, position: Position, ending: str, result: str | None
) -> Outcome:
    """Return the outcome when a record ends with one of the words that are no turns."""
    outcome = position.outcome()
    if ending == "agreed" and rules.players == 1:
        raise FalseClaim("a solitaire ends by its moves alone", Code.CLAIM_CONTRADICTS)
    try:
        refuse_after_end(position)
    except IllegalMove as error:
        raise error.located(ply=position.plies + 1, move=ending) from None
    if ending == "agreed":
        return agreed(rules, conditions, outcome, result)
    why = Termination.RESIGNED if ending == "resign" else Termination.TIME
    return given_up(rules, outcome, position, why, result)
