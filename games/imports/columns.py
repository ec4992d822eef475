"""The columns of CSV files: each converts a value, or raises ValueError with what is wrong."""

import re

from games.core.uploads.csv import Column, unescape_formula
from games.rules.text import Text
from games.validators import COUNTRY_CODE, check_text

WHOLE_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
DECIMAL = re.compile(r"([0-9]{1,18})[.,]([0-9]{1,18})", re.ASCII)


def text_column(max_length: int) -> Column:
    """Return a column of text on one line."""

    def convert(value: str) -> str:
        text = unescape_formula(value)
        if len(text) > max_length:
            raise ValueError(Text("at most %(most)s characters", most=max_length))
        check_text(text)
        return text

    return convert


def integer_column(maximum: int) -> Column:
    """Return a column of whole numbers from 0 to `maximum`; an empty value is None."""

    def convert(value: str) -> int | None:
        if not value:
            return None
        if not WHOLE_NUMBER.fullmatch(value) or int(value) > maximum:
            raise ValueError(
                Text(
                    "%(word)s is not a whole number from 0 to %(most)s",
                    word=f"{value[:20]!r}",
                    most=maximum,
                )
            )
        return int(value)

    return convert


def rounded_column(maximum: int) -> Column:
    """Return a column of numbers from 0 to `maximum`, rounded to whole ones, a half up.

    The decimal sign is a point or a comma; an empty value is None.
    """
    whole_column = integer_column(maximum)

    def convert(value: str) -> int | None:
        found = DECIMAL.fullmatch(value)
        if found:
            value = str(int(found[1]) + (found[2] >= "5"))
        whole: int | None = whole_column(value)
        return whole

    return convert


def country_column(value: str) -> str:
    """Convert a three-letter country code, as FIDE or ISO writes it."""
    if value and not COUNTRY_CODE.fullmatch(value):
        raise ValueError(Text("%(word)s is not a three-letter code", word=f"{value[:20]!r}"))
    return value.upper()
