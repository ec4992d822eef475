"""A record: a game under its conditions, move by move, as the players tell it.

Text and JSON say the same; either way gives one value. Reading makes sure of the form and of the
conditions; whether the moves are legal is what `replay` finds out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from games.rules import find_game
from games.rules.conditions import Conditions, Handicap, Setup
from games.rules.errors import BadConditions, RecordError
from games.rules.position import PASS, SWAP
from games.rules.records.json_form import read_parts
from games.rules.records.notation import ENDINGS, Comment, RecordText
from games.rules.records.replay import replay_moves, walk
from games.rules.records.tags import MEANINGFUL, read_conditions
from games.rules.records.verdict import Verdict
from games.rules.records.writing import write_text
from games.rules.seat import Seat

_WORDS_OF_ALL_GAMES = frozenset((SWAP, PASS, *ENDINGS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One game as it was written down.

    `moves` are in canonical spelling where they can be read at all, the word that ends the game
    (`resign`, `time`, `agreed`) last among them; `result` is the token at the end. `tags` are
    those without a meaning for the rules, in their order. Two records are equal when all of this
    is; they tell of the same game when their digests are equal.
    """

    terms: Conditions
    moves: tuple[str, ...] = ()
    result: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: tuple[Comment, ...] = ()

    @property
    def game(self) -> str:
        """The code of the game."""
        return self.terms.game

    @property
    def board(self) -> str:
        """The canonical name of the board."""
        return self.terms.board

    @property
    def options(self) -> tuple[str, ...]:
        """The options that are on."""
        return self.terms.options

    @property
    def swap(self) -> bool:
        """Whether the second seat may answer the first turn by a swap."""
        return self.terms.swap

    @property
    def handicap(self) -> Handicap | None:
        """What the weaker seat is given."""
        return self.terms.handicap

    @property
    def advice(self) -> Seat | None:
        """The seat that is advised."""
        return self.terms.advice

    @property
    def setup(self) -> Setup | None:
        """The starting position, in games that know more than one."""
        return self.terms.setup

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read the text of exactly one record.

        Raises a RecordError with line and column, or with the ply when a turn before that place
        is already illegal.
        """
        return cls.read(RecordText(text))

    @classmethod
    def read(cls, text: RecordText) -> Record:
        """Read a record whose tags have been read; raises as `parse` does."""
        try:
            terms = read_conditions(text.tags)
        except BadConditions as error:
            raise error.located(line=text.line_of(error.tag)) from None
        words = text.read_words(_vocabulary(terms.game, terms.board))
        moves = words.words if words.are_known else _canonical(terms, words.words)
        if words.fault is not None:
            raise _first_fault(terms, moves, words.fault)
        return cls(
            terms=terms,
            moves=tuple(moves),
            result=words.result,
            tags={name: text.tags[name] for name in text.tags if name not in MEANINGFUL},
            comments=tuple(text.comments),
        )

    @classmethod
    def from_json(cls, value: object) -> Record:
        """Read a record from decoded JSON; raises a RecordError that names the key."""
        parts = read_parts(value)
        terms = read_conditions(parts.conditions)
        return cls(
            terms=terms,
            moves=tuple(_canonical(terms, parts.words)),
            result=parts.result,
            tags=parts.tags,
            comments=parts.comments,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON, defaults written out; `from_json` gives an equal record."""
        answer: dict[str, Any] = {
            **self.terms.as_dict(),
            "moves": list(self.moves),
            "result": self.result,
            "tags": dict(self.tags),
        }
        if self.comments:
            answer["comments"] = [comment.as_dict() for comment in self.comments]
        return answer

    def __str__(self) -> str:
        return write_text(
            {**self.terms.as_tags(), **self.tags}, self.moves, self.result, self.comments
        )

    def replay(self) -> Verdict:
        """Return the verdict; raises the RecordError of the first turn or claim that is wrong."""
        return replay_moves(find_game(self.game), self.terms, self.moves, self.result)

    def digest(self) -> str:
        """Return the digest of the game; raises RecordError as `replay` does."""
        digest = self.replay().digest
        assert digest is not None, "a valid verdict has a digest"
        return digest

    def conditions(self) -> dict[str, object]:
        """Return what two reports of one game must agree on, in the JSON form."""
        return self.terms.as_dict()


def first_difference(one: Record, other: Record) -> int | None:
    """Return the first ply, from 1, at which two valid records differ; None when none does.

    How a record ends counts as the ply after its last turn, and a result that the moves prove
    counts for nothing; conditions are not compared. Raises RecordError for records that are not
    valid.
    """
    told, retold = _turns(one), _turns(other)
    for ply, (move, again) in enumerate(zip_longest(told, retold), 1):
        if move != again:
            return ply
    endings = one.moves[len(told) :], other.moves[len(retold) :]
    if endings[0] != endings[1]:
        return len(told) + 1
    claims = (
        record.result if endings[0] == ("agreed",) else record.replay().claim
        for record in (one, other)
    )
    return None if next(claims) == next(claims) else len(told) + 1


@lru_cache(maxsize=64)
def _vocabulary(game: str, board: str) -> frozenset[str]:
    return find_game(game).words(board) | frozenset(ENDINGS)


def _canonical(terms: Conditions, words: Sequence[str]) -> list[str]:
    """Return words in canonical spelling; what cannot be read stays much as it is."""
    known = _vocabulary(terms.game, terms.board)
    if known.issuperset(words):
        return list(words)
    canonical = find_game(terms.game).canonical
    return [
        word.lower() if word.lower() in _WORDS_OF_ALL_GAMES else canonical(word) for word in words
    ]


def _first_fault(terms: Conditions, moves: Sequence[str], fault: RecordError) -> RecordError:
    """Return what is wrong first in reading order: a turn before the fault, or the fault."""
    try:
        walk(find_game(terms.game).start(terms), _without_ending(moves))
    except RecordError as earlier:
        return earlier
    return fault


def _turns(record: Record) -> Sequence[str]:
    return _without_ending(record.moves)


def _without_ending(moves: Sequence[str]) -> Sequence[str]:
    return moves[:-1] if moves and moves[-1] in ENDINGS else moves
