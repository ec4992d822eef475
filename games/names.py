"""Names compared without regard to case and accents: `Müller`, `MULLER`; `Żak`, `zak`.

Checks of names and other short texts, which documents and reports print on one line.
"""

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


LONGEST_FOLDED = 2 * MAX_NAME_LENGTH
"""Characters that are compared; a ligature becomes several letters."""

BASE_LETTERS = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
        "ŧ": "t", "ŋ": "n", "ı": "i", "ĸ": "k", "'": "", "’": "", "‘": "", "ʼ": "", "`": "",
    }
)  # fmt: skip
"""What compatibility decomposition leaves: letters with a stroke, ligatures; no apostrophes."""


def fold_name(text: str) -> str:
    """Return a text without case, accents and repeated spaces, for comparisons.

    The result is at most `LONGEST_FOLDED` characters long.
    """
    if text.isascii():  # most names: there is nothing to decompose
        return " ".join(text.lower().translate(BASE_LETTERS).split())[:LONGEST_FOLDED]
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return " ".join(letters.translate(BASE_LETTERS).split())[:LONGEST_FOLDED]
