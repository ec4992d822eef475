"""A record: a game under its conditions, move by move, as the players wrote it.

Text and JSON are equivalent and give the same value. Reading checks the form and the conditions;
`replay` checks that the moves are legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from games.rules.conditions import Conditions
from games.rules.errors import BadConditions, FalseClaim, RecordError, UnreadableRecord
from games.rules.position import PASS, SWAP, Position
from games.rules.records.claims import (
    STATED_ENDINGS,
    check_ending,
    proved_token,
    score_of_lead,
    without_ending,
)
from games.rules.records.foreign.reader import read_foreign
from games.rules.records.json_form import Parts, read_parts
from games.rules.records.notation import LONGEST_RECORD, Comment, RecordText
from games.rules.records.replay import play_turns, replay_moves
from games.rules.records.tags import MEANINGFUL, read_conditions
from games.rules.records.verdict import Verdict
from games.rules.registry import find_game
from games.rules.text import Text

LINE_WIDTH = 80

_WORDS_OF_ALL_GAMES = frozenset((SWAP, PASS, *STATED_ENDINGS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as it was written down.

    `moves` are in canonical spelling if they can be read at all, including the word that ends the
    game (`resign`, `time`, `agreed`); `result` is the token at the end. `tags` are those without
    a meaning for the rules, in their order. Two records are equal if all of this is; they
    describe the same game if their digests are equal. `last_line` is the line of the last word in
    the text that was read, for errors; it is not compared.
    """

    conditions: Conditions
    moves: tuple[str, ...] = ()
    result: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: tuple[Comment, ...] = ()
    last_line: int | None = field(default=None, compare=False, repr=False)

    @classmethod
    def parse(cls, text: str, *, first_line: int = 1) -> Record:
        """Read the text of exactly one record, in the format of records, in SGF or as a link.

        Raise a RecordError with line and column, or with the ply if an earlier turn is illegal.
        `first_line` is the line number of the first line of `text` in its file.
        """
        parts = read_foreign(text, first_line=first_line)
        return (
            cls.read(RecordText(text, first_line=first_line)) if parts is None else cls._of(parts)
        )

    @classmethod
    def read(cls, text: RecordText) -> Record:
        """Read a record whose tags have been read; raise errors as `parse` does."""
        try:
            conditions = read_conditions(text.tags)
        except BadConditions as error:
            raise error.locate(line=text.line_of(error.tag)) from None
        words = text.read_words(_vocabulary(conditions.game, conditions.board))
        moves = words.words if words.are_known else _canonical_moves(conditions, words.words)
        if words.error is not None:
            raise _first_error(conditions, moves, words.error, text.last_line)
        record = cls(
            conditions=conditions,
            moves=tuple(moves),
            result=score_of_lead(find_game(conditions.game), conditions, words.result),
            tags={name: text.tags[name] for name in text.tags if name not in MEANINGFUL},
            comments=tuple(text.comments),
            last_line=text.last_line,
        )
        return record._of_readable_length()

    @classmethod
    def from_json(cls, value: object) -> Record:
        """Read a record from decoded JSON; raise a RecordError with the pointer of the key."""
        try:
            return cls._of(read_parts(value))
        except BadConditions as error:
            error.pointer = error.pointer or f"/{error.tag.lower()}"
            raise

    @classmethod
    def _of(cls, parts: Parts) -> Record:
        """Return the record of its parts; raise BadConditions."""
        conditions = read_conditions(parts.conditions)
        record = cls(
            conditions=conditions,
            moves=tuple(_canonical_moves(conditions, parts.words)),
            result=score_of_lead(find_game(conditions.game), conditions, parts.result),
            tags=parts.tags,
            comments=parts.comments,
        )
        return record._of_readable_length()

    def _of_readable_length(self) -> Record:
        """Return this record; raise UnreadableRecord if its text is too long to be read again.

        The text has tags and move numbers that the one that was read may lack.
        """
        size = sum(map(len, self.moves)) + sum(len(comment.text) for comment in self.comments)
        # Tags, numbers and the signs of comments are far shorter than the other three quarters.
        if size > LONGEST_RECORD // 4 and len(str(self)) > LONGEST_RECORD:
            detail = Text(
                "a record has at most %(most)s characters, with its move numbers and all its tags",
                most=LONGEST_RECORD,
            )
            raise UnreadableRecord(detail, line=self.last_line)
        return self

    @classmethod
    def from_moves(
        cls, start: Position, moves: Sequence[str], *, tags: Mapping[str, str] | None = None
    ) -> Record:
        """Return the record of a game from its start, with the result token that the moves prove.

        `moves` may end with `resign` or `time`. Raise the RecordError of the first illegal move, or
        ValueError if `start` is not the position before the first turn.
        """
        if start.plies:
            raise ValueError(
                Text("a record starts before the first turn, not at ply %(ply)s", ply=start.plies)
            )
        conditions = start.conditions
        record = cls(
            conditions=conditions,
            moves=tuple(_canonical_moves(conditions, moves)),
            tags=dict(tags or {}),
        )
        return replace(record, result=proved_token(record.replay().outcome))

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form with defaults filled in; `from_json` returns an equal record."""
        answer: dict[str, Any] = {
            **self.conditions.as_json(),
            "moves": list(self.moves),
            "result": self.result,
            "tags": dict(self.tags),
        }
        if self.comments:
            answer["comments"] = [comment.as_json() for comment in self.comments]
        return answer

    def __str__(self) -> str:
        tags = {**self.conditions.as_tags(), **self.tags}
        if self._players == 1:
            del tags["Swap"]
        lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
        lines.append("")
        line = ""
        for piece in self._pieces():
            if line and len(line) + 1 + len(piece) > LINE_WIDTH:
                lines.append(line)
                line = ""
            line = f"{line} {piece}" if line else piece
            if piece.startswith(";"):
                lines.append(line)
                line = ""
        if line:
            lines.append(line)
        return "\n".join(lines) + "\n"

    def _pieces(self) -> Iterator[str]:
        """Yield numbered moves, other words and comments in the order of the text."""
        words = self.moves if self.result is None else (*self.moves, self.result)
        comments = list(reversed(self.comments))
        for count, word in enumerate(words):
            while comments and comments[-1].after <= count:
                yield str(comments.pop())
            is_turn = count < len(self.moves) and word not in STATED_ENDINGS
            number, place = divmod(count, self._players)
            yield f"{number + 1}. {word}" if is_turn and place == 0 else word
        while comments:
            yield str(comments.pop())

    @property
    def _players(self) -> int:
        """The number of players, who have a turn each behind a move number."""
        return find_game(self.conditions.game).players

    def replay(self) -> Verdict:
        """Return the verdict; raise the RecordError of the first illegal turn or false claim."""
        rules = find_game(self.conditions.game)
        try:
            return replay_moves(rules, self.conditions, self.moves, self.result)
        except FalseClaim as error:
            raise error.locate(line=self.last_line) from None


def first_difference(one: Record, other: Record) -> int | None:
    """Return the first ply, from 1, at which two valid records differ; None if they do not.

    How a record ends counts as the ply after its last turn. A result that the moves prove and the
    conditions are not compared. Raise RecordError for invalid records.
    """
    turns, other_turns = without_ending(one.moves), without_ending(other.moves)
    for ply, (move, other_move) in enumerate(zip_longest(turns, other_turns), 1):
        if move != other_move:
            return ply
    ending, other_ending = one.moves[len(turns) :], other.moves[len(turns) :]
    if ending == other_ending == ("agreed",):
        is_same = one.result == other.result
    else:
        is_same = ending == other_ending and one.replay().claim == other.replay().claim
    return None if is_same else len(turns) + 1


@lru_cache(maxsize=64)
def _vocabulary(game: str, board: str) -> frozenset[str]:
    """Return the words that are in canonical spelling: cells, and the words of all games."""
    start = find_game(game).start(Conditions(game=game, board=board))
    return _WORDS_OF_ALL_GAMES.union(start.board.names)


def _canonical_moves(conditions: Conditions, words: Sequence[str]) -> Sequence[str]:
    """Return words in canonical spelling, unreadable ones nearly unchanged."""
    if _vocabulary(conditions.game, conditions.board).issuperset(words):
        return words
    canonical = find_game(conditions.game).canonical
    return [
        word.lower() if word.lower() in _WORDS_OF_ALL_GAMES else canonical(word) for word in words
    ]


def _first_error(
    conditions: Conditions, moves: Sequence[str], error: RecordError, last_line: int
) -> RecordError:
    """Return the first error in reading order: an illegal word before this error, or this one."""
    rules, turns = find_game(conditions.game), without_ending(moves)
    try:
        position = play_turns(rules.start(conditions), turns)
        for ending in moves[len(turns) :]:
            check_ending(rules, position, ending)
    except FalseClaim as earlier:
        return earlier.locate(ply=len(turns) + 1, move=moves[-1], line=last_line)
    except RecordError as earlier:
        return earlier
    return error


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
