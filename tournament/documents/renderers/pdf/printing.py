"""From values to the pages of a PDF, by typst, with every letter that can be shown.

Typst brings fonts with Latin, Greek and Cyrillic; other scripts need a font of the system. What
no font has is told by number in its place, and the page says so (`letters.py`). Values go in as
JSON and stay literal text: no name is ever read as markup, and no file but the sheets is opened.

Typst takes about 18 KB and, in a process that has printed nothing yet, 0.1 ms a cell, and keeps the
memory for the next sheet: the standings of 2,000 take 1.6 s and 400 MB, those of 4,200, the most
that is printed, 4 s and 700 MB; those of 10,000 would take 10 s and 1.4 GB. So a sheet is bounded,
and a process sets one at a time.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any, Final

import typst

from games.http.errors import ApiError, Unprocessable
from tournament.documents.renderers.pdf import letters

TEMPLATES = Path(__file__).parent.parent.parent / "templates" / "tournament" / "paper"
STANDARD: Final = "ua-1"
"""PDF/UA: readable by machines, and typst refuses a letter that no font has."""
NOT_SHOWN = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
ESCAPED = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))")
MOST_TRIES = 8
MOST_CELLS = 30_000
"""Of one sheet: 2,500 players with twelve columns, 1,000 after 28 rounds."""
MOST_NAMED = 12
CODES, SOURCE = "codes", "source"
"""The keys of what must stay as it is: pictures with their addresses, and the sheet's own."""
SIZES = ("a4", "letter")
PRESS = Lock()
LONGEST_WAIT = 20.0
"""Seconds that a sheet waits for the one before it."""


class Busy(ApiError):
    """Another sheet is being printed, and took too long (503)."""

    status = 503


@dataclass(frozen=True, slots=True)
class Paper:
    """What is printed on, and when."""

    size: str
    at: datetime


def printed(sheet: str, data: Mapping[str, Any], paper: Paper) -> bytes:
    """The PDF of a sheet; raises Unprocessable for more than fits, Busy when it had to wait.

    Raises Unprocessable, too, for letters that can neither be shown nor replaced.
    """
    cells = sum(1 for _ in _texts(data))
    if cells > MOST_CELLS:
        raise Unprocessable(
            "too_many_for_paper",
            f"the sheet has {cells} cells and at most {MOST_CELLS} are printed;"
            " the same is there as html and csv",
        )
    if not PRESS.acquire(timeout=LONGEST_WAIT):
        raise Busy("printing", "another sheet is being printed; try again in a minute")
    try:
        return _printed(sheet, {**data, "paper": paper.size})
    finally:
        PRESS.release()


def _printed(sheet: str, data: Mapping[str, Any]) -> bytes:
    lost = letters.lost_clusters(_texts(data), missing_letters)
    for _ in range(MOST_TRIES):
        try:
            return _compiled(sheet, {**_told(data, lost), **_notes(data, lost)})
        except typst.TypstError as error:
            named = _named(error)
            asked = {one for text in _texts(data) for one in letters.clusters(text)}
            more = {one for one in asked - lost if not one.isascii() and named.intersection(one)}
            if not more:
                raise Unprocessable("cannot_be_printed", error.message[:200]) from error
            lost |= more
    raise Unprocessable("cannot_be_printed", "the letters of this sheet cannot be printed")


def _notes(data: Mapping[str, Any], lost: frozenset[str]) -> dict[str, Any]:
    """What a page says of letters it does not show: their scripts, and whose names."""
    if not lost:
        return {"note": "", "named": ""}
    scripts = ", ".join(letters.scripts_of(lost))
    altered = [
        letters.told(text, lost)
        for text in dict.fromkeys(_texts(data))
        if not lost.isdisjoint(letters.clusters(text))
    ]
    more = f" and {len(altered) - MOST_NAMED} more" if len(altered) > MOST_NAMED else ""
    return {
        "note": f"In brackets: Unicode numbers of letters that no font here has: {scripts[:200]}.",
        "named": f"Not printed in their script: {'; '.join(altered[:MOST_NAMED])}{more}.",
    }


def _compiled(sheet: str, data: Mapping[str, Any]) -> bytes:
    return typst.compile(
        TEMPLATES / f"{sheet}.typ",
        root=TEMPLATES,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        pdf_standards=[STANDARD],
        timestamp=0,
    )


def missing_letters(text: str) -> frozenset[str]:
    """The letters of a text for which a page would show a box, found by setting it."""
    if not text:
        return frozenset()
    try:
        _compiled("probe", {"text": text})
    except typst.TypstError as error:
        return frozenset(_named(error))
    return frozenset()


def _named(error: typst.TypstError) -> set[str]:
    """The letters that typst names as not shown; it writes them as Rust writes a string."""
    found = "".join(NOT_SHOWN.findall(error.diagnostic))
    return set(ESCAPED.sub(lambda part: chr(int(part[1], 16)) if part[1] else part[2], found))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _told(data: Mapping[str, Any], lost: frozenset[str]) -> dict[str, Any]:
    """The data as it is printed; pictures and addresses are left alone."""
    return {
        name: one
        if name in (CODES, SOURCE)
        else _mapped(one, lambda text: letters.told(text, lost))
        for name, one in data.items()
    }


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _mapped(one, change) for name, one in value.items()}
    return [_mapped(one, change) for one in value] if isinstance(value, list) else value
