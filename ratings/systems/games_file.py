"""The rows of a games file, as columns; `file_rows.py` states what all files have in common.

Rows are converted in chunks: each column at once, and each distinct text only the first time.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import eq
from typing import TypeVar

import numpy as np

from games.rules.conditions import Handicap
from games.rules.errors import BadConditions
from games.rules.records.tags import read_conditions
from games.rules.registry import FIRST_GAME, GAME_OF_ALL_CELLS
from ratings.systems.elo import DRAW, LOSS, WIN
from ratings.systems.file_rows import (
    BadCell,
    Row,
    Rows,
    check_length,
    check_player,
    convert_rows,
    read_header,
    strip_cell,
)
from ratings.systems.handicap import (
    CODE_TABLES,
    FIRST_VERSION,
    FULL_BOARD,
    RINGS_OF_BOARDS,
    BadHandicap,
    parse_handicap,
    part_of_conditions,
)
from ratings.systems.history import Column

GAMES_FILE_COLUMNS = ("date", "event", "first", "second", "result")
CONDITION_COLUMNS = ("handicap", "board", "swap")
RESULT_VALUES = {"1": WIN, "0.5": DRAW, "1/2": DRAW, "½": DRAW, "0": LOSS}
SWAPS = {"yes": True, "no": False}
LINES_OF_CHUNK = 500
"""So few that the rows of a chunk are freed before the garbage collector looks at them."""

GAME_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
GAME_BOARD = re.compile(r"[0-9]{1,2}(x[0-9]{1,2})?")

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class GamesFile:
    """The games of a file in its order, as columns, and the texts to which these refer by number.

    Dates are `YYYY-MM-DD`, the event of a single game is empty; `scores` and `parts` are those of
    the first seat, as in `RatedGame`.
    """

    dates: list[str]
    events: list[str]
    players: list[str]
    date: Column
    event: Column
    first: Column
    second: Column
    scores: Column
    parts: Column


def read_games(rows: Rows, table: str = FIRST_VERSION) -> GamesFile:
    """Return the games of a file in its order; raises BadFile with lines and columns.

    Handicaps have the values of *Star in this version of the table, one that is part of the code.
    """
    rows = iter(rows)
    games = _Games(read_header(rows, GAMES_FILE_COLUMNS, CONDITION_COLUMNS), table)
    convert_rows(rows, games.add, chunk_size=LINES_OF_CHUNK)
    return games.as_file()


class _Numbers(dict[Key, int]):
    """The number of each distinct value, computed when it is first looked up."""

    def __init__(self, number: Callable[[Key], int]) -> None:
        super().__init__()
        self.number = number

    def __missing__(self, value: Key) -> int:
        self[value] = number = self.number(value)
        return number


class _Games:
    """The columns of the rows so far: of each game six numbers."""

    def __init__(self, names: Sequence[str], table: str) -> None:
        self.names = names
        self.table = table
        self.conditions = [name for name in CONDITION_COLUMNS if name in names]
        self.dates: dict[str, int] = {}
        self.events: dict[str, int] = {}
        self.players: dict[str, int] = {}
        self.chunks: list[list[Column]] = []
        self.numbers = {
            "date": _Numbers(self._number_date),
            "event": _Numbers(lambda cell: _number(self.events, strip_cell("event", cell))),
            "first": _Numbers(lambda cell: self._number_player("first", cell)),
            "second": _Numbers(lambda cell: self._number_player("second", cell)),
            "result": _Numbers(_parse_result),
        }
        self.parts = _Numbers(self._parse_conditions)

    def add(self, rows: list[Row]) -> None:
        """Add games; raises BadCell, and adds none of them, if a cell cannot be used."""
        for row in rows if set(map(len, rows)) != {len(self.names)} else ():
            check_length(row, self.names)
        cells: dict[str, Row] = dict.fromkeys(self.names, ())
        cells.update(zip(self.names, zip(*rows, strict=True), strict=False))
        columns = [
            _as_column(map(self.numbers[name].__getitem__, cells[name]))
            for name in GAMES_FILE_COLUMNS
        ]
        if True in map(eq, columns[2].tolist(), columns[3].tolist()):
            raise BadCell("second", f"{cells['second'][0].strip()!r} has both seats")
        conditions = zip(*(cells[name] for name in self.conditions), strict=True)
        parts = map(self.parts.__getitem__, conditions if self.conditions else [()] * len(rows))
        self.chunks.append([*columns, _as_column(parts)])

    def as_file(self) -> GamesFile:
        """Return the games so far."""
        columns = [np.concatenate(column) for column in zip(*self.chunks, strict=True)]
        return GamesFile(list(self.dates), list(self.events), list(self.players), *columns)

    def _number_date(self, cell: str) -> int:
        return _number(self.dates, _check_date(strip_cell("date", cell)))

    def _number_player(self, column: str, cell: str) -> int:
        return _number(self.players, check_player(column, strip_cell(column, cell)))

    def _parse_conditions(self, cells: tuple[str, ...]) -> int:
        stripped = map(strip_cell, self.conditions, cells)
        return _parse_conditions(dict(zip(self.conditions, stripped, strict=True)), self.table)


def _as_column(numbers: Iterable[int]) -> Column:
    return np.fromiter(numbers, np.int64)


def _number(numbers: dict[str, int], text: str) -> int:
    return numbers.setdefault(text, len(numbers))


def _check_date(text: str) -> str:
    try:
        if GAME_DATE.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise BadCell("date", f"is {text!r}; expected a day that exists, such as 2026-03-01")


def _parse_result(cell: str) -> int:
    text = strip_cell("result", cell)
    if text not in RESULT_VALUES:
        raise BadCell("result", f"is {text!r}; expected 1, 0.5 (or 1/2, ½) or 0 for the first seat")
    return RESULT_VALUES[text]


def _parse_conditions(cells: dict[str, str], table: str) -> int:
    """Return the value of the conditions to the first seat, in milli."""
    board = cells.get("board", "")
    if board and not GAME_BOARD.fullmatch(board):
        raise BadCell("board", f"is {board!r}; expected a board as in a record: 10, 5x6")
    swap = cells.get("swap", "")
    if swap and swap not in SWAPS:
        raise BadCell("swap", f"is {swap!r}; expected yes, no or nothing")
    text = cells.get("handicap", "")
    try:
        handicap = parse_handicap(text) if text else None
        if handicap is not None and board and board not in RINGS_OF_BOARDS:
            raise BadCell(
                "board", f"{board} has no handicap table; boards of 4, 6, 8, 10 rings have one"
            )
        _check_cells(handicap, board)
        default_swap = handicap is None or not handicap.stones
        board = board if board in RINGS_OF_BOARDS else FULL_BOARD
        values = CODE_TABLES[table][FIRST_GAME, board]
        has_swap = SWAPS.get(swap, default_swap)
        return part_of_conditions(values, FIRST_GAME, board, handicap, swap=has_swap)
    except BadHandicap as error:
        raise BadCell("handicap", str(error)) from None


def _check_cells(handicap: Handicap | None, board: str) -> None:
    """Raise BadCell for cells of stones that the board, by default that of ten rings, has not."""
    if handicap is None or not isinstance(handicap.stones, tuple):
        return
    # The file does not name the game of a line: that of all cells refuses none wrongly.
    tags = {"Game": GAME_OF_ALL_CELLS, "Board": board or FULL_BOARD}
    try:
        read_conditions(tags | {"Handicap": str(replace(handicap, points=0))})
    except BadConditions as error:
        raise BadCell("handicap", error.detail) from None
