"""The rows of a games file and of a seeds file: every row is used, or the file is rejected.

The first row names the columns, in any order; white space around a cell is ignored. An error names
each line (counted from 1, as in an editor) and column that cannot be used, the first twenty at
most.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias, TypeVar

from ratings.systems.batches import DatedGame
from ratings.systems.elo import DRAW, LOSS, MILLI, WIN, PlayerState, RatedGame, RatingError
from ratings.systems.handicap import FULL_RINGS, RINGS, TABLES, BadHandicap, parse_handicap

COLUMNS = ("date", "event", "first", "second", "result")
OPTIONAL_COLUMNS = ("handicap", "board", "swap")
SEED_COLUMNS = ("player", "rating")
RESULTS = {"1": WIN, "0.5": DRAW, "0": LOSS}
SWAPS = {"yes": True, "no": False}
MAX_ERRORS = 20
MAX_CELL_LENGTH = 200

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
BOARD = re.compile(r"[0-9]{1,2}(x[0-9]{1,2})?")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
RATING = re.compile(r"(-?)([0-9]{1,5})(?:\.([0-9]{1,3}))?")

T = TypeVar("T")

Rows: TypeAlias = Iterable[tuple[int, Sequence[str]]]
"""The rows of a file with the number of their first line. It may raise BadFile."""


@dataclass(frozen=True, slots=True)
class CellError:
    """An error in a file: its line, and the name of its column unless it is of the whole line."""

    line: int
    column: str
    detail: str

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.detail}"


class BadFile(RatingError):
    """A file cannot be used; `errors` lists at most twenty of the places."""

    def __init__(self, errors: Sequence[CellError]) -> None:
        self.errors = tuple(errors[:MAX_ERRORS])
        lines = [str(error) for error in self.errors]
        if len(errors) > MAX_ERRORS:
            lines.append("and more: reading stopped here")
        super().__init__("\n".join(lines))


class _BadCell(Exception):
    """A cell that cannot be used."""

    def __init__(self, column: str, detail: str) -> None:
        super().__init__(detail)
        self.column = column
        self.detail = detail


def read_games(rows: Rows) -> list[DatedGame]:
    """Return the games of a file in its order; raises BadFile with lines and columns."""
    return list(_convert_rows(rows, COLUMNS, OPTIONAL_COLUMNS, _read_game))


def read_seeds(rows: Rows) -> dict[str, PlayerState]:
    """Return the players' initial states; raises BadFile with lines and columns."""
    seen: set[str] = set()

    def read_once(row: dict[str, str]) -> tuple[str, PlayerState]:
        player, state = _read_seed(row)
        if player in seen:
            raise _BadCell("player", f"{player!r} is listed twice")
        seen.add(player)
        return player, state

    return dict(_convert_rows(rows, SEED_COLUMNS, (), read_once))


def _convert_rows(
    rows: Rows,
    required: tuple[str, ...],
    optional: tuple[str, ...],
    convert: Callable[[dict[str, str]], T],
) -> Iterator[T]:
    """Yield each row converted; raises BadFile at the end, or at the 21st error."""
    rows = iter(rows)
    header = next(rows, None)
    if header is None:
        detail = f"the file is empty; its header is {','.join(required)}"
        raise BadFile([CellError(1, "", detail)])
    names = _read_header(header[1], required, optional)
    errors: list[CellError] = []
    try:
        for line, cells in rows:
            try:
                yield convert(_read_cells(names, cells))
            except _BadCell as error:
                errors.append(CellError(line, error.column, error.detail))
                if len(errors) > MAX_ERRORS:
                    break
    except BadFile as error:
        errors += error.errors
    if errors:
        raise BadFile(errors)


def _read_header(
    cells: Sequence[str], required: tuple[str, ...], optional: tuple[str, ...]
) -> list[str]:
    names = [cell.strip() for cell in cells]
    known = (*required, *optional)
    errors = [
        CellError(1, name[:60] or str(number), f"no such column; valid are: {', '.join(known)}")
        for number, name in enumerate(names, start=1)
        if name not in known
    ]
    errors += [
        CellError(1, name, "is in the header twice") for name in known if names.count(name) > 1
    ]
    errors += [CellError(1, name, "is missing") for name in required if name not in names]
    if errors:
        raise BadFile(errors)
    return names


def _read_cells(names: list[str], cells: Sequence[str]) -> dict[str, str]:
    if not cells:
        raise _BadCell("", "is empty")
    if len(cells) != len(names):
        raise _BadCell("", f"has {len(cells)} cells, the header has {len(names)}")
    row = {name: cell.strip() for name, cell in zip(names, cells, strict=True)}
    for name, cell in row.items():
        if len(cell) > MAX_CELL_LENGTH:
            raise _BadCell(name, f"is longer than {MAX_CELL_LENGTH} characters")
        if CONTROL.search(cell):
            raise _BadCell(name, "contains a control character or a line break")
    return row


def _read_game(row: dict[str, str]) -> DatedGame:
    for seat in ("first", "second"):
        if not row[seat]:
            raise _BadCell(seat, "names no player")
    if row["first"] == row["second"]:
        raise _BadCell("second", f"{row['second']!r} has both seats")
    if row["result"] not in RESULTS:
        raise _BadCell("result", f"is {row['result']!r}; expected 1, 0.5 or 0 for the first seat")
    game = RatedGame(row["first"], row["second"], RESULTS[row["result"]], _read_handicap_part(row))
    return DatedGame(_read_date(row["date"]), row["event"], game)


def _read_date(text: str) -> str:
    try:
        if DATE.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise _BadCell("date", f"is {text!r}; expected a day that exists, such as 2026-03-01")


def _read_handicap_part(row: dict[str, str]) -> int:
    """Return the value of the conditions to the first seat, in milli."""
    board = row.get("board", "")
    if board and not BOARD.fullmatch(board):
        raise _BadCell("board", f"is {board!r}; expected a board as in a record: 10, 5x6")
    swap = row.get("swap", "")
    if swap and swap not in SWAPS:
        raise _BadCell("swap", f"is {swap!r}; expected yes, no or nothing")
    text = row.get("handicap", "")
    try:
        handicap = parse_handicap(text) if text else None
        if handicap is not None and board and board not in RINGS:
            raise _BadCell(
                "board", f"{board} has no handicap table; boards of 4, 6, 8, 10 rings have one"
            )
        default_swap = handicap is None or handicap.kind != "stones"
        return TABLES["v1"].part(
            handicap, swap=SWAPS.get(swap, default_swap), rings=RINGS.get(board, FULL_RINGS)
        )
    except BadHandicap as error:
        raise _BadCell("handicap", str(error)) from None


def _read_seed(row: dict[str, str]) -> tuple[str, PlayerState]:
    if not row["player"]:
        raise _BadCell("player", "names no player")
    found = RATING.fullmatch(row["rating"])
    if found is None:
        raise _BadCell("rating", f"is {row['rating']!r}; expected up to three decimals: 1500.250")
    milli = int(found[2]) * MILLI + int((found[3] or "").ljust(3, "0"))
    return row["player"], PlayerState(-milli if found[1] else milli, 0)
