r"""Reading the text of one record: tags, then words and comments, then a result.

- A tag begins a line: `[Name "value"]`; in a value `\"` is a quote and `\\` a backslash. No
  name stands twice.
- Words are made of letters, digits and `* , ( ) > -`. Move numbers (`12.`) are skipped.
- A comment is `{to the closing brace}`, without nesting, or `; to the end of the line`.
- A result token ends the record: `26-25` (either number may be negative), `1-0`, `0-1`, `1/2`,
  `*`. After `agreed` it says what was agreed on.

Sizes are bounded, and so is reading: a record has at most a million characters, ten thousand
words of two hundred and as many comments, a tag's value a thousand. The text is read once, left
to right; words that the game knows as they stand are taken without a second look, for speed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from games.rules.errors import BadConditions, Code, IllegalMove, RecordError, Unreadable

LONGEST_RECORD = 1_000_000
LONGEST_VALUE = 1_000
LONGEST_WORD = 200
MOST_WORDS = 10_000
MOST_TAGS = 200

ENDINGS = ("resign", "time", "agreed")

TAG = re.compile(r'[ \t]*\[[ \t]*([A-Za-z][A-Za-z0-9_-]{0,59})[ \t]+"((?:[^"\\\n]|\\.)*)"[ \t]*\]')
RESULT = re.compile(r"(-?[0-9]{1,6})-(-?[0-9]{1,6})|1/2|\*")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

_TOKEN = re.compile(
    r"\s+|(?P<number>[0-9]+\.+)|\{(?P<comment>[^}]*)\}|;(?P<remark>[^\n]*)"
    r"|(?P<word>[A-Za-z0-9*,()>/-]+)"
)
_ESCAPE = re.compile(r'\\(["\\])')
_MOVE_NUMBERS = frozenset(f"{number}." for number in range(1, 400))


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark in a record, after so many of its words (the result counts as one)."""

    after: int
    text: str
    to_line_end: bool = False

    def __str__(self) -> str:
        return f";{self.text}" if self.to_line_end else f"{{{self.text}}}"

    def as_dict(self) -> dict[str, int | str | bool]:
        """Return the comment as JSON writes it."""
        place: dict[str, int | str | bool] = {"after": self.after, "text": self.text}
        return {**place, "to_line_end": True} if self.to_line_end else place


@dataclass(frozen=True, slots=True)
class Words:
    """The moves of a record as they are written, and the result token after them.

    `are_known` says that the words were all in the vocabulary and need no other spelling.
    `fault` is what stopped the reading after the words.
    """

    words: list[str]
    result: str | None = None
    are_known: bool = False
    fault: RecordError | None = None


class RecordText:
    """The text of one record. `tags` are read at once, the words when their game is known."""

    __slots__ = ("_body", "_first_line", "_offsets", "_text", "comments", "tags")

    def __init__(self, text: str, *, first_line: int = 1) -> None:
        """Read the tags; raises Unreadable, or BadConditions for a tag that stands twice.

        `first_line` is the number that the first line of `text` has in its file.
        """
        self._first_line = first_line
        self._text = text
        if len(text) > LONGEST_RECORD:
            raise self._unreadable(f"a record has at most {LONGEST_RECORD} characters", 0)
        if "\r" in text:
            self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.tags: dict[str, str] = {}
        self._offsets: dict[str, int] = {}
        self.comments: list[Comment] = []
        self._body = self._read_tags()

    def read_words(self, known: frozenset[str]) -> Words:
        """Read what follows the tags; `known` are words that may be taken as they stand."""
        body = self._text[self._body :]
        if "{" not in body and ";" not in body:
            words = [word for word in body.split() if word not in _MOVE_NUMBERS]
            result = words.pop() if words and RESULT.fullmatch(words[-1]) else None
            if not known.issuperset(words) and body.isascii():
                spelled = _by_lower_case(known)
                words = [spelled.get(word.lower(), word) for word in words]
            if known.issuperset(words) and len(words) <= MOST_WORDS:
                return Words(words, result and plain_result(result), are_known=True)
        return self._read_slowly()

    def line_of(self, tag_name: str) -> int | None:
        """Return the line on which a tag stands, None when there is no such tag."""
        offset = self._offsets.get(tag_name)
        return None if offset is None else self._place(offset)[0]

    def _read_tags(self) -> int:
        """Read the tags, and comments among them; return where the moves begin."""
        text = self._text
        offset = 1 if text.startswith("\ufeff") else 0
        while True:
            if tag := TAG.match(text, offset):
                self._add_tag(tag)
                offset = tag.end()
                continue
            token = _TOKEN.match(text, offset)
            if token is None or token.lastgroup in ("number", "word"):
                break
            self._add_comment(token, after=0)
            offset = token.end()
        if text[offset : offset + 1] == "[":
            raise self._unreadable('a tag is written [Name "value"]', offset)
        if not self.tags:
            empty = "there is no record here", "a record begins with its tags"
            raise self._unreadable(empty[bool(text.strip())], offset)
        return offset

    def _add_tag(self, tag: re.Match[str]) -> None:
        name, value = tag[1], _ESCAPE.sub(r"\1", tag[2])
        bracket = self._text.index("[", tag.start())
        if self._text[self._text.rfind("\n", 0, bracket) + 1 : bracket].strip("\ufeff \t"):
            raise self._unreadable("a tag begins its line", bracket)
        if bad := UNPRINTABLE.search(tag[2]):
            raise self._unreadable("a tag's value is plain text", tag.start(2) + bad.start())
        if len(value) > LONGEST_VALUE:
            raise self._unreadable(
                f"a tag's value has at most {LONGEST_VALUE} characters", tag.start(2)
            )
        if name in self.tags:
            again = BadConditions(
                f"the tag {name} stands twice (a record without moves ends with a result, "
                "for example *, before the next one)",
                Code.BAD_TAG,
                tag=name,
            )
            line, column = self._place(bracket)
            raise again.located(line=line, column=column)
        if len(self.tags) == MOST_TAGS:
            raise self._unreadable(f"a record has at most {MOST_TAGS} tags", bracket)
        self.tags[name] = value
        self._offsets[name] = bracket

    def _add_comment(self, token: re.Match[str], *, after: int) -> None:
        if token.lastgroup not in ("comment", "remark"):
            return
        text = token[token.lastgroup]
        if bad := UNPRINTABLE.search(text):
            raise self._unreadable("a comment is plain text", token.start() + 1 + bad.start())
        if len(self.comments) == MOST_WORDS:
            limit = f"a record has at most {MOST_WORDS} comments"
            raise self._unreadable(limit, token.start())
        self.comments.append(Comment(after, text, token.lastgroup == "remark"))

    def _read_slowly(self) -> Words:
        text, offset = self._text, self._body
        words: list[str] = []
        result: str | None = None
        while offset < len(text):
            token = _TOKEN.match(text, offset)
            if token is None:
                return Words(words, fault=self._stumble(offset))
            try:
                self._add_comment(token, after=len(words) + (result is not None))
            except Unreadable as fault:
                return Words(words, fault=fault)
            offset = token.end()
            if token.lastgroup != "word":
                continue
            word = token["word"]
            if RESULT.fullmatch(word) and result is None:
                result = plain_result(word)
            elif result is not None:
                return Words(words, fault=self._after_result(word, words, token.start()))
            elif "/" in word:
                only_draws = "of words with / there is only 1/2"
                return Words(words, fault=self._unreadable(only_draws, token.start()))
            elif len(words) == MOST_WORDS or len(word) > LONGEST_WORD:
                limit = f"a record has at most {MOST_WORDS} words of {LONGEST_WORD} characters"
                return Words(words, fault=self._unreadable(limit, token.start()))
            else:
                words.append(word)
        return Words(words, result)

    def _stumble(self, offset: int) -> Unreadable:
        character = self._text[offset]
        if character == "{":
            return self._unreadable("this comment is never closed", offset)
        if character == "[":
            return self._unreadable("a tag after the moves: one record is read at a time", offset)
        return self._unreadable(f"{character!r} has no meaning here", offset)

    def _after_result(self, word: str, words: list[str], offset: int) -> IllegalMove:
        ended = bool(words) and words[-1].lower() in ENDINGS
        line, column = self._place(offset)
        return IllegalMove("nothing follows the result", Code.AFTER_END).located(
            ply=len(words) + 1 - ended, move=word[:LONGEST_WORD], line=line, column=column
        )

    def _unreadable(self, detail: str, offset: int) -> Unreadable:
        line, column = self._place(offset)
        return Unreadable(detail, line=line, column=column)

    def _place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column, both from 1, of an offset in the text."""
        line = self._first_line + self._text.count("\n", 0, offset)
        return line, offset - self._text.rfind("\n", 0, offset)


@lru_cache(maxsize=64)
def _by_lower_case(known: frozenset[str]) -> dict[str, str]:
    """Return the words by their lower-case spelling."""
    return {word.lower(): word for word in known}


def plain_result(token: str) -> str:
    """Return the one spelling of a result token: no needless zeros, no minus before a zero."""
    score = RESULT.fullmatch(token)
    if score is None or score[1] is None:
        return token
    return f"{int(score[1])}-{int(score[2])}"
