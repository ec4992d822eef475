"""Games and seed ratings read from CSV: every line is used, or the file is refused.

UTF-8 with or without a byte-order mark, commas, a header line that names the columns in any
order; white space round a cell is no part of it. A refusal names each line (counted from 1, as an
editor does) and column that cannot be used, the first twenty at most.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import TypeVar

from ratings.systems.batches import DatedGame
from ratings.systems.elo import DRAW, LOSS, MILLI, WIN, PlayerState, RatedGame
from ratings.systems.errors import BadFile, BadHandicap, Fault
from ratings.systems.handicap import FULL_RINGS, RINGS, TABLES, parse_handicap

COLUMNS = ("date", "event", "first", "second", "result")
OPTIONAL = ("handicap", "board", "swap")
SEED_COLUMNS = ("player", "rating")
RESULTS = {"1": WIN, "0.5": DRAW, "0": LOSS}
SWAPS = {"yes": True, "no": False}
MOST_FAULTS = 20
LONGEST_CELL = 200

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
BOARD = re.compile(r"[0-9]{1,2}(x[0-9]{1,2})?")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
RATING = re.compile(r"(-?)([0-9]{1,5})(?:\.([0-9]{1,3}))?")

T = TypeVar("T")


class _Wrong(Exception):
    """One cell that cannot be used."""

    def __init__(self, column: str, detail: str) -> None:
        super().__init__(detail)
        self.column = column
        self.detail = detail


def decoded(raw: bytes) -> str:
    """The text of a file; raises BadFile where it is not UTF-8 or holds a NUL."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadFile(
            [Fault(line, "", f"not UTF-8 (byte {error.start + 1} of the file)")]
        ) from None
    if "\0" in text:
        raise BadFile([Fault(text.count("\n", 0, text.index("\0")) + 1, "", "holds a NUL byte")])
    return text


def _header(cells: list[str], needed: tuple[str, ...], optional: tuple[str, ...]) -> list[str]:
    names = [cell.strip() for cell in cells]
    valid = ", ".join((*needed, *optional))
    faults = [
        Fault(1, name[:60] or str(number), f"no such column; valid are: {valid}")
        for number, name in enumerate(names, start=1)
        if name not in needed + optional
    ]
    faults += [
        Fault(1, name, "stands twice in the header")
        for name in (*needed, *optional)
        if names.count(name) > 1
    ]
    faults += [Fault(1, name, "is missing") for name in needed if name not in names]
    if faults:
        raise BadFile(faults[:MOST_FAULTS], more=len(faults) > MOST_FAULTS)
    return names


def _checked(names: list[str], cells: list[str]) -> dict[str, str]:
    if not cells:
        raise _Wrong("", "is empty")
    if len(cells) != len(names):
        raise _Wrong("", f"has {len(cells)} cells, the header has {len(names)}")
    row = {name: cell.strip() for name, cell in zip(names, cells, strict=True)}
    for name, cell in row.items():
        if len(cell) > LONGEST_CELL:
            raise _Wrong(name, f"is longer than {LONGEST_CELL} characters")
        if CONTROL.search(cell):
            raise _Wrong(name, "holds a control character or a line break")
    return row


def _rows(
    raw: bytes,
    needed: tuple[str, ...],
    optional: tuple[str, ...],
    use: Callable[[dict[str, str]], T],
) -> Iterator[T]:
    """What `use` makes of each line; raises BadFile at the end, or after twenty faults."""
    reader = csv.reader(io.StringIO(decoded(raw), newline=""), strict=True)
    faults: list[Fault] = []
    names: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            if names is None:
                names = _header(cells, needed, optional)
            else:
                try:
                    yield use(_checked(names, cells))
                except _Wrong as wrong:
                    faults.append(Fault(line, wrong.column, wrong.detail))
                    if len(faults) > MOST_FAULTS:
                        raise BadFile(faults[:MOST_FAULTS], more=True) from None
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(line, "", f"is not CSV: {error}"))
    if names is None and not faults:
        raise BadFile([Fault(1, "", f"the file is empty; its header is {','.join(needed)}")])
    if faults:
        raise BadFile(faults[:MOST_FAULTS], more=len(faults) > MOST_FAULTS)


def _date(text: str) -> str:
    try:
        if DATE.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise _Wrong("date", f"is {text!r}; right is a day that exists, as 2026-03-01")


def _part(row: dict[str, str]) -> int:
    """What the conditions are worth to the first seat, in milli."""
    board = row.get("board", "")
    if board and not BOARD.fullmatch(board):
        raise _Wrong("board", f"is {board!r}; right is a board as records write it: 10, 5x6")
    swap = row.get("swap", "")
    if swap and swap not in SWAPS:
        raise _Wrong("swap", f"is {swap!r}; right is yes, no or nothing")
    written = row.get("handicap", "")
    try:
        handicap = parse_handicap(written) if written else None
        if handicap is not None and board and board not in RINGS:
            raise _Wrong("board", f"{board} has no handicap table; those of 4, 6, 8, 10 rings have")
        default = handicap is None or handicap.kind != "stones"
        return TABLES["v1"].part(
            handicap, swap=SWAPS.get(swap, default), rings=RINGS.get(board, FULL_RINGS)
        )
    except BadHandicap as bad:
        raise _Wrong("handicap", str(bad)) from None


def _game(row: dict[str, str]) -> DatedGame:
    for seat in ("first", "second"):
        if not row[seat]:
            raise _Wrong(seat, "names no player")
    if row["first"] == row["second"]:
        raise _Wrong("second", f"{row['second']!r} sits on both sides")
    if row["result"] not in RESULTS:
        raise _Wrong("result", f"is {row['result']!r}; right is 1, 0.5 or 0 for the first seat")
    game = RatedGame(row["first"], row["second"], RESULTS[row["result"]], _part(row))
    return DatedGame(_date(row["date"]), row["event"], game)


def read_games(raw: bytes) -> list[DatedGame]:
    """The games of a file, in its order; raises BadFile naming lines and columns."""
    return list(_rows(raw, COLUMNS, OPTIONAL, _game))


def _seed(row: dict[str, str]) -> tuple[str, int]:
    if not row["player"]:
        raise _Wrong("player", "names no player")
    found = RATING.fullmatch(row["rating"])
    if found is None:
        raise _Wrong(
            "rating", f"is {row['rating']!r}; right are points with up to three decimals: 1500.250"
        )
    milli = int(found[2]) * MILLI + int((found[3] or "").ljust(3, "0"))
    return row["player"], -milli if found[1] else milli


def read_seeds(raw: bytes) -> dict[str, PlayerState]:
    """Players and the ratings they start with; raises BadFile naming lines and columns."""
    seen: set[str] = set()

    def once(row: dict[str, str]) -> tuple[str, int]:
        player, rating = _seed(row)
        if player in seen:
            raise _Wrong("player", f"{player!r} stands twice")
        seen.add(player)
        return player, rating

    return {player: PlayerState(rating, 0) for player, rating in _rows(raw, SEED_COLUMNS, (), once)}
