"""Checks of names and other short texts, which documents and reports print on one line."""

import re
import unicodedata

from games.rules.text import Text

COUNTRY_CODE = re.compile(r"[A-Za-z]{3}", re.ASCII)
"""A three-letter country code, as FIDE or ISO writes it."""

MAX_NAME_LENGTH = 120
"""Characters of the name of a person or a club."""

FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR = 1900, 2199

EXTERNAL_SCHEME = re.compile(r"[a-z][a-z0-9]{0,15}", re.ASCII)
"""The organisation of an external id, such as `fide`."""

FORBIDDEN_CATEGORIES = frozenset({"Cc", "Zl", "Zp"})
"""Unicode's categories of control characters and of line and paragraph separators."""

BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that reverse the letters after them, also those of the next column."""


def check_text(text: str) -> None:
    """Raise ValueError for text that breaks or reverses a line, and for invisible text."""
    categories = [unicodedata.category(character) for character in text]
    if not FORBIDDEN_CATEGORIES.isdisjoint(categories) or not BIDI_CONTROLS.isdisjoint(text):
        raise ValueError(Text("line breaks and control characters are not allowed"))
    if text and not any(category[0] in "LMNPS" for category in categories):
        raise ValueError(Text("the text has no visible character"))
