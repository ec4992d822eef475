"""What people and programs write into the cells of a list: names, ratings, years, answers.

A column converts a value, or raises ValueError with what is wrong.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from games.core.places import find_country
from games.core.uploads.csv import unescape_formula
from games.names import clean_name, fold_name
from games.rules.ratings import parse_rating
from games.rules.text import Text

LOST_LETTER: Final = "\N{REPLACEMENT CHARACTER}"
Column = Callable[[str], Any]
"""Convert one value; raise ValueError with what is wrong."""
NO_VALUE: Final = re.compile(r"(?:[-–—−]{1,3}|n/a|n\.a\.)?", re.IGNORECASE)
NO_NUMBER: Final = re.compile(
    r"unr\.?|unrated|none|n[./]?r\.?|n\.?c\.?|s/?elo|s/e|ohne|keine?|sans|sin|non class[ée]"
    r"|restp\.?|new|neu|no|unknown|na|nan|null|#n/?[av]|\?+",
    re.IGNORECASE,
)
"""What people and programs write where there is no rating, id or year, besides `NO_VALUE`."""
WITH_ORIGIN: Final = re.compile(r"([0-9]{3,4})(?: ?[EFNP]| ?[-/P] ?[0-9]{1,3})", re.ASCII)
WHOLE_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def is_none(value: str) -> bool:
    """Return True for what people write into a cell without a value."""
    return NO_VALUE.fullmatch(value) is not None


def is_no_number(value: str) -> bool:
    """Return True for what people write instead of a rating, an id or a year."""
    return is_none(value) or NO_NUMBER.fullmatch(value) is not None


def _require_right_letters(text: str) -> None:
    """Raise ValueError for a text that lost a letter, or was written in UTF-8 twice: `MÃ¼ller`."""
    if LOST_LETTER in text:
        detail = Text(
            "%(word)s has lost a letter, which the program that wrote the file did not know; write "
            "it as it should be",
            word=f"{text[:60]!r}",
        )
        raise ValueError(detail)
    for encoding in () if text.isascii() else ("cp1252", "latin-1"):
        with suppress(UnicodeError):
            right = text.encode(encoding).decode()
            detail = Text(
                "%(word)s is probably %(right)s, which was written in UTF-8 twice; save the list "
                "again in UTF-8",
                word=f"{text[:60]!r}",
                right=f"{right[:60]!r}",
            )
            raise ValueError(detail)


def text_column(max_length: int) -> Column:
    """Return a column of names, as `clean_name` stores them."""

    def convert(value: str) -> str:
        value = "" if is_none(value) else unescape_formula(value)
        _require_right_letters(value)
        text = clean_name(value)
        if len(text) > max_length:
            raise ValueError(Text("at most %(most)s characters", most=max_length))
        return text

    return convert


def integer_column(maximum: int) -> Column:
    """Return a column of whole numbers from 0 to `maximum`; without a value it is None."""

    def convert(value: str) -> int | None:
        if is_no_number(value):
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


def rating_column(value: str) -> int | None:
    """Convert a rating to whole points; 0 and a word for it are no rating, an empty value is None.

    What follows the number says how it was found: `1830 F` in France, `1873-45` in Germany,
    `1450P12` in the USA.
    """
    if not value:
        return None
    if is_no_number(value):
        return 0
    found = WITH_ORIGIN.fullmatch(value)
    return parse_rating(found[1] if found else value)


ANSWERS: Final = {
    "": False, "no": False, "nein": False, "non": False, "false": False, "0": False,
    "yes": True, "ja": True, "oui": True, "si": True, "true": True, "1": True,
}  # fmt: skip


def answer_column(value: str) -> bool:
    """Convert yes or no; an empty value is no."""
    answer = ANSWERS.get(fold_name(value))
    if answer is None:
        raise ValueError(Text("%(word)s is neither yes nor no", word=f"{value[:20]!r}"))
    return answer


def country_column(value: str) -> str:
    """Convert a country: its code, as FIDE or ISO writes it, or its name."""
    if is_none(value):
        return ""
    try:
        return find_country(value)
    except LookupError as error:
        detail = Text(
            "%(word)s is no country; write its name or its three-letter code",
            word=f"{value[:40]!r}",
        )
        raise ValueError(detail) from error
