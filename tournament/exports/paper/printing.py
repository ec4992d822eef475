"""From values to the pages of a PDF, by typst, with every letter that can be shown.

Typst brings a font with Latin, Greek and Cyrillic; other scripts need a font of the system. Where
none has a letter, a sheet never shows an empty box in its place: the letter is written as `?` and
the foot of the page says which scripts this machine cannot print. Values go in as JSON and stay
literal text: no name is ever read as markup.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import typst

from games.errors import Unprocessable

TEMPLATES = Path(__file__).parent.parent.parent / "templates" / "tournament" / "paper"
STANDARD: Final = "ua-1"
"""PDF/UA: readable by machines, and typst refuses a letter that no font has."""
NOT_SHOWN = re.compile(r"the text `?\"(.*?)\"`? could not be displayed", re.DOTALL)
MOST_SCRIPTS = 60


def printed(sheet: str, data: Mapping[str, Any]) -> bytes:
    """The PDF of a sheet; raises Unprocessable for letters that cannot be shown nor replaced."""
    lost = lost_letters("".join(sorted(_letters(data))))
    if lost:
        scripts = ", ".join(sorted({script_of(letter) for letter in lost}))
        note = f"Letters written as ? are of scripts that no font here can print: {scripts}."
        data = _replaced(data, lost) | {"note": note}
    return _compiled(sheet, data)


def _compiled(sheet: str, data: Mapping[str, Any]) -> bytes:
    return typst.compile(
        TEMPLATES / f"{sheet}.typ",
        root=TEMPLATES,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        pdf_standards=[STANDARD],
        timestamp=0,
    )


@lru_cache(maxsize=256)
def lost_letters(text: str) -> frozenset[str]:
    """The letters of a text that no font here can show.

    Found by setting the text: typst names the first letter it cannot show, and with it goes its
    whole script, so that the tries are as few as the scripts.
    """
    left, lost = text, set()
    for _ in range(MOST_SCRIPTS):
        try:
            _compiled("probe", {"text": left})
        except typst.TypstError as error:
            found = NOT_SHOWN.search(error.message)
            named = set(found[1]) & set(left) if found else set()
            if not named:
                raise Unprocessable("cannot_be_printed", error.message[:200]) from error
            scripts = {script_of(letter) for letter in named}
            gone = named | {
                letter for letter in left if ord(letter) > 0x24F and script_of(letter) in scripts
            }
            lost |= gone
            left = "".join(letter for letter in left if letter not in gone)
        else:
            return frozenset(lost)
    raise Unprocessable("cannot_be_printed", f"more than {MOST_SCRIPTS} scripts cannot be printed")


def script_of(letter: str) -> str:
    """The script of a letter, as the first word of its Unicode name tells."""
    word = unicodedata.name(letter, "UNNAMED").split()[0].split("-")[0]
    return word if word == "CJK" else word.title()


def _letters(value: Any) -> set[str]:
    if isinstance(value, str):
        return {letter for letter in value if letter.isprintable() and not letter.isascii()}
    if isinstance(value, Mapping):
        return set().union(*map(_letters, value.values()))
    return set().union(*map(_letters, value)) if isinstance(value, list) else set()


def _replaced(value: Any, lost: frozenset[str]) -> Any:
    table = str.maketrans(dict.fromkeys(lost, "?"))
    return _mapped(value, lambda text: text.translate(table))


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _mapped(one, change) for name, one in value.items()}
    return [_mapped(one, change) for one in value] if isinstance(value, list) else value


def plain(text: str) -> str:
    """A text without what steers a terminal or a page."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
