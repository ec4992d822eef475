"""Replay of a record: its turns one by one, then how it ended, then what it claims.

If a game can compute the position after all turns at once, it does; otherwise, and to find an
illegal turn, the turns are played one by one. Both ways give the same verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.conditions import Conditions
from games.rules.errors import Code, FalseClaim, IllegalMove
from games.rules.game import GameRules
from games.rules.position import Position
from games.rules.records.claims import (
    STATED_ENDINGS,
    end_game,
    find_claim,
    only_moves_end,
    without_ending,
)
from games.rules.records.verdict import Verdict, digest_game
from games.rules.text import Text


def replay_moves(
    rules: GameRules, conditions: Conditions, moves: Sequence[str], result: str | None
) -> Verdict:
    """Return the verdict on moves in canonical spelling and the result token after them.

    Raise IllegalMove with ply and move, or FalseClaim.
    """
    turns = without_ending(moves)
    start = rules.start(conditions)
    position = start.play_all(turns) or play_turns(start, turns)
    claim = None
    try:
        if len(turns) == len(moves):
            outcome = position.outcome()
            claim = ending = find_claim(outcome, result)
            if claim and rules.players == 1:
                raise only_moves_end()
        else:
            ending = moves[-1]
            outcome = end_game(rules, position, ending, result)
            if ending == "agreed":
                ending = f"agreed {result}"
    except FalseClaim as error:
        # The end of a record counts as the ply after its last turn.
        raise error.locate(ply=len(turns) + 1, move=result or moves[-1]) from None
    return Verdict(
        conditions=conditions,
        plies=len(turns),
        to_move=None if outcome.termination or rules.players == 1 else position.to_move,
        outcome=outcome,
        claim=claim,
        digest=digest_game(conditions, turns, ending),
    )


def play_turns(position: Position, turns: Sequence[str]) -> Position:
    """Return the position after the turns; raise IllegalMove with the ply and the move."""
    for ply, move in enumerate(turns, 1):
        try:
            if move in STATED_ENDINGS:
                position.check_not_over()
                raise IllegalMove(
                    Text("only a result may follow %(word)s", word=move), Code.AFTER_END
                )
            position = position.play(move)
        except IllegalMove as error:
            _add_ply_of_stone(error, turns[: ply - 1])
            raise error.locate(ply=ply, move=move) from None
    return position


def _add_ply_of_stone(error: IllegalMove, earlier_turns: Sequence[str]) -> None:
    """State in an `occupied` error at which ply the cell was filled, if a turn placed a stone."""
    if error.code is not Code.OCCUPIED or error.cell is None:
        return
    for ply, move in enumerate(earlier_turns, 1):
        if error.cell in move.split(","):
            error.detail = Text("%(cell)s was filled at ply %(ply)s", cell=error.cell, ply=ply)
