"""Names compared without regard to case and accents: `Müller`, `MULLER`; `Żak`, `zak`.

Checks of names and other short texts, which documents and reports print on one line.
"""

import re
import unicodedata
from datetime import date
from functools import cache
from importlib import resources

from games.rules.text import Text

COUNTRY_CODE = re.compile(r"[A-Za-z]{3}", re.ASCII)
"""A three-letter country code, as FIDE or ISO writes it."""

MAX_NAME_LENGTH = 120
"""Characters of the name of a person or a club."""

FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR = 1900, 2199

EXTERNAL_SCHEME = re.compile(r"[a-z][a-z0-9]{0,15}", re.ASCII)
"""The organisation of an external id, such as `fide`."""

FIDE_ID = re.compile(r"[1-9][0-9]{0,10}", re.ASCII)
"""An id of FIDE; a TRF file has eleven columns for it."""
DECIMAL_ZERO = re.compile(r"[.,]00?\Z")
NUMBER_IN_GROUPS = re.compile(r"[0-9]{1,3}([.,'’\s])[0-9]{3}(?:\1[0-9]{3})*")
NOT_DIGITS = re.compile(r"[^0-9]")

FORBIDDEN_CATEGORIES = frozenset({"Cc", "Zl", "Zp"})
"""Unicode's categories of control characters and of line and paragraph separators."""

LINE_BREAKS = frozenset("\n\r\u2028\u2029")
BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that reverse the letters after them, also those of the next column."""


HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Unicode's categories of control and format characters, surrogates, characters of private use, and
separators of lines and paragraphs. The format characters join, hide, or change the direction."""
HIDDEN_LETTERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\ufff0-\ufff8\ufffe\uffff\U000e0000-\U000e0fff]"
)
"""What else shows nothing: letters and marks that programs leave out where they do not know them
(Default_Ignorable_Code_Point of Unicode 16.0), the blank of Braille, and what is no character."""


def clean_name(text: str) -> str:
    """Return the name of a person, a club, a place or an event as it is stored.

    It is in Unicode's form NFC, in which equal names are equal texts, with single plain spaces.
    Raises ValueError for characters that are invisible, control something or change the direction,
    and for a name without any letter, digit or symbol.
    """
    for place, character in enumerate(text, start=1):
        if is_hidden(character):
            raise ValueError(
                Text(
                    "a name has no invisible, control or direction-changing characters; character"
                    " %(place)s is %(code)s",
                    place=place,
                    code=f"U+{ord(character):04X}",
                )
            )
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if name and not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise ValueError(Text("the text has no visible character"))
    return name


def require_past_year(year: int, *, today: date) -> None:
    """Raise ValueError for a year of birth in the future."""
    if year > today.year:
        raise ValueError(Text("%(year)s is in the future", year=year))


def check_fide_id(text: str) -> str:
    """Return an id of FIDE without outer spaces; raises ValueError for anything but digits."""
    number = text.strip()
    if not FIDE_ID.fullmatch(number):
        raise ValueError(
            Text(
                "%(word)s is no FIDE id, which has at most 11 digits and nothing else, as 1503014",
                word=f"{number[:20]!r}",
            )
        )
    return number


def listed_fide_id(text: str) -> str:
    """Return the id of FIDE in a file; zeros alone mean none. Raises ValueError.

    Zeros may precede it, and a spreadsheet writes it as a number with a decimal or signs of
    thousands: `34179178.0`, `34.179.178`.
    """
    number = DECIMAL_ZERO.sub("", text.strip())
    if NUMBER_IN_GROUPS.fullmatch(number):
        number = NOT_DIGITS.sub("", number)
    digits = number.lstrip("0")
    return check_fide_id(digits if digits.isdecimal() else number) if digits else ""


def is_hidden(character: str) -> bool:
    """Return True if a character shows nothing, and is no space."""
    return (
        unicodedata.category(character) in HIDDEN_CATEGORIES
        or HIDDEN_LETTERS.match(character) is not None
    )


def check_text(text: str) -> None:
    """Raise ValueError for text that breaks or reverses a line, and for invisible text."""
    categories = [unicodedata.category(character) for character in text]
    if not FORBIDDEN_CATEGORIES.isdisjoint(categories) or not BIDI_CONTROLS.isdisjoint(text):
        if not LINE_BREAKS.isdisjoint(text):
            raise ValueError(Text("line breaks are not allowed"))
        raise ValueError(Text("control characters are not allowed"))
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


@cache
def _prototypes() -> dict[int, str]:
    """Return what each character that looks like another one stands for (UTS #39, section 4).

    `python -m deploy.confusables` makes the file from Unicode's. The skeletons of players are
    stored: with the data of another version, a migration computes them anew.
    """
    found: dict[int, str] = {}
    file = resources.files("games").joinpath("unicode/confusables.txt")
    for line in file.read_text("ascii").splitlines():
        if not line.startswith("#"):
            prototype, _, letters = line.partition(":")
            text = "".join(chr(int(code, 16)) for code in prototype.split())
            found |= {int(code, 16): text for code in letters.split()}
    return found


def name_orders(folded: str) -> set[str]:
    """Return how a folded name can be written: the family name first or last, and a comma.

    `lukasz wierzbicki` is also `wierzbicki, lukasz`.
    """
    given = " ".join(reversed(folded.split(","))).split()
    orders = {folded, " ".join(given)}
    for place in range(1, len(given)):
        first, last = " ".join(given[:place]), " ".join(given[place:])
        orders |= {f"{first}, {last}", f"{last} {first}", f"{last}, {first}"}
    return orders


def sorted_words(name: str) -> str:
    """Return the words of a name in one order, without case and accents."""
    return " ".join(sorted(fold_name(name).replace(",", " ").split()))


def skeleton_of(text: str) -> str:
    """Return what all names that look like this one have in common, for comparisons.

    `Mamie` and `Marnie`, `0scar` and `Oscar`, Latin letters and Cyrillic ones look alike; so do
    names that differ only by case and accents.
    """
    letters = unicodedata.normalize("NFD", text).translate(_prototypes())
    return fold_name(unicodedata.normalize("NFD", letters))
