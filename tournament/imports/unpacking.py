"""From the bytes of a bundle to its lines: bounded, sealed, whole; else refused naming the line."""

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

from games.errors import Unprocessable
from games.journal import digest_of
from tournament.exports.bundle import FORMAT, MEMBER, VERSION

MOST_UNPACKED = 64 * 1024 * 1024
MOST_LINES = 500_000


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a bundle with the number of its line, from 1."""

    number: int
    kind: str
    row: dict[str, Any]


def refusal(number: int, detail: str) -> Unprocessable:
    """A bundle that is refused whole, for the fault of one line (0: of the file)."""
    told = f"line {number}: {detail}" if number else detail
    error = {"code": "invalid_bundle", "detail": told} | ({"line": number} if number else {})
    return Unprocessable("invalid_bundle", f"{told}; nothing was imported", [error])


def unpacked(content: bytes) -> bytes:
    """The one member of the zip; one that says or proves to be too large is not unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if [member.filename for member in members] != [MEMBER]:
                raise refusal(0, f"a bundle is a zip that holds {MEMBER} and nothing else")
            (member,) = members
            if member.file_size > MOST_UNPACKED:
                raise refusal(0, f"a bundle unpacks to at most {MOST_UNPACKED} bytes")
            if member.flag_bits & 1:
                raise refusal(0, "the zip is encrypted")
            with archive.open(member) as stream:
                text = stream.read(MOST_UNPACKED + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise refusal(0, f"this is no whole zip file: {error}") from error
    if len(text) > MOST_UNPACKED:
        raise refusal(0, f"a bundle unpacks to at most {MOST_UNPACKED} bytes")
    return text


def read_lines(content: bytes) -> list[Line]:
    """The rows of a bundle, first and last line checked and left in; raises Unprocessable."""
    written = unpacked(content).split(b"\n")
    if len(written) > MOST_LINES:
        raise refusal(0, f"a bundle has at most {MOST_LINES} lines")
    if written.pop() != b"":
        raise refusal(len(written) + 1, "the file ends in the middle of a line")
    lines, seal = [], ""
    for number, text in enumerate(written, start=1):
        line, seal = _line(number, text, seal)
        lines.append(line)
    if not lines or lines[0].kind != "bundle" or lines[0].row.get("format") != FORMAT:
        raise refusal(1, f"a {FORMAT} begins with its name")
    if lines[0].row.get("version") != VERSION:
        raise refusal(1, f"version {str(lines[0].row.get('version'))[:20]} is not {VERSION}")
    if lines[-1].kind != "end" or lines[-1].row != {"lines": len(lines) - 1}:
        raise refusal(len(lines), "the end is missing: this is a part of a bundle")
    return lines


def _line(number: int, text: bytes, before: str) -> tuple[Line, str]:
    try:
        if b"\\u0000" in text.replace(b"\\\\", b""):
            raise ValueError("a NUL character stands in it")
        found = json.loads(text, parse_constant=_no_constant)
        if not isinstance(found, dict) or found.keys() != {"kind", "row", "seal"}:
            raise ValueError("it is not made of kind, row and seal")
        kind, row = found["kind"], found["row"]
        if not isinstance(kind, str) or not isinstance(row, dict):
            raise ValueError("its kind is no word or its row no object")
        right = digest_of([before, kind, row])
    except (ValueError, RecursionError) as error:
        raise refusal(number, f"it cannot be read: {str(error)[:160]}") from error
    if found["seal"] != right:
        raise refusal(number, "its seal is not that of its content and the line before")
    return Line(number, kind, row), right


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")
