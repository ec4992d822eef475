"""The text of a file: UTF-8 and UTF-16 are recognised; of other encodings the sender says which.

An old program writes a byte for each letter, and `0x9F` is `ü` of a Macintosh and `Ÿ` of Windows:
both are letters, so that no program can tell. The sender chooses by names as each would read them.
"""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.core.errors import BadRequest, Unprocessable, unknown_value
from games.rules.messages import gettext_noop
from games.rules.text import Text

ONE_BYTE: Final = {
    "cp1252": gettext_noop("Windows, Western Europe"),
    "cp1250": gettext_noop("Windows, Central Europe"),
    "cp850": gettext_noop("DOS, Western Europe"),
    "mac-roman": gettext_noop("Macintosh, Western Europe"),
}
"""The encodings that a sender can name, and what they are called on pages."""

MOST_WORDS: Final = 6
MOST_COMPARED: Final = 5_000
LONGEST_WORD: Final = 60
CELL_BORDER: Final = re.compile(rb'[;\t|\r\n"\[\]{}]+| {2,}')
"""Between the cells of a list, the columns of a TRF, and the values of a record."""
END_OF_FILE: Final = re.compile(r"\x1a\s*\Z")
"""The last character of a file of DOS."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one encoding makes of some cells of a file."""

    encoding: str
    words: tuple[str, ...]


def decode_text(content: bytes, encoding: str = "") -> str:
    """Return the text of a file; `encoding` says what it is in if neither UTF-8 nor UTF-16.

    Raises Unprocessable (`encoding_needed`) with how each encoding would read it if none is named,
    or if the named one has no such byte; BadRequest for a NUL byte.
    """
    return require_no_nul(END_OF_FILE.sub("", content.decode(encoding_of(content, encoding))))


def encoding_of(content: bytes, named: str = "") -> str:
    """Return UTF-8 or UTF-16 if a file is in it, else what is named; raises as `decode_text`."""
    if named and named not in ONE_BYTE:
        raise unknown_value("encoding", named, [*ONE_BYTE])
    possible = [*_utf16_of(content), "utf-8-sig"]
    if b"\0" in content:
        possible.append("latin-1")  # no text at all: the line of the NUL is named
    for encoding in [*possible, *filter(None, [named])]:
        if _decode(content, [encoding]) is not None:
            return encoding
    raise _encoding_needed(content, named)


def decode_utf8(content: bytes) -> str:
    """Return the text of a file in UTF-8 or UTF-16; raises BadRequest with the line."""
    text = _decode(content, [*_utf16_of(content), "utf-8-sig"])
    if text is None:
        line, byte = first_other(content)
        detail = Text("not %(encoding)s (byte %(byte)s of the file)", encoding="UTF-8", byte=byte)
        raise unreadable("not_utf8", line, detail)
    return require_no_nul(END_OF_FILE.sub("", text))


def require_no_nul(text: str) -> str:
    """Return a text; raises BadRequest with the line of a NUL."""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise unreadable("nul_byte", line, Text("a NUL byte; the file is not text"))
    return text


def unreadable(code: str, line: int, detail: str) -> BadRequest:
    """Return the error of a file that is not what it should be, at a line."""
    error = {"code": code, "line": line, "detail": detail}
    return BadRequest(code, Text("line %(line)s: %(detail)s", line=line, detail=detail), [error])


def readings_of(content: bytes) -> list[Reading]:
    """Return how each encoding that has all bytes of a file reads some of its cells.

    They are the cells in which the encodings differ most, in the order of the file.
    """
    possible = [name for name in ONE_BYTE if _decode(content, [name]) is not None]
    cells = [cell for cell in CELL_BORDER.split(content) if not cell.isascii()][:MOST_COMPARED]
    distinct = [*dict.fromkeys(cell.strip()[:LONGEST_WORD] for cell in cells)]
    differing = sorted(
        range(len(distinct)),
        key=lambda place: -len({distinct[place].decode(name, "replace") for name in possible}),
    )
    shown = [distinct[place] for place in sorted(differing[:MOST_WORDS])]
    return [
        Reading(name, tuple(" ".join(cell.decode(name, "replace").split()) for cell in shown))
        for name in possible
    ]


def _encoding_needed(content: bytes, encoding: str) -> Unprocessable:
    line, byte = first_other(content)
    readings = readings_of(content)
    detail = Text(
        "line %(line)s is neither UTF-8 nor UTF-16 (byte %(byte)s of the file); name the encoding "
        "that reads the names right, as ?encoding=%(encoding)s",
        line=line,
        byte=byte,
        encoding=readings[0].encoding if readings else "cp1252",
    )
    if encoding:
        detail = Text(
            "the file is not in %(encoding)s, which lacks one of its bytes; %(detail)s",
            encoding=encoding,
            detail=detail,
        )
    return Unprocessable(
        "encoding_needed",
        detail,
        parameter="encoding",
        valid=[reading.encoding for reading in readings],
        readings=[{"encoding": one.encoding, "names": [*one.words]} for one in readings],
    )


def first_other(content: bytes) -> tuple[int, int]:
    """Return the line and the number of the first byte that is not UTF-8."""
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return content.count(b"\n", 0, error.start) + 1, error.start + 1
    return 1, 1


def _decode(content: bytes, encodings: Sequence[str]) -> str | None:
    """Return the text by the first encoding that fits; None if none does."""
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def _utf16_of(content: bytes) -> Sequence[str]:
    """Return UTF-16 if a file begins with its mark, or with characters of two bytes without one."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ("utf-16",)
    if len(content) % 2 == 0 and 0 not in content[:4:2] and content[1:4:2] == b"\0\0":
        return ("utf-16-le",)
    if len(content) % 2 == 0 and 0 not in content[1:4:2] and content[:4:2] == b"\0\0":
        return ("utf-16-be",)
    return ()
