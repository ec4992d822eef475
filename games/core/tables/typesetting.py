"""Typeset a sheet as PDF with typst.

Typst contains fonts for Latin, Greek and Cyrillic; other scripts need a font of the system. Data is
passed as JSON and stays literal text: no name is ever read as markup, and no file but the templates
is opened.

A sheet never contains an empty box. Letters without a glyph are replaced by Latin ones in brackets,
`[ChunRi] Tarō`, as in the address of an event, or by their Unicode numbers if there are none, and
the sheet says so. They follow the script, not the language: the brackets tell a reader that the
person may spell the name otherwise. The unit is the cluster, a letter with its marks, because a
font may have the letter and the mark but not both together. Letters for private use and invisible
letters are replaced whatever the fonts contain.

A sheet is typeset in a process of its own, which takes 40 MB and 0.1 s, and for each cell 17 KB and
0.15 ms; in the web server, each large one would leave its memory. The standings of 2,500 players,
the most that is printed, take 5 s and 520 MB. A web server typesets one sheet at a time, and two
wait for it. Those that strangers may read are stored (deploy/public_reads.py). One with letters to
replace takes twice as long, because typst names them only at its end.
"""

import json
import logging
import re
import subprocess
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any, Final

import segno
from anyascii import anyascii
from django.utils.translation import gettext

from games.core.bounded import run_bounded
from games.core.errors import Busy, Unprocessable
from games.core.tables.text import (
    FIRST_STRONG_ISOLATE,
    JOINERS,
    POP_DIRECTIONAL_ISOLATE,
    code_points,
)
from games.rules.text import Text

log = logging.getLogger(__name__)
WORD_BREAK = "\u200b"
MOST_LATIN = 60
"""The Latin letters that replace a word; they would fill the page."""
INVISIBLE = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, by their Unicode category, that are blank in every font."""
LONG_WORD = re.compile(r"[^\s-]{20,}")
"""A word that may break anywhere; shorter words stay whole, and a hyphen breaks by itself."""

PAPER_TEMPLATES = Path(__file__).parents[2] / "templates" / "games" / "paper"
COMPILER: Final = "games.core.tables.compiler"
MEMORY: Final = 1536 << 20
SECONDS: Final = 20
SYSTEM_FONTS = True
"""Whether the fonts of the system are used besides those of typst."""
NOT_DISPLAYED = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
ESCAPED = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))")
MOST_LAYOUTS = 8
MOST_TABLE_CELLS = 30_000
"""The cells of a sheet: 2,500 players with twelve columns, or 1,000 after 28 rounds."""
MOST_COLUMN_NAMES = 12
CODES_FOLDER, SOURCE, PICTURES_FOLDER = "codes", "source", "pictures"
"""The keys of data that is never changed: QR codes with addresses, the sheet's address, SVG."""
LOCK = Lock()
LINE = BoundedSemaphore(3)
"""The sheet that is typeset, and those that wait: each holds a thread."""
LONGEST_PDF_WAIT = 20.0
"""The seconds that a sheet waits for the lock."""
MASK = 2
"""One of eight masks; choosing the best takes most of the time, and readers accept any."""


def split_clusters(text: str) -> list[str]:
    """Return the letters of a text, each with its marks and the letters joined to it."""
    clusters: list[str] = []
    for letter in text:
        extends = unicodedata.category(letter).startswith("M") or letter in JOINERS
        if clusters and clusters[-1] != " " and (extends or clusters[-1].endswith(JOINERS[1])):
            clusters[-1] += letter
        else:
            clusters.append(letter)
    return clusters


def _is_never_printed(letter: str) -> bool:
    return letter in INVISIBLE or unicodedata.category(letter) == "Co"


def in_latin(letters: str) -> str:
    """Return letters by Latin ones, as `[ChunRi]`; by code points if there are none."""
    latin = anyascii(letters).strip(" :")[:MOST_LATIN]
    return f"[{latin}]" if latin else code_points(letters)


def replace_clusters(text: str, missing: frozenset[str]) -> str:
    """Return a text with Latin letters in place of missing clusters; long words may break."""
    runs: list[tuple[bool, str]] = []
    for cluster in split_clusters(text):
        is_missing = cluster in missing
        if runs and runs[-1][0] == is_missing:
            runs[-1] = (is_missing, runs[-1][1] + cluster)
        else:
            runs.append((is_missing, cluster))
    replaced = "".join(in_latin(run) if is_missing else run for is_missing, run in runs)
    return LONG_WORD.sub(lambda word: WORD_BREAK.join(split_clusters(word[0])), replaced)


def scripts_of(clusters: Iterable[str]) -> list[str]:
    """Return the names of the scripts of clusters, sorted."""
    return sorted(
        {
            _script_of(letter)
            for cluster in clusters
            for letter in cluster
            if letter not in JOINERS and not letter.isascii()
        }
    )


def _script_of(letter: str) -> str:
    """Return the script of a letter, which is the first word of its Unicode name."""
    category = unicodedata.category(letter)
    if category == "Co":
        return gettext("private use")
    if category.startswith("S"):
        return gettext("symbols")
    word = unicodedata.name(letter, "").split(" ")[0].split("-")[0]
    named = {
        "CJK": gettext("Chinese characters"),
        "COMBINING": gettext("marks"),
        "": gettext("unnamed"),
    }
    return named.get(word, word.title())


class CannotBeTypeset(Exception):
    """What typst says of a sheet; the diagnostic names the texts without a glyph."""

    def __init__(self, message: str, diagnostic: str) -> None:
        super().__init__(message)
        self.message = message
        self.diagnostic = diagnostic


def print_sheet(template: str, data: Mapping[str, Any]) -> bytes:
    """Return the PDF of a sheet.

    Raises Unprocessable for a sheet that is too large or has letters that can be neither printed
    nor replaced, Busy after too long a wait, if too many wait, or if the sheet takes too long.
    """
    cells = sum(1 for _ in _texts(data))
    if cells > MOST_TABLE_CELLS:
        raise Unprocessable(
            "too_many_for_paper",
            Text(
                "the sheet has %(count)s cells; at most %(most)s can be printed; html "
                "and csv have no limit",
                count=cells,
                most=MOST_TABLE_CELLS,
            ),
        )
    with _turn():
        return _print_replaced(template, data)


def print_picture(svg: str) -> bytes:
    """Return an SVG as a PNG of the size that other sites show beside a link; raises as a sheet."""
    with _turn():
        return typeset("picture", {PICTURES_FOLDER: [svg]}, is_picture=True)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait until no other sheet is typeset; raises Busy after too long a wait, or if many wait."""
    busy = Busy("printing", Text("another sheet is being printed; try again in a minute"))
    if not LINE.acquire(blocking=False):
        raise busy
    try:
        if not LOCK.acquire(timeout=LONGEST_PDF_WAIT):
            raise busy
        try:
            yield
        finally:
            LOCK.release()
    finally:
        LINE.release()


def _print_replaced(template: str, data: Mapping[str, Any]) -> bytes:
    """Compile until typst names no more letters without a glyph."""
    controls = (FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE, WORD_BREAK)
    texts = {text for text in _texts(data) if not text.isascii()}
    clusters = {cluster for text in texts for cluster in split_clusters(text)}
    clusters = {each for each in clusters if not each.isascii() and each not in controls}
    missing = frozenset(each for each in clusters if any(map(_is_never_printed, each)))
    for _ in range(MOST_LAYOUTS):
        try:
            return typeset(template, {**_replace(data, missing), **_notes(data, missing)})
        except CannotBeTypeset as error:
            more = _named_clusters(error, clusters - missing)
            if not more:
                raise Unprocessable("cannot_be_printed", error.message[:200]) from error
            missing |= more
    raise Unprocessable("cannot_be_printed", Text("the letters of this sheet cannot be printed"))


def _notes(data: Mapping[str, Any], missing: frozenset[str]) -> dict[str, str]:
    """Return the notes about replaced letters: their scripts, and the texts that contain them."""
    if not missing:
        return {"script_note": "", "name_note": ""}
    scripts = ", ".join(scripts_of(missing))
    replaced = [
        replace_clusters(text, missing)
        for text in dict.fromkeys(_texts(data))
        if not missing.isdisjoint(split_clusters(text))
    ]
    left = len(replaced) - MOST_COLUMN_NAMES
    more = gettext(" and %(count)s more") % {"count": left} if left > 0 else ""
    names = f"{'; '.join(replaced[:MOST_COLUMN_NAMES])}{more}"
    script_note = gettext(
        "In brackets: Latin letters or numbers, because no font of this service has: %(scripts)s."
        " The page itself, printed from a browser, shows the names as they are written."
    )
    return {
        "script_note": script_note % {"scripts": scripts[:200]},
        "name_note": gettext("Not printed in their script: %(names)s.") % {"names": names},
    }


def typeset(template: str, data: Mapping[str, Any], *, is_picture: bool = False) -> bytes:
    """Return the PDF or PNG of a template with this data, typeset in a process of its own.

    Raises CannotBeTypeset, Unprocessable if it needs too much, Busy if the machine has too little.
    """
    request = {
        "template": str(PAPER_TEMPLATES / f"{template}.typ"),
        "root": str(PAPER_TEMPLATES),
        "system_fonts": SYSTEM_FONTS,
        "is_picture": is_picture,
        "data": data,
    }
    content = json.dumps(request).encode()
    try:
        found = run_bounded(COMPILER, content, memory=MEMORY, seconds=SECONDS)
    except subprocess.CalledProcessError as error:
        log.error("a sheet ended its process: %s %s", error, error.stderr[-500:])
        detail = Text("the sheet needs too much memory or time; html and csv have no limit")
        raise Unprocessable("too_many_for_paper", detail) from error
    except (subprocess.TimeoutExpired, OSError) as error:
        log.error("a sheet was not typeset: %r", error)
        detail = Text("the sheet was not ready in time; try again in a minute")
        raise Busy("printing", detail) from error
    if not found.startswith((b"%PDF", b"\x89PNG")):
        raise CannotBeTypeset(**json.loads(found))
    return found


def _named_clusters(error: CannotBeTypeset, clusters: Iterable[str]) -> frozenset[str]:
    """Return those of the clusters that an error of typst names; it writes texts as Rust does."""
    named = [
        ESCAPED.sub(lambda part: chr(int(part[1], 16)) if part[1] else part[2], text)
        for text in NOT_DISPLAYED.findall(error.diagnostic)
    ]
    whole = {cluster for text in named for cluster in split_clusters(text)}
    return frozenset(
        cluster
        for cluster in clusters
        if cluster in whole or any(text in cluster for text in named)
    )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)


def _replace(data: Mapping[str, Any], missing: frozenset[str]) -> dict[str, Any]:
    """Return the data with missing clusters replaced, except codes, addresses, pictures."""
    return {
        key: value
        if key in (CODES_FOLDER, SOURCE, PICTURES_FOLDER)
        else _map_texts(value, lambda text: replace_clusters(text, missing))
        for key, value in data.items()
    }


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _map_texts(member, change) for key, member in value.items()}
    return [_map_texts(member, change) for member in value] if isinstance(value, list) else value


def code_of(address: str) -> dict[str, str]:
    """Return the code of an address as SVG, and the address."""
    code = segno.make(address, error="m", mask=MASK, micro=False)
    return {"picture": code.svg_inline(border=2, omitsize=True), "address": address}
