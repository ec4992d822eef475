"""The moves of another program as words of a record, each with its place in the file.

A reader makes steps of what it reads and says how the game ended; here the steps are replayed, so
that an illegal one is reported as the file writes it, with its line and column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.conditions import Conditions
from games.rules.errors import Code, FalseClaim, IllegalMove, RecordError, UnreadableRecord
from games.rules.position import Position
from games.rules.records.claims import end_game, find_claim
from games.rules.records.foreign.tree import Value
from games.rules.records.notation import LONGEST_VALUE, UNPRINTABLE
from games.rules.records.replay import play_turns
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.text import Text

RESIGN, TIME, AGREED = "resign", "time", "agreed"


@dataclass(frozen=True, slots=True)
class Step:
    """A turn: the word of the record, and what the file has for it."""

    word: str
    source: Value


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: who lost (None in a draw), `resign`, `time`, `agreed`, or no reason.

    `stated` is a result token that the file has itself.
    """

    loser: Seat | None
    reason: str
    source: Value
    stated: str = ""

    @property
    def token(self) -> str:
        """The result token of a record."""
        if self.stated:
            return self.stated
        if self.loser is None:
            return "1/2"
        return "0-1" if self.loser is Seat.FIRST else "1-0"


def replay_steps(
    conditions: Conditions, steps: Sequence[Step], error: RecordError | None
) -> Position:
    """Return the position after the steps; raise the first error, at the latest `error`."""
    start = find_game(conditions.game).start(conditions)
    try:
        position = play_turns(start, [step.word for step in steps])
    except IllegalMove as illegal:
        step = steps[(illegal.ply or 1) - 1]
        if step.source.text.lower() != step.word:
            illegal.detail = Text(
                "%(written)s, here %(word)s: %(detail)s",
                written=step.source.text[:60],
                word=step.word[:60],
                detail=illegal.detail,
            )
            illegal.move = step.source.text[:60]
        raise illegal.locate(line=step.source.line, column=step.source.column) from None
    if error is not None:
        raise error
    return position


def end_words(
    position: Position, ending: Ending | None, stated: Ending | None = None
) -> tuple[list[str], str | None]:
    """Return the words that end the record, and its result token.

    `ending` is the last move, `stated` what the file says about the result. A result that the moves
    prove is a token. Whoever resigns or loses on time out of turn has agreed that the other one
    wins. Raise FalseClaim for a result that the moves disprove.
    """
    if ending is not None and stated is not None and ending.token != stated.token:
        detail = Text(
            "the record says %(token)s, its moves prove %(detail)s",
            token=stated.token,
            detail=ending.token,
        )
        raise _located(FalseClaim(detail, Code.CLAIM_CONTRADICTS), position, stated)
    ending = ending or stated
    if ending is None:
        return [], None
    words, token = [], ending.token
    try:
        if position.outcome().termination is not None or not ending.reason:
            find_claim(position.outcome(), token)
            return [], token
        if ending.reason == AGREED or position.to_move is not ending.loser:
            words.append(AGREED)
        else:
            words.append(ending.reason)
        end_game(find_game(position.conditions.game), position, words[0], token)
    except FalseClaim as error:
        raise _located(error, position, ending) from None
    return words, token if words == [AGREED] else None


def _located(error: FalseClaim, position: Position, ending: Ending) -> FalseClaim:
    source = ending.source
    return error.locate(
        ply=position.plies + 1, move=source.text[:60], line=source.line, column=source.column
    )


def illegal_move(detail: str, code: Code, ply: int, source: Value) -> IllegalMove:
    """Return the error of a part of the file that should be a turn."""
    return IllegalMove(
        detail, code, ply=ply, move=source.text[:60], line=source.line, column=source.column
    )


def unreadable(detail: str, source: Value) -> UnreadableRecord:
    """Return the error of a part of the file."""
    return UnreadableRecord(detail, line=source.line, column=source.column)


def tag_value(source: Value) -> str:
    """Return a value as that of a tag, in one line; raise UnreadableRecord if it is too long."""
    value = UNPRINTABLE.sub("", " ".join(source.text.split()))
    if len(value) > LONGEST_VALUE:
        detail = Text("a tag's value has at most %(most)s characters", most=LONGEST_VALUE)
        raise unreadable(detail, source)
    return value
