"""The rows of a games file; `file_rows.py` states what all files have in common."""

import re
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import NamedTuple

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

GAMES_FILE_COLUMNS = ("date", "event", "first", "second", "result")
CONDITION_COLUMNS = ("handicap", "board", "swap")
RESULT_VALUES = {"1": WIN, "0.5": DRAW, "1/2": DRAW, "½": DRAW, "0": LOSS}
SWAPS = {"yes": True, "no": False}

GAME_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
GAME_BOARD = re.compile(r"[0-9]{1,2}(x[0-9]{1,2})?")


class FileGame(NamedTuple):
    """A game: its day as `YYYY-MM-DD`, its event, empty for a single game, and its players.

    `score` and `part` are those of the first seat, as in `RatedGame`.
    """

    date: str
    event: str
    first: str
    second: str
    score: int
    part: int


def read_games(rows: Rows, table: str = FIRST_VERSION) -> list[FileGame]:
    """Return the games of a file in its order; raises BadFile with lines and columns.

    Handicaps have the values of *Star in this version of the table, one that is part of the code.
    """
    rows = iter(rows)
    names = read_header(rows, GAMES_FILE_COLUMNS, CONDITION_COLUMNS)

    def convert(row: Row) -> FileGame:
        check_length(row, names)
        cells = {name: strip_cell(name, cell) for name, cell in zip(names, row, strict=True)}
        day, event, first, second, result = (cells[name] for name in GAMES_FILE_COLUMNS)
        day = _check_date(day)
        check_player("first", first)
        check_player("second", second)
        score = _parse_result(result)
        if first == second:
            raise BadCell("second", f"{first!r} has both seats")
        conditions = (cells.get(name, "") for name in CONDITION_COLUMNS)
        return FileGame(day, event, first, second, score, _parse_conditions(*conditions, table))

    return convert_rows(rows, convert)


def _check_date(text: str) -> str:
    try:
        if GAME_DATE.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise BadCell("date", f"is {text!r}; expected a day that exists, such as 2026-03-01")


def _parse_result(text: str) -> int:
    if text not in RESULT_VALUES:
        raise BadCell("result", f"is {text!r}; expected 1, 0.5 (or 1/2, ½) or 0 for the first seat")
    return RESULT_VALUES[text]


@lru_cache(maxsize=10_000)
def _parse_conditions(text: str, board: str, swap: str, table: str) -> int:
    """Return the value of the conditions to the first seat, in milli."""
    if board and not GAME_BOARD.fullmatch(board):
        raise BadCell("board", f"is {board!r}; expected a board as in a record: 10, 5x6")
    if swap and swap not in SWAPS:
        raise BadCell("swap", f"is {swap!r}; expected yes, no or nothing")
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
