r"""The text of one record: tags, then words and comments, then a result.

- A tag starts a line: `[Name "value"]`; in a value `\"` is a quote and `\\` a backslash. No name
  occurs twice.
- White space is spaces, tabs and line ends (`\n`, `\r\n` or `\r`), nothing else.
- Words consist of letters, digits and `* , ( ) > -`. Move numbers (`12.`) are skipped.
- A comment is `{to the closing brace}`, without nesting, or `; to the end of the line`.
- Marks behind a word, `S60!` or `S60?!`, and variations in parentheses, `(S61 T07)`, become
  comments: the main line is the record.
- A result token ends the record: `26-25` (up to six digits, either number may be negative),
  `1-0`, `0-1`, `1/2`, `*`. After `agreed` it is the agreed result, with any number of digits, or
  a lead: `+1`.

Sizes are bounded, and so is reading: a record has at most a million characters, ten thousand
words of at most two hundred characters, ten thousand comments, and two hundred tags with values of
at most a thousand characters. The text is read once, from left to right; for speed, words in
canonical spelling are not examined further.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from games.rules.errors import BadConditions, Code, IllegalMove, RecordError, UnreadableRecord
from games.rules.records.claims import DASHES, parse_result, without_ending
from games.rules.text import Text

LONGEST_RECORD = 1_000_000
LONGEST_VALUE = 1_000
LONGEST_WORD = 200
MOST_WORDS = 10_000
MOST_TAGS = 200

BYTE_ORDER_MARK = "\ufeff"
TAG_LINE = re.compile(
    r'[ \t]*\[[ \t]*([A-Za-z][A-Za-z0-9_-]{0,59})[ \t]+"((?:[^"\\\n]|\\.)*)"[ \t]*\]'
)
WHITE_SPACE = " \t\r\n"
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

_TOKEN = re.compile(
    r"[ \t\n]+|(?P<number>[0-9]+\.+)|\{(?P<comment>[^}]*)\}|;(?P<line_comment>[^\n]*)"
    r"|(?P<word>[A-Za-z0-9*,()>/−–-]+|\+[0-9]+)|(?P<mark>[!?]{1,4})"
)
_IN_VARIATION = re.compile(r"[()]|\{[^}]*+\}?|;[^\n]*+")
_OTHER_SPACE = "\x0b\x0c\x1c\x1d\x1e\x1f"
"""The characters of ASCII that `str.split` takes for white space and records do not."""

_ESCAPE = re.compile(r'\\(["\\])')
_NO_BRACES = str.maketrans("{}", "()")
_MOVE_NUMBERS = frozenset(f"{number}." for number in range(1, 400))


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment in a record; `after` is the number of words before it, including the result."""

    after: int
    text: str
    to_line_end: bool = False

    def __str__(self) -> str:
        return f";{self.text}" if self.to_line_end else f"{{{self.text}}}"

    def as_json(self) -> dict[str, int | str | bool]:
        """Return the JSON form; `to_line_end` is present only if true."""
        place: dict[str, int | str | bool] = {"after": self.after, "text": self.text}
        return {**place, "to_line_end": True} if self.to_line_end else place


@dataclass(frozen=True, slots=True)
class Words:
    """The moves of a record as written, and the result token after them.

    `are_known` is True if all words are in canonical spelling. `error` is what stopped the
    reading after the words.
    """

    words: list[str]
    result: str | None = None
    are_known: bool = False
    error: RecordError | None = None


class RecordText:
    """The text of one record; `tags` are read at once, the words when the game is known."""

    __slots__ = ("_body", "_first_line", "_last", "_offsets", "_text", "comments", "tags")

    def __init__(self, text: str, *, first_line: int = 1) -> None:
        """Read the tags; raise UnreadableRecord, or BadConditions for a repeated tag.

        `first_line` is the line number of the first line of `text` in its file.
        """
        self._first_line = first_line
        self._text = text = text.removeprefix(BYTE_ORDER_MARK)
        if len(text) > LONGEST_RECORD:
            raise self._unreadable(
                Text("a record has at most %(most)s characters", most=LONGEST_RECORD), 0
            )
        if "\r" in text:
            self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.tags: dict[str, str] = {}
        self._offsets: dict[str, int] = {}
        self.comments: list[Comment] = []
        self._body = self._last = self._read_tags()

    def read_words(self, known: frozenset[str]) -> Words:
        """Read the words after the tags; `known` are words in canonical spelling."""
        body = self._text[self._body :]
        is_plain = body.isascii() and not any(space in body for space in _OTHER_SPACE)
        if is_plain and "{" not in body and ";" not in body:
            words = [word for word in body.split() if word not in _MOVE_NUMBERS]
            has_token = words and len(words[-1]) <= LONGEST_WORD
            result = parse_result(words[-1], words[-2:-1]) if has_token else None
            if result is not None:
                words.pop()
            if not known.issuperset(words):
                spelling = _by_lower_case(known)
                words = [spelling.get(word.lower(), word) for word in words]
            if known.issuperset(words) and len(words) <= MOST_WORDS:
                self._last += len(body.rstrip())
                return Words(words, result, are_known=True)
        return self._read_tokens()

    def line_of(self, tag_name: str) -> int:
        """Return the line of a tag, or of the first tag if there is no such tag."""
        return self._place(self._offsets.get(tag_name, min(self._offsets.values())))[0]

    @property
    def last_line(self) -> int:
        """The line of the last word that has been read, or of the end of the tags."""
        return self._place(self._last)[0]

    def _read_tags(self) -> int:
        """Read the tags and the comments between them; return the offset of the moves."""
        text = self._text
        offset = 0
        if text.startswith(BYTE_ORDER_MARK):
            raise self._unreadable(
                Text("a second byte order mark; a file starts with at most one"), 0
            )
        while True:
            if tag := TAG_LINE.match(text, offset):
                self._add_tag(tag)
                offset = tag.end()
                continue
            token = _TOKEN.match(text, offset)
            if token is None or token.lastgroup in ("number", "word", "mark"):
                break
            self._add_comment(token, after=0)
            offset = token.end()
        if text[offset : offset + 1] == "[":
            raise self._unreadable(Text('a tag is written [Name "value"]'), offset)
        if text[offset : offset + 1].isspace() and not self.tags.keys() >= {"Game", "Board"}:
            # Without this, the record would seem to lack the tags behind this character.
            raise self._no_token(offset)
        if not self.tags:
            is_empty = not text.strip(WHITE_SPACE)
            detail = (
                Text("there is no record")
                if is_empty
                else Text('a record starts with its tags, as [Game "hex"], a game in SGF with (;')
            )
            raise self._unreadable(detail, offset)
        return offset

    def _add_tag(self, tag: re.Match[str]) -> None:
        name, value = tag[1], _ESCAPE.sub(r"\1", tag[2])
        bracket = self._text.index("[", tag.start())
        if self._text[self._text.rfind("\n", 0, bracket) + 1 : bracket].strip(" \t"):
            raise self._unreadable(Text("a tag starts its line"), bracket)
        if bad := UNPRINTABLE.search(tag[2]):
            raise self._unreadable(Text("a tag's value is plain text"), tag.start(2) + bad.start())
        if len(value) > LONGEST_VALUE:
            raise self._unreadable(
                Text("a tag's value has at most %(most)s characters", most=LONGEST_VALUE),
                tag.start(2),
            )
        if name in self.tags:
            error = BadConditions(
                Text(
                    "the tag %(tag)s occurs twice (a record without moves ends with a "
                    "result, for example *, before the next one)",
                    tag=name,
                ),
                Code.BAD_TAG,
                tag=name,
            )
            line, column = self._place(bracket)
            raise error.locate(line=line, column=column)
        if len(self.tags) == MOST_TAGS:
            raise self._unreadable(
                Text("a record has at most %(most)s tags", most=MOST_TAGS), bracket
            )
        self.tags[name] = value
        self._offsets[name] = bracket

    def _add_comment(self, token: re.Match[str], *, after: int) -> None:
        """Add the comment if the token is one."""
        if token.lastgroup in ("comment", "line_comment"):
            start, end = token.span(token.lastgroup)
            to_line_end = token.lastgroup == "line_comment"
            self._keep(self._text[start:end], start, after=after, to_line_end=to_line_end)

    def _keep(self, text: str, start: int, *, after: int, to_line_end: bool = False) -> None:
        """Add a part of the record as a comment."""
        if bad := UNPRINTABLE.search(text):
            raise self._unreadable(Text("a comment is plain text"), start + bad.start())
        if len(self.comments) == MOST_WORDS:
            limit = Text("a record has at most %(most)s comments", most=MOST_WORDS)
            raise self._unreadable(limit, start)
        self.comments.append(Comment(after, text, to_line_end))

    def _keep_variation(self, start: int, *, after: int) -> int:
        """Add the variation that begins at an offset as a comment; return where it ends."""
        depth = 0
        for part in _IN_VARIATION.finditer(self._text, start):
            depth += {"(": 1, ")": -1}.get(part[0], 0)
            if depth == 0:
                variation = self._text[start : part.end()].translate(_NO_BRACES)
                self._keep(variation, start, after=after)
                return part.end()
        raise self._unreadable(Text("this variation is not closed; ) closes it"), start)

    def _read_tokens(self) -> Words:
        """Read words and comments token by token, up to the first error."""
        text, offset, word_end = self._text, self._body, -1
        words: list[str] = []
        result: str | None = None
        while offset < len(text):
            token = _TOKEN.match(text, offset)
            if token is None or (token["mark"] and offset != word_end):
                return Words(words, error=self._no_token(offset))
            start, offset = offset, token.end()
            after = len(words) + (result is not None)
            try:
                self._add_comment(token, after=after)
                if token["mark"]:
                    self._keep(token["mark"], start, after=after)
                elif text[start] == "(":
                    offset = self._keep_variation(start, after=after)
                    continue
            except UnreadableRecord as error:
                return Words(words, error=error)
            if token.lastgroup != "word":
                continue
            word_end = offset
            word = token["word"].translate(DASHES)
            if word.startswith("+") and (result or not parse_result(word, words)):
                return Words(words, error=self._no_token(token.start()))
            self._last = token.start()
            if result is not None:
                return Words(words, error=self._after_result(word, words, token.start()))
            if len(word) <= LONGEST_WORD and (result := parse_result(word, words)):
                continue
            if "/" in word:
                detail = Text("the only word with / is 1/2")
                return Words(words, error=self._unreadable(detail, token.start()))
            if len(words) == MOST_WORDS or len(word) > LONGEST_WORD:
                limit = Text(
                    "a record has at most %(most)s words of %(longest)s characters",
                    most=MOST_WORDS,
                    longest=LONGEST_WORD,
                )
                return Words(words, error=self._unreadable(limit, token.start()))
            words.append(word)
        return Words(words, result)

    def _no_token(self, offset: int) -> UnreadableRecord:
        character = self._text[offset]
        if character == "{":
            return self._unreadable(Text("this comment is not closed"), offset)
        if character == "[":
            return self._unreadable(
                Text("a tag after the moves: send one record at a time"), offset
            )
        return self._unreadable(Text("%(word)s has no meaning here", word=f"{character!r}"), offset)

    def _after_result(self, word: str, words: list[str], offset: int) -> IllegalMove:
        turns = without_ending([earlier.lower() for earlier in words])
        line, column = self._place(offset)
        return IllegalMove(Text("nothing may follow the result"), Code.AFTER_END).locate(
            ply=len(turns) + 1, move=word[:LONGEST_WORD], line=line, column=column
        )

    def _unreadable(self, detail: str, offset: int) -> UnreadableRecord:
        line, column = self._place(offset)
        return UnreadableRecord(detail, line=line, column=column)

    def _place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column, both from 1, of an offset in the text."""
        line = self._first_line + self._text.count("\n", 0, offset)
        return line, offset - self._text.rfind("\n", 0, offset)


@lru_cache(maxsize=64)
def _by_lower_case(known: frozenset[str]) -> dict[str, str]:
    """Return the words by their lower-case spelling."""
    return {word.lower(): word for word in known}
