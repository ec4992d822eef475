"""Links to boards of HexWorld, which hold the whole game behind `#`.

`https://hexworld.org/board/#11nc1,a3:sb4,c5`: the size (11 without one, or `11x14`), the looks of
the board (rotation, mirror, numbers, colours), the moves to the one that is shown, and those after
it; the record has them all. `:s` is swap-pieces, after which cells are reflected, `:S` swap-sides,
`:p` a pass; `:rb` and `:rw` say that black or white resigned, `:fb` and `:fw` that they forfeited.
The syntax is that of HexWorld's page *About*.
"""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import Final
from urllib.parse import unquote

from games.rules.errors import BadConditions, Code, RecordError, UnreadableRecord
from games.rules.position import PASS, SWAP
from games.rules.records.foreign.steps import (
    RESIGN,
    TIME,
    Ending,
    Step,
    end_words,
    illegal_move,
    replay_steps,
    unreadable,
)
from games.rules.records.foreign.tree import Value
from games.rules.records.json_form import Parts
from games.rules.records.notation import LONGEST_RECORD, MOST_WORDS
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat
from games.rules.text import Text

LINK: Final = re.compile(r"\s*+(?:https?://|www\.|hexworld\.org/|littlegolem\.net/)", re.IGNORECASE)
"""How a link begins that can stand for a record."""

_HEXWORLD = re.compile(
    r"\s*+(?:https?://)?(?:www\.)?hexworld\.org/board(?:[/?][^\s#]*)?(#\S*)?\s*", re.IGNORECASE
)
_LITTLE_GOLEM = re.compile(
    r"\s*+(?:https?://)?(?:www\.)?littlegolem\.(?:net|com)/\S*?(?:gid=|game|sgf/)([0-9]{1,12})\b",
    re.IGNORECASE,
)
_HEAD = re.compile(r"([1-9][0-9]*(?:x[1-9][0-9]*)?)?(?:r[1-9][0-9]*|m|n|c[1-9][0-9]*)*")
_TOKEN = re.compile(r":(?:[sSp]|[rf][bw])|([a-z])([1-9][0-9]?)")
_REASONS: Final = {":r": RESIGN, ":f": TIME}


def read_link(text: str, *, first_line: int = 1) -> Parts:
    """Return the parts of the record that a link holds; raise a RecordError with its place."""
    link = text.strip()
    start = text.find(link)
    line = first_line + text.count("\n", 0, start)
    if len(link) > LONGEST_RECORD:
        detail = Text("a record has at most %(most)s characters", most=LONGEST_RECORD)
        raise UnreadableRecord(detail, line=line, column=1)
    found = _HEXWORLD.fullmatch(link)
    if found is None or found[1] is None:
        raise UnreadableRecord(_refused(link), line=line, column=1)
    column = start - text.rfind("\n", 0, start) + found.start(1)
    return _Link(unquote(found[1]), line, column).parts()


def _refused(link: str) -> str:
    """Return what is wrong with a link without moves, and what to send instead."""
    if len(link.split()) > 1:
        return Text("text after a link; write one link in a line")
    if game := _LITTLE_GOLEM.match(link):
        return Text(
            "this link names a game and has no moves; download its file and send that:"
            " https://www.littlegolem.net/servlet/sgf/%(number)s/game%(number)s.hsgf",
            number=game[1],
        )
    return Text(
        "%(link)s has no moves; a link that can be read begins with https://hexworld.org/board/#,"
        " as https://hexworld.org/board/#11,a3b4; of other sites, send the game as SGF",
        link=f"{link!r:.80}",
    )


class _Link:
    """The part of a link behind `#`."""

    def __init__(self, text: str, line: int, column: int) -> None:
        self._text = text
        self._line = line
        self._column = column
        self._is_reflected = False
        self._black = Seat.FIRST

    def parts(self) -> Parts:
        """Return the parts of the record."""
        head = _HEAD.match(self._text, 1)
        assert head is not None, "every part of the head may be missing"
        try:
            conditions = read_conditions({"Game": "hex", "Board": head[1] or "11"})
        except BadConditions as error:
            raise error.locate(line=self._line, column=self._column + 1) from None
        steps: list[Step] = []
        ending: Ending | None = None
        wrong: RecordError | None = None
        offset, commas = head.end(), 0
        while offset < len(self._text) and wrong is None:
            token = _TOKEN.match(self._text, offset)
            written = token[0] if token else self._text[offset : offset + 20]
            source = Value(written, self._line, self._column + offset)
            if written[0] == "," and commas < 2:
                offset, commas = offset + 1, commas + 1
            elif token is None or not commas:
                wrong = unreadable(_no_token(written), source)
            elif ending is not None:
                detail = Text("only a result may follow %(word)s", word=ending.source.text)
                wrong = illegal_move(detail, Code.AFTER_END, len(steps) + 1, source)
            elif len(steps) == MOST_WORDS:
                detail = Text("a record has at most %(most)s moves", most=MOST_WORDS)
                wrong = unreadable(detail, source)
            else:
                offset = token.end()
                if reason := _REASONS.get(written[:2]):
                    loser = self._black if written[2] == "b" else self._black.other
                    ending = Ending(loser, reason, source)
                else:
                    steps.append(Step(self._turn(token), source))
        words, result = end_words(replay_steps(conditions, steps, wrong), ending)
        return Parts(
            conditions=conditions.as_tags(),
            tags={},
            words=[*(step.word for step in steps), *words],
            result=result,
            comments=(),
        )

    def _turn(self, token: re.Match[str]) -> str:
        """Return a turn as the record has it."""
        if token[0] == ":p":
            return PASS
        if token[0] == ":s":
            self._is_reflected = not self._is_reflected
            return SWAP
        if token[0] == ":S":
            self._black = self._black.other
            return SWAP
        row = int(token[2])
        if not self._is_reflected or row > len(ascii_lowercase):
            return token[0]
        return f"{ascii_lowercase[row - 1]}{ascii_lowercase.index(token[1]) + 1}"


def _no_token(written: str) -> str:
    return Text(
        "%(word)s is no part of a link of HexWorld; after the size and a comma, it has cells, as"
        " a3, and :s, :S, :p, :rb, :rw, :fb, :fw",
        word=f"{written!r}",
    )
