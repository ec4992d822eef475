"""From the bytes of a bundle to its lines: bounded, sealed, whole; else refused naming the line."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from games.http.errors import Unprocessable
from games.imports.progress import Progress, no_progress
from games.journal.chain import digest_of
from tournament.imports.bundle.writing import FORMAT, MEMBER, VERSION

MOST_UNPACKED = 128 * 1024 * 1024
MOST_LINES = 500_000
LONGEST_LINE = 16 * 1024 * 1024
BUFFER = 1024 * 1024


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


def read_lines(content: bytes, progress: Progress = no_progress) -> Iterator[Line]:
    """The rows of a bundle one after the other, no more of it unpacked at a time than a line.

    The first and the last line are given as well; raises Unprocessable, at the latest at the end.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            member = _member(archive)
            with archive.open(member) as unpacked:
                stream = io.BufferedReader(cast(io.RawIOBase, unpacked), BUFFER)
                yield from _sealed_lines(stream, member.file_size, progress)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise refusal(0, f"this is no whole zip file: {error}") from error


def _member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The one member of the zip; one that says that it is too large is not unpacked."""
    members = archive.infolist()
    if [member.filename for member in members] != [MEMBER]:
        raise refusal(0, f"a bundle is a zip that holds {MEMBER} and nothing else")
    (member,) = members
    if member.file_size > MOST_UNPACKED:
        raise refusal(0, f"a bundle unpacks to at most {MOST_UNPACKED} bytes")
    if member.flag_bits & 1:
        raise refusal(0, "the zip is encrypted")
    return member


def _sealed_lines(stream: BinaryIO, size: int, progress: Progress) -> Iterator[Line]:
    """The lines of a stream, of which no more is read than it says it has."""
    seal, number, read = "", 0, 0
    line = Line(0, "", {})
    while text := stream.readline(LONGEST_LINE + 1):
        number, read = number + 1, read + len(text)
        progress("reading bytes", read, size)
        if number > MOST_LINES:
            raise refusal(0, f"a bundle has at most {MOST_LINES} lines")
        if len(text) > LONGEST_LINE:
            raise refusal(number, f"a line has at most {LONGEST_LINE} bytes")
        if not text.endswith(b"\n"):
            raise refusal(number, "the file ends in the middle of a line")
        line, seal = _line(number, text, seal)
        if number == 1:
            _check_first(line)
        yield line
    if line.kind != "end" or line.row != {"lines": number - 1}:
        raise refusal(number or 1, "the end is missing: this is a part of a bundle")


def _check_first(line: Line) -> None:
    if line.kind != "bundle" or line.row.get("format") != FORMAT:
        raise refusal(1, f"a {FORMAT} begins with its name")
    if line.row.get("version") != VERSION:
        raise refusal(1, f"version {str(line.row.get('version'))[:20]} is not {VERSION}")


def _line(number: int, text: bytes, before: str) -> tuple[Line, str]:
    try:
        if b"\\u0000" in text.replace(b"\\\\", b""):
            raise ValueError("a NUL character stands in it")
        found = _DECODER.decode(text.decode(json.detect_encoding(text), "surrogatepass"))
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


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
