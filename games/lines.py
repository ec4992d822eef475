"""Names and other texts that must stand on one line, as reports and lists print them."""

import re
import unicodedata

COUNTRY = re.compile(r"[A-Za-z]{3}", re.ASCII)
"""A three-letter code, as FIDE's or ISO's."""

BREAKING = frozenset({"Cc", "Zl", "Zp"})
"""Unicode's categories of control characters and of line and paragraph separators."""

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What turns the letters after it round, also those of the next column."""


def is_one_line(text: str) -> bool:
    """Whether a text holds nothing that would break or turn a line, or steer a terminal."""
    return TURNING.isdisjoint(text) and not any(
        unicodedata.category(character) in BREAKING for character in text
    )


def is_seen(text: str) -> bool:
    """Whether a text holds a letter, a digit or a sign: more than spaces of whatever width."""
    return any(unicodedata.category(character)[0] in "LMNPS" for character in text)
