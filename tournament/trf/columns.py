"""The fixed columns of a TRF, and the letters of results.

Columns count characters from 1. A player record has 5-8 number, 10 sex, 11-13 title, 15-47 name,
49-52 rating, 54-56 federation, 58-68 id, 70-79 birth, 81-84 points, 86-89 rank, and from 92 a cell
of ten columns for each round: opponent (4), colour at +5, result at +7.
"""

import re
from collections.abc import Iterable
from fractions import Fraction

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.standings.crosstable import Kind, PlayerId
from tournament.standings.points import format_decimal
from tournament.trf.errors import TrfError, TrfWriteError

FIRST_CELL = 91
CELL_WIDTH = 10
MOST_ROUNDS = 500
MOST_NUMBER = 9999

GAME_LETTERS = {
    "1": (Kind.WIN, False),
    "=": (Kind.DRAW, False),
    "0": (Kind.LOSS, False),
    "W": (Kind.WIN, True),
    "D": (Kind.DRAW, True),
    "L": (Kind.LOSS, True),
    "+": (Kind.FORFEIT_WIN, False),
    "-": (Kind.FORFEIT_LOSS, False),
}
"""The kind of a result against an opponent, and True for a game of less than one move."""
BYE_LETTERS = {
    "U": Kind.PAIRING_BYE,
    "F": Kind.FULL_BYE,
    "H": Kind.HALF_BYE,
    "Z": Kind.ZERO_BYE,
    "-": Kind.ZERO_BYE,
    "": Kind.ZERO_BYE,
    "+": Kind.FULL_BYE,
}
LETTER_OF_GAME = {game: letter for letter, game in GAME_LETTERS.items()}
LETTER_OF_BYE = {
    Kind.PAIRING_BYE: "U",
    Kind.FULL_BYE: "F",
    Kind.HALF_BYE: "H",
    Kind.ZERO_BYE: "Z",
}
LETTER_OF_AWARD = {
    Kind.WIN: "W",
    Kind.DRAW: "D",
    Kind.LOSS: "L",
    Kind.FORFEIT_WIN: "+",
    Kind.FORFEIT_LOSS: "-",
    Kind.FULL_BYE: "F",
    Kind.HALF_BYE: "H",
    Kind.ZERO_BYE: "Z",
    Kind.PAIRING_BYE: "P",
}
"""The letters of results in record 299, and P of record 162 for the pairing-allocated bye."""
SEATS_OF_COLOURS = {"w": Seat.FIRST, "b": Seat.SECOND, "-": None, "": None}
SEAT_COLOURS = {Seat.FIRST: "w", Seat.SECOND: "b", None: "-"}

_DECIMAL = re.compile(r"-?\d{1,6}(?:[.,]\d{0,4})?")


def text_at(line: str, first: int, last: int) -> str:
    """Return the text in columns `first` to `last` without outer spaces."""
    return line[first - 1 : last].strip()


def number_at(line: str, first: int, last: int, line_number: int, name: str) -> int:
    """Return the whole number in columns `first` to `last`, 0 if they are blank."""
    text = text_at(line, first, last)
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise TrfError(
            Text("invalid %(name)s %(word)s", name=name, word=f"{text[:20]!r}"),
            line_number,
            first,
            Text("a whole number"),
        )
    return int(text)


def check_blank(line: str, line_number: int, columns: Iterable[int]) -> None:
    """Raise TrfError for the first of the columns between two fields that is not blank."""
    for column in columns:
        if line[column - 1 : column].strip(" "):
            before = line[: column - 1].rpartition(" ")[2]
            word = before + line[column - 1 :].split(" ", 1)[0]
            detail = Text("%(word)s is not in its columns", word=f"{word[:20]!r}")
            raise TrfError(
                detail, line_number, column, Text("column %(column)s blank", column=column)
            )


def players_from(line: str, first: int, line_number: int) -> tuple[PlayerId, ...]:
    """Return the pairing numbers from a column on: four columns each, and one in between."""
    end = len(line.rstrip()) + 1
    check_blank(line, line_number, range(first - 1, end, 5))
    starts = range(first, end, 5)
    return tuple(
        player
        for start in starts
        if (player := number_at(line, start, start + 3, line_number, "player"))
    )


def parse_points(text: str, line_number: int, column: int, *, signed: bool = False) -> Fraction:
    """Read points as a decimal; only `signed` points may be negative."""
    if not _DECIMAL.fullmatch(text) or (text.startswith("-") and not signed):
        detail = Text("%(value)s is not a number of points", value=f"{text[:20]!r}")
        raise TrfError(detail, line_number, column, Text("points as 2.5"))
    return Fraction(text.replace(",", ".").rstrip("."))


def format_points(points: Fraction) -> str:
    """Write points in four columns, if possible with a decimal; raises TrfWriteError."""
    text = format_decimal(points, 4)
    if "." not in text and len(text) <= 2:
        text += ".0"
    if len(text) > 4:
        raise TrfWriteError(
            Text("%(points)s points do not fit %(width)s columns", points=text, width=4)
        )
    return text.rjust(4)


def fit_text(text: str, width: int = 200) -> str:
    """Replace control characters by spaces and shorten text to its columns."""
    return "".join(c if c.isprintable() else " " for c in text)[:width].strip()
