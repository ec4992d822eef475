"""Names and other texts that must stand on one line, as reports and lists print them."""

import re
import unicodedata

COUNTRY = re.compile(r"[A-Za-z]{3}", re.ASCII)
"""A three-letter code, as FIDE's or ISO's."""

BREAKING = frozenset({"Cc", "Zl", "Zp"})
"""Unicode's categories of control characters and of line and paragraph separators."""


def is_one_line(text: str) -> bool:
    """Whether a text holds nothing that would break a line or steer a terminal."""
    return not any(unicodedata.category(character) in BREAKING for character in text)
