"""The fixed columns of a report, and the letters of its round cells.

Columns count characters from 1. A player's line holds 5-8 number, 10 sex, 11-13 title, 15-47 name,
49-52 rating, 54-56 federation, 58-68 id, 70-79 birth, 81-84 points, 86-89 rank, and from 92 every
ten columns opponent (4), colour at +5, result at +7.
"""

import re
from fractions import Fraction

from games.rules.seat import Seat
from tournament.standings.crosstable import Kind
from tournament.standings.errors import StandingsError
from tournament.standings.points import format_decimal
from tournament.trf.errors import TrfError

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
BYE_LETTERS = {
    "U": Kind.PAIRING_BYE,
    "F": Kind.FULL_BYE,
    "H": Kind.HALF_BYE,
    "Z": Kind.ZERO_BYE,
    "-": Kind.ZERO_BYE,
    "": Kind.ZERO_BYE,
    "+": Kind.FULL_BYE,
}
LETTER_OF_GAME = {known: letter for letter, known in GAME_LETTERS.items()}
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
"""What record 299 calls a result; P, which its list lacks, is the bye of record 162."""
SEATS = {"w": Seat.FIRST, "b": Seat.SECOND, "-": None, "": None}
COLOURS = {Seat.FIRST: "w", Seat.SECOND: "b", None: "-"}

_DECIMAL = re.compile(r"-?\d{1,6}(?:[.,]\d{0,4})?")


def cut(line: str, first: int, last: int) -> str:
    """Give the text in columns `first` to `last`, counted from 1, without outer spaces."""
    return line[first - 1 : last].strip()


def whole(line: str, first: int, last: int, number: int, what: str) -> int:
    """Read a whole number, 0 when the columns are blank; raises TrfError."""
    text = cut(line, first, last)
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise TrfError(f"{text[:20]!r} is no {what}", number, first, "a whole number")
    return int(text)


def points(text: str, number: int, column: int, *, signed: bool = False) -> Fraction:
    """Read points with a decimal point, below zero where they are `signed`; raises TrfError."""
    if not _DECIMAL.fullmatch(text) or (text.startswith("-") and not signed):
        raise TrfError(f"{text[:20]!r} is no number of points", number, column, "points as 2.5")
    return Fraction(text.replace(",", ".").rstrip("."))


def points_text(value: Fraction, width: int = 4) -> str:
    """Write points with at least one decimal where the columns allow it; raises StandingsError."""
    text = format_decimal(value, 4)
    if "." not in text and len(text) + 2 <= width:
        text += ".0"
    if len(text) > width:
        raise StandingsError(f"{text} points do not fit {width} columns")
    return text.rjust(width)


def clean(text: str, width: int) -> str:
    """Make text fit its columns: no control characters, no more than `width` characters."""
    return "".join(c if c.isprintable() else " " for c in text)[:width].strip()
