"""Names compared without regard to case and accents: `Müller`, `MULLER`; `Żak`, `zak`."""

import unicodedata

from games.validators import MAX_NAME_LENGTH

LONGEST_FOLDED = 2 * MAX_NAME_LENGTH
"""Characters that are compared; a ligature becomes several letters."""

BASE_LETTERS = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
        "ŧ": "t", "ŋ": "n", "ı": "i", "ĸ": "k", "’": "'", "‘": "'", "ʼ": "'", "`": "'",
    }
)  # fmt: skip
"""What compatibility decomposition leaves: letters with a stroke, ligatures, apostrophes."""


def fold_name(text: str) -> str:
    """Return a text without case, accents and repeated spaces, for comparisons.

    The result is at most `LONGEST_FOLDED` characters long.
    """
    if text.isascii():  # most names: there is nothing to decompose
        return " ".join(text.lower().translate(BASE_LETTERS).split())[:LONGEST_FOLDED]
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return " ".join(letters.translate(BASE_LETTERS).split())[:LONGEST_FOLDED]
