"""The details of errors in the language of the reader, where a page shows them.

The API's details are English. A page translates a detail by its pattern (`games/pages/details`):
the text that the source has, with a name for each value. What has no pattern, and values that are
no words, stay as they are.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.utils.translation import get_language, gettext

from games.pages.details import PATTERNS
from games.pages.details.words import WORD_DETAILS

PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")
LIST_SEPARATOR: Final = re.compile(r"(, | or )")
DETAIL_PARTS: Final = ("detail", "detail2")
"""The values that are details themselves."""
OF_WORDS: Final = (
    "state", "states", "role", "roles", "seat", "seat2", "kind", "kind2", "basis"
)  # fmt: skip
"""The values that are words, or lists of them."""
ROUND_TEXT: Final = re.compile(r"round \d+")
DEEPEST: Final = 4
"""How often a detail may be the value of another one; what is deeper stays as it is."""


@dataclass(frozen=True, slots=True)
class DetailPattern:
    """A pattern of details: its text, the `names` of its values, the `parts` around them."""

    text: str
    names: tuple[str, ...]
    parts: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "DetailPattern":
        """Return the pattern of a text with placeholders, in which %% is a percent sign."""
        pieces = [piece.replace("%%", "%") for piece in PLACEHOLDER.split(text)]
        return cls(text, tuple(pieces[1::2]), tuple(pieces[::2]))

    @property
    def length(self) -> int:
        """Return the number of characters of its own."""
        return sum(map(len, self.parts))

    @property
    def is_around(self) -> bool:
        """Return True if it has words of its own and a value that is a detail."""
        has_words = any(letter.isalpha() for part in self.parts for letter in part)
        return has_words and not set(DETAIL_PARTS).isdisjoint(self.names)

    def values_in(self, detail: str) -> dict[str, str] | None:
        """Return the values of a detail, each as short as possible; None if it does not fit.

        It takes time in proportion to the length of the detail, whatever the detail contains.
        """
        start, *others = self.parts
        if not others:
            return {} if detail == start else None
        *between, end = others
        place, stop = len(start), len(detail) - len(end)
        if stop < place or not (detail.startswith(start) and detail.endswith(end)):
            return None
        values = []
        for part in between:
            found = detail.find(part, place, stop)
            if found < 0:
                return None
            values.append(detail[place:found])
            place = found + len(part)
        values.append(detail[place:stop])
        return dict(zip(self.names, values, strict=True))


def detail_text(detail: str) -> str:
    """Return a detail in the language of the reader; as it is, if no pattern fits.

    A text without values may also be marked for translation where it is written.
    """
    if not detail or (get_language() or "en").startswith("en"):
        return detail
    # Django's function changes the ends of lines of a text that it does not know.
    if "\r" not in detail and (text := gettext(detail)) != detail:
        return text
    return _translate(detail, DEEPEST)


def translated_problems(problems: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return errors as the API lists them, with their details in the language of the reader."""
    return [
        {**problem, "detail": detail_text(str(problem.get("detail", "")))} for problem in problems
    ]


def _translate(detail: str, depth: int) -> str:
    """Return a detail by the first pattern whose details have patterns too.

    A longer pattern around a text that has none is taken instead of a shorter one that fits.
    """
    partly, length = detail, 0
    for pattern in _patterns() if depth else ():
        found = pattern.values_in(detail)
        if found is None or pattern.length <= length:
            continue
        values = {name: _value_text(name, text, depth - 1) for name, text in found.items()}
        text = gettext(pattern.text) % values
        if all(values[name] != found[name] for name in DETAIL_PARTS if found.get(name)):
            return text
        partly, length = text, pattern.length
    return partly


def _value_text(name: str, text: str, depth: int) -> str:
    """Return a value of a detail: a word by its name, a detail by its own pattern."""
    if name in DETAIL_PARTS or (name == "name" and ROUND_TEXT.fullmatch(text)):
        return _translate(text, depth)
    if name not in OF_WORDS:
        return text
    return "".join(", " if part == " or " else _word(part) for part in LIST_SEPARATOR.split(text))


def _word(text: str) -> str:
    """Return a word by its name for readers, without its article; another text as it is."""
    word = text.removeprefix("a ")
    return gettext(WORD_DETAILS[word]) if word in WORD_DETAILS else text


@cache
def _patterns() -> list[DetailPattern]:
    """Return the patterns in the order in which they are tried.

    A pattern around another detail comes first, as its rest may also be in the pattern of that
    detail; then those with more words of their own. The one without words of its own is last.
    """
    patterns = [DetailPattern.parse(text) for text in PATTERNS]
    return sorted(patterns, key=lambda pattern: (not pattern.is_around, -pattern.length))
