r"""The syntax of SGF (FF[4], red-bean.com/sgf): games, nodes, properties and values.

`(;FF[4]SZ[11];B[a3]C[well (played\]];W[c4](;B[d5])(;B[e5]))`: a game is a tree of nodes, a node has
properties, a property has values in brackets. The first branch at each fork is the main line; only
this is kept. Names of properties are in any case, because Little Golem writes `b` and `r` for the
moves of TwixT.

A bracket in a value should be written `\]`. Little Golem does not, so `]` closes a value only if a
bracket, a semicolon, a parenthesis, another property or the end of the line follows. A backslash
escapes the signs of the syntax and the end of the line, and is a backslash elsewhere.

The text is read once, from left to right, without recursion: time and memory are bounded by its
length, however deep the tree is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from games.rules.errors import UnreadableRecord
from games.rules.records.notation import LONGEST_RECORD, MOST_TAGS, MOST_WORDS
from games.rules.text import Text

START = re.compile(r"\s*+\(\s*+(?:;|\Z)")
"""What a game begins with; the semicolon can stand in the next line."""

LONGEST_GAME = LONGEST_RECORD // 2
"""A record that is written from it must not be too long to be read."""

_END = re.compile(r"\\.|\](?=[^\S\r\n]*+(?:[\[;()\r\n]|\Z|[A-Za-z]++[^\S\r\n]*+\[))", re.DOTALL)
"""An escaped character, or a bracket that closes a value."""

_TOKEN = re.compile(r"\s*+(?:(?P<mark>[(;)])|(?P<name>[A-Za-z]{1,40}+)(?=\s*+\[)|\[)")
_NO_SPACE = re.compile(r"\S")
_ESCAPE = re.compile(r"\\(?:([\[\]\\:;()])|\n)")
_BETWEEN = re.compile(r"[()\[]")


@dataclass(frozen=True, slots=True)
class Value:
    """A part of the file as written, without escapes; `line` and `column` count from 1."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a node: its name as written, and its first value; `more` if it has others."""

    name: str
    value: Value
    more: bool = False


class _Token(NamedTuple):
    """A parenthesis or a semicolon, or `[` for a value, with the name of its property."""

    mark: str
    offset: int
    name: str = ""
    text: str = ""
    is_first: bool = True


Node: TypeAlias = tuple[Property, ...]


def _value_end(text: str, offset: int) -> int | None:
    """Return where the value ends that is open at an offset: its bracket, None without one."""
    ends = (found.start() for found in _END.finditer(text, offset) if found[0] == "]")
    return next(ends, None)


class GameEnd:
    """Find the end of a game in lines that come one after the other."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_value = False

    def find(self, line: str) -> int | None:
        """Return the offset behind the parenthesis that closes the game, None if none does."""
        offset = 0
        while True:
            if self._in_value:
                end = _value_end(line, offset)
                if end is None:
                    return None
                offset, self._in_value = end + 1, False
            found = _BETWEEN.search(line, offset)
            if found is None:
                return None
            offset = found.end()
            if found[0] == "[":
                self._in_value = True
            else:
                self._depth += 1 if found[0] == "(" else -1
                if self._depth <= 0:
                    return offset


class Tree:
    """The text of one game."""

    def __init__(self, text: str, first_line: int) -> None:
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._first_line = first_line
        self._line, self._line_start, self._counted = first_line, 0, 0

    def main_line(self) -> list[Node]:
        """Return the nodes of the main line; raise UnreadableRecord with line and column."""
        if len(self._text) > LONGEST_GAME:
            detail = Text("a game in SGF has at most %(most)s characters", most=LONGEST_GAME)
            raise self.unreadable(detail, 0)
        nodes: list[list[Property]] = []
        # The main line ends where its first branch closes; all other branches are left out.
        depth = left_out = 0
        is_ended = False
        for token in self._tokens():
            if token.mark == "(":
                depth += 1
                if is_ended and not left_out:
                    left_out = depth
            elif token.mark == ")":
                is_ended = True
                left_out = 0 if depth == left_out else left_out
                depth -= 1
            elif left_out:
                continue
            elif is_ended:
                detail = Text("after a variation, only another one or ) may follow")
                raise self.unreadable(detail, token.offset)
            elif token.mark == ";":
                nodes.append([])
                if len(nodes) > MOST_WORDS:
                    detail = Text("a record has at most %(most)s moves", most=MOST_WORDS)
                    raise self.unreadable(detail, token.offset)
            elif not nodes:
                raise self.unreadable(Text("a node starts with ;, as in (;B[a3])"), token.offset)
            else:
                self._add(nodes[-1], token)
        return [tuple(node) for node in nodes]

    def _tokens(self) -> Iterator[_Token]:
        """Yield each parenthesis, semicolon and value up to the end of the game."""
        text, offset, depth = self._text, 0, 0
        name, has_value = "", False
        while True:
            token = _TOKEN.match(text, offset)
            if token is None:
                raise self._no_token(offset)
            start, offset = token.end() - 1, token.end()
            if token["name"]:
                name, has_value = token["name"], False
            elif mark := token["mark"]:
                name = ""
                depth += {"(": 1, ")": -1}.get(mark, 0)
                yield _Token(mark, start)
                if depth == 0:
                    break
            elif not name:
                detail = Text("a value without a property; write its name before it, as B[a3]")
                raise self.unreadable(detail, start)
            else:
                end = _value_end(text, offset)
                if end is None:
                    raise self.unreadable(Text("this value is not closed; ] closes it"), start)
                yield _Token("[", start, name, text[offset:end], is_first=not has_value)
                has_value, offset = True, end + 1
        if rest := _NO_SPACE.search(text, offset):
            detail = Text("text after the end of the game; send one record at a time")
            raise self.unreadable(detail, rest.start())

    def _add(self, node: list[Property], token: _Token) -> None:
        """Add a value to a node."""
        if not token.is_first:
            if not node[-1].more:
                node[-1] = replace(node[-1], more=True)
            return
        if len(node) == MOST_TAGS:
            detail = Text("a node has at most %(most)s properties", most=MOST_TAGS)
            raise self.unreadable(detail, token.offset)
        line, column = self.place(token.offset)
        text = _ESCAPE.sub(lambda escape: escape[1] or "", token.text)
        node.append(Property(token.name, Value(text, line, column)))

    def _no_token(self, offset: int) -> UnreadableRecord:
        rest = _NO_SPACE.search(self._text, offset)
        if rest is None:
            return self.unreadable(Text("the game is not closed; ) closes it"), len(self._text))
        offset = rest.start()
        return self.unreadable(
            Text("%(word)s has no meaning here", word=f"{self._text[offset]!r}"), offset
        )

    def unreadable(self, detail: str, offset: int) -> UnreadableRecord:
        """Return an error at an offset."""
        line, column = self.place(offset)
        return UnreadableRecord(detail, line=line, column=column)

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset; those of later offsets are found faster."""
        if offset < self._counted:
            self._line, self._line_start, self._counted = self._first_line, 0, 0
        self._line += self._text.count("\n", self._counted, offset)
        self._line_start = max(self._line_start, self._text.rfind("\n", self._counted, offset) + 1)
        self._counted = offset
        return self._line, offset - self._line_start + 1
