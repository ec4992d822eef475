"""Records in SGF: Hex, Havannah and TwixT, as Little Golem, HexGui, PlayHex and others write them.

- Hex follows red-bean.com/sgf/hex.html (GM[11]): cells are `a3`, black moves first and joins top
  and bottom, which are row 1 and the last row. If white moves first, the board is reflected.
- Little Golem (`.hsgf`, `.tsgf`) writes cells of Hex and TwixT as two letters, `ac`. PB moves
  first, although its moves are those of W in Hex and Havannah; in TwixT they are `b` and `r`.
- `swap-pieces`, and `swap` of Little Golem, reflect the first stone at the diagonal, so that
  the players keep their colours; after it, cells are reflected here instead. After `swap-sides` the
  stone stays. In Havannah, where the colours have no sides, all are the same.
- Little Golem counts the rows of Havannah from 1 in each column; so do its cells here.
- The main line is the record; comments and the marks of a move (TE, BM, IT, DO) are comments.
  Resignations, lost time and draws come from the moves or from RE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from string import ascii_lowercase
from typing import Final

from games.rules.conditions import Conditions
from games.rules.errors import (
    BadConditions,
    Code,
    RecordError,
    UnknownBoard,
    UnknownGame,
    UnreadableRecord,
)
from games.rules.position import PASS, SWAP
from games.rules.records.claims import parse_result
from games.rules.records.foreign.steps import (
    AGREED,
    RESIGN,
    TIME,
    Ending,
    Step,
    end_words,
    illegal_move,
    replay_steps,
    tag_value,
    unreadable,
)
from games.rules.records.foreign.tree import Node, Property, Tree, Value
from games.rules.records.json_form import Parts
from games.rules.records.notation import MOST_WORDS, UNPRINTABLE, Comment
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat
from games.rules.text import Text
from games.rules.twixt import LINK_REMOVAL

GAMES_BY_NUMBER: Final = {"11": "hex", "21": "twixt"}
"""The numbers of games in SGF (GM); Havannah has none."""

GAMES_BY_NAME: Final = ("hex", "havannah", "twixt")
TAGS: Final = {
    "EV": "Event", "RO": "Round", "DT": "Date", "PC": "Site", "SO": "Source",
}  # fmt: skip
PLAYERS: Final = {"PB": "PW", "PW": "PB"}
RATINGS: Final = {"PB": "BR", "PW": "WR"}
STONES: Final = ("AB", "AW", "AE")

_COLOURS: Final = {"B": "B", "W": "W", "R": "W"}
"""The colour of a move by its property; R is the red of Little Golem's TwixT."""

_SWAPS: Final = ("swap", "swap-pieces", "swap-sides")
_ENDINGS: Final = {"resign": RESIGN, "forfeit": TIME, "draw": AGREED}
_MARKS: Final = {"TE": "!", "BM": "?", "IT": "!?", "DO": "?!"}
_PAIR = re.compile(r"[a-z]{2}")
_CELL = re.compile(r"([a-z])([1-9][0-9]?)")
_CELL_IN_TURN = re.compile(r"[a-z][0-9]+")
_SIZE = re.compile(r"\s*([0-9]{1,4})\s*(?:[:x]\s*([0-9]{1,4})\s*)?")
_EVENT = re.compile(r"\s*(hex|havannah|twixt)(?![a-z])", re.IGNORECASE)
_LITTLE_GOLEM_EVENT = re.compile(r"\s*[a-z0-9_-]+\.[a-z]{2}\.", re.IGNORECASE)
"""The name of any event there: its game, two letters for the kind of event, and more."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_RESULT = re.compile(r"([BW])(?:lack|hite)?\s*(?:\+\s*(.*))?", re.IGNORECASE | re.DOTALL)
_NO_SWAP = re.compile(r"\bno[ -]?swap\b|\bwithout (?:the )?swap\b", re.IGNORECASE)
_ADVICE = re.compile(r"\badvice to (first|second)\b", re.IGNORECASE)
_LINK_REMOVAL = re.compile(r"\blink[ -]removal\b", re.IGNORECASE)
_REASONS: Final = {"r": RESIGN, "t": TIME, "f": TIME, "a": AGREED}
"""The reason for a result by its first letter: resign, time, forfeit, agreed."""


@dataclass(slots=True)
class _Move:
    colour: str
    value: Value
    comments: list[str] = field(default_factory=list)


def read_sgf(text: str, *, first_line: int = 1) -> Parts:
    """Return the parts of the record of one game; raise a RecordError with line and column."""
    nodes = Tree(text, first_line).main_line()
    info: dict[str, Value] = {}
    moves: list[_Move] = []
    before: list[str] = []
    for node in nodes:
        _check_stones(node)
        move = _move_of(node)
        if move is not None:
            moves.append(move)
        comments = moves[-1].comments if moves else before
        for item in node:
            name = item.name.upper()
            info.setdefault(name, item.value)
            if name in ("C", "GC"):
                comments.append(item.value.text)
            elif name in _MARKS and move is not None:
                mark = _MARKS[name]
                comments.append(mark * 2 if item.value.text == "2" and len(mark) == 1 else mark)
    if len(before) + sum(len(move.comments) for move in moves) > MOST_WORDS:
        detail = Text("a record has at most %(most)s comments", most=MOST_WORDS)
        raise UnreadableRecord(detail, line=first_line)
    return _Game(info, moves, before, first_line).parts()


def _check_stones(node: Node) -> None:
    for item in node:
        name, text = item.name.upper(), item.value.text.strip()
        if name in STONES or (name == "HA" and text not in ("", "0")):
            detail = Text(
                "%(name)s[%(value)s]: stones that are not moves; a record begins on the empty board"
                " and has every move",
                name=name,
                value=text[:60],
            )
            raise unreadable(detail, item.value)


def _move_of(node: Node) -> _Move | None:
    found = [item for item in node if item.name.upper() in _COLOURS]
    if not found:
        return None
    wrong: Property | None = found[1] if len(found) > 1 else found[0] if found[0].more else None
    if wrong is not None:
        detail = Text("a node has one move; write ; between two, as in ;B[a3];W[c4]")
        raise unreadable(detail, wrong.value)
    return _Move(_COLOURS[found[0].name.upper()], found[0].value)


class _Game:
    """The meaning of one game: its rules, its players, its turns and its end."""

    def __init__(
        self, info: dict[str, Value], moves: Sequence[_Move], before: list[str], first_line: int
    ) -> None:
        self._info = info
        self._moves = moves
        self._before = before
        self._first_line = first_line
        self._code = self._find_code()
        written = [move.value.text.strip() for move in moves]
        self._first_colour = moves[0].colour if moves else "B"
        self._is_little_golem = (
            "littlegolem" in self._text("SO").lower()
            or self._text("RU").strip() == "LG"
            or (self._code != "havannah" and bool(written) and bool(_PAIR.fullmatch(written[0])))
            or (self._code == "havannah" and self._first_colour == "W")
        )
        self._is_reflected = (
            self._code == "hex" and self._first_colour == "W" and not self._is_little_golem
        )
        self._seats = dict.fromkeys("BW", Seat.SECOND) | {self._first_colour: Seat.FIRST}

    def parts(self) -> Parts:
        """Return the parts of the record."""
        conditions, tags = self._conditions()
        steps, ending, comments, error = self._steps(conditions)
        position = replay_steps(conditions, steps, error)
        words, result = end_words(position, ending, self._stated_ending())
        return Parts(
            conditions=conditions.as_tags(),
            tags=tags,
            words=[*(step.word for step in steps), *words],
            result=result,
            comments=comments,
        )

    def _text(self, name: str) -> str:
        return self._info[name].text if name in self._info else ""

    def _find_code(self) -> str:
        """Return the game by GM, else by EV, else by how its moves are written."""
        if "GM" in self._info:
            number = self._text("GM").strip().lower()
            code = number if number in GAMES_BY_NAME else GAMES_BY_NUMBER.get(number)
            if code is None:
                detail = Text(
                    "GM[%(value)s] is not Hex, GM[11], Havannah, GM[Havannah], or TwixT, GM[21]",
                    value=number[:60],
                )
                raise _locate(UnknownGame(detail), self._info["GM"])
            return code
        if event := _EVENT.match(self._text("EV")):
            return event[1].lower()
        event_name = self._text("EV").strip()
        if _LITTLE_GOLEM_EVENT.match(event_name) or (
            "littlegolem" in self._text("SO").lower() and event_name not in ("", "null")
        ):
            detail = Text(
                "EV[%(value)s] is an event of another game than Hex, Havannah or TwixT",
                value=event_name[:60],
            )
            raise _locate(UnknownGame(detail), self._info["EV"])
        written = self._moves[0].value.text.strip() if self._moves else ""
        is_cell = written[:1].isupper() and written[1:].isdecimal()
        return "havannah" if is_cell and self._text("SO") else "hex"

    def _conditions(self) -> tuple[Conditions, dict[str, str]]:
        tags = {"Game": self._code}
        size = self._info.get("SZ")
        if size is not None:
            found = _SIZE.fullmatch(size.text)
            columns, rows = (found[1], found[2] or found[1]) if found else (size.text[:60], "")
            if self._is_reflected:
                columns, rows = rows, columns
            tags["Board"] = columns if rows in ("", columns) else f"{columns}x{rows}"
        elif self._code == "havannah":
            detail = Text("SZ is missing: the cells on a side of the board, as SZ[8]")
            raise UnknownBoard(detail).locate(line=self._first_line)
        else:
            tags["Board"] = {"hex": "11", "twixt": "24"}[self._code]
        rules = self._text("RU")
        if _NO_SWAP.search(rules):
            tags["Swap"] = "no"
        if advice := _ADVICE.search(rules):
            tags["Advice"] = advice[1].lower()
        if self._code == "twixt" and _LINK_REMOVAL.search(rules):
            tags["Options"] = LINK_REMOVAL
        try:
            conditions = read_conditions(tags)
        except BadConditions as error:
            raise _locate(error, size or Value("", self._first_line, 1)) from None
        return conditions, self._tags()

    def _tags(self) -> dict[str, str]:
        black_is_first = self._is_little_golem or self._first_colour == "B"
        first = "PB" if black_is_first else "PW"
        names = {first: "First", PLAYERS[first]: "Second"}
        names |= {RATINGS[player]: f"{seat}Rating" for player, seat in names.items()}
        names |= TAGS
        tags = {}
        for name, tag in names.items():
            if name in self._info:
                value = tag_value(self._info[name])
                if name == "DT" and _DATE.fullmatch(value):
                    value = value.replace("-", ".")
                if value and not (name == "EV" and value == "null"):
                    tags[tag] = value
        return tags

    def _steps(
        self, conditions: Conditions
    ) -> tuple[list[Step], Ending | None, tuple[Comment, ...], RecordError | None]:
        """Return the turns, how the moves say that the game ended, the comments, and an error."""
        steps: list[Step] = []
        ending: Ending | None = None
        comments = [Comment(0, text) for text in map(_comment, self._before) if text]
        previous = ""
        for move in self._moves:
            word, _, offer = move.value.text.strip().partition("|")
            source = replace(move.value, text=word)
            if ending is not None:
                detail = Text("only a result may follow %(word)s", word=ending.source.text[:60])
                error = illegal_move(detail, Code.AFTER_END, len(steps) + 1, source)
                return steps, None, (), error
            if steps and steps[-1].word == SWAP and move.colour == previous:
                # From here on, the colours are those of the stones, which have changed hands.
                self._seats = {colour: seat.other for colour, seat in self._seats.items()}
            mover, previous = self._seats[move.colour], move.colour
            turn = self._turn(word, conditions)
            if reason := _ENDINGS.get(word.lower()):
                ending = Ending(None if reason == AGREED else mover, reason, source)
            elif turn is None:
                detail = Text(
                    "%(word)s is not a move; write a cell, as d4 or dd, or swap-pieces, swap-sides,"
                    " swap, resign",
                    word=f"{word!r:.60}",
                )
                error = illegal_move(detail, Code.UNKNOWN_CELL, len(steps) + 1, source)
                return steps, None, (), error
            elif mover is not (Seat.SECOND if len(steps) % 2 else Seat.FIRST):
                detail = Text(
                    "%(word)s is a second move of the same player; moves alternate", word=word[:60]
                )
                return steps, None, (), unreadable(detail, source)
            else:
                steps.append(Step(turn, source))
                if turn == SWAP and self._code != "havannah" and word.lower() != "swap-sides":
                    self._is_reflected = not self._is_reflected
            after = len(steps) + (ending is not None)
            texts = [*(["draw offered"] if offer.lower() == "draw" else []), *move.comments]
            comments += [Comment(after, text) for text in map(_comment, texts) if text]
        return steps, ending, tuple(comments), None

    def _turn(self, word: str, conditions: Conditions) -> str | None:
        """Return a turn as the record has it, None if it cannot be read."""
        lower = word.lower()
        if lower in _SWAPS:
            return SWAP
        if lower in ("", PASS):
            return PASS
        if "(" in lower and conditions.options:
            return _CELL_IN_TURN.sub(lambda cell: self._turn(cell[0], conditions) or cell[0], lower)
        if _PAIR.fullmatch(word) and self._code != "havannah":
            column, row = ascii_lowercase.index(word[0]), ascii_lowercase.index(word[1]) + 1
        elif cell := _CELL.fullmatch(lower):
            column, row = ascii_lowercase.index(cell[1]), int(cell[2])
        else:
            return None
        if self._code == "havannah" and self._is_little_golem:
            row += max(0, column + 1 - int(conditions.board))
        if self._is_reflected and row <= len(ascii_lowercase):
            column, row = row - 1, column + 1
        return f"{ascii_lowercase[column]}{row}"

    def _stated_ending(self) -> Ending | None:
        """Return how RE says that the game ended, None if it is open or unknown."""
        value = self._info.get("RE")
        text = value.text.strip() if value is not None else ""
        if value is None or text.lower() in ("", "?", "void", "*"):
            return None
        if text.lower() in ("0", "draw"):
            return Ending(None, "", value)
        if token := parse_result(text, ()):
            return Ending(None, "", value, stated=token)
        won = _RESULT.fullmatch(text)
        if won is None:
            detail = Text(
                "%(word)s is not a result; write B+, W+, B+Resign, B+Time or Draw",
                word=f"{text!r:.60}",
            )
            raise unreadable(detail, value)
        colour, reason = won[1].upper(), (won[2] or "").strip().lower()
        winner = self._seats[colour]
        if self._is_little_golem:
            winner = Seat.FIRST if colour == "B" else Seat.SECOND
        return Ending(winner.other, _REASONS.get(reason[:1], ""), value)


def _locate(error: BadConditions, value: Value) -> BadConditions:
    return error.locate(line=value.line, column=value.column)


def _comment(text: str) -> str:
    """Return a comment as a record can have it: plain text without a closing brace."""
    return UNPRINTABLE.sub("", text).replace("}", ")").strip()
