"""Read the lines of a bundle: bounded in size, sealed, complete."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from games.core.journal.chain import digest_of
from games.core.uploads.progress import Progress, no_progress
from games.rules.text import Text, shortened
from tournament.exchange.bundle_file import BUNDLE_FORMAT, BUNDLE_VERSION
from tournament.imports.bundle.archive import bundle_error, open_member

MOST_JOURNAL_LINES = 500_000
LONGEST_LINE = 4 * 1024 * 1024
MOST_CONTAINERS = 2_000_000
"""Lists and objects of a bundle. An empty list has 3 bytes in a file and 64 in memory, so that
without this limit 128 MiB of them need 3 GB. A game needs about 20, counted as opening brackets."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a bundle with its line number, from 1."""

    number: int
    kind: str
    row: dict[str, Any]


def read_lines(content: bytes, progress: Progress = no_progress) -> Iterator[Line]:
    """Yield the lines of a bundle, the first and the last included, unpacking one at a time.

    Raises Unprocessable, for an incomplete bundle only after the last line.
    """
    with open_member(content) as (stream, size):
        yield from _sealed_lines(stream, size, progress)


def _sealed_lines(stream: BinaryIO, size: int, progress: Progress) -> Iterator[Line]:
    seal, number, read, containers = "", 0, 0, 0
    line = Line(0, "", {})
    while text := stream.readline(LONGEST_LINE + 1):
        number, read = number + 1, read + len(text)
        containers += text.count(b"[") + text.count(b"{")
        progress(Text("reading bytes"), read, size)
        if number > MOST_JOURNAL_LINES:
            raise bundle_error(
                0,
                Text("a bundle has at most %(most)s lines", most=MOST_JOURNAL_LINES),
                "bundle_lines",
            )
        if len(text) > LONGEST_LINE:
            detail = Text("a line has at most %(most)s bytes", most=LONGEST_LINE)
            raise bundle_error(number, detail, "bundle_line_size")
        if containers > MOST_CONTAINERS:
            detail = Text("a bundle has at most %(most)s lists and objects", most=MOST_CONTAINERS)
            raise bundle_error(number, detail, "bundle_containers")
        if not text.endswith(b"\n"):
            raise bundle_error(number, Text("the file ends in the middle of a line"))
        line, seal = _parse_line(number, text, seal)
        if number == 1:
            _check_first(line)
        yield line
    if line.kind != "end" or line.row != {"lines": number - 1}:
        raise bundle_error(number or 1, Text("the end is missing: the bundle is incomplete"))


def _check_first(line: Line) -> None:
    if line.kind != "bundle" or line.row.get("format") != BUNDLE_FORMAT:
        raise bundle_error(
            1,
            Text(
                "the first line must be of kind bundle and format %(format)s", format=BUNDLE_FORMAT
            ),
        )
    if line.row.get("version") != BUNDLE_VERSION:
        raise bundle_error(
            1,
            Text(
                "the bundle has version %(found)s, not %(version)s; export the event again"
                " from a current program",
                found=str(line.row.get("version"))[:20],
                version=BUNDLE_VERSION,
            ),
        )


def _parse_line(number: int, text: bytes, previous_seal: str) -> tuple[Line, str]:
    try:
        if b"\\u0000" in text.replace(b"\\\\", b""):
            raise ValueError(Text("it contains a NUL character"))
        content = _DECODER.decode(text.decode(json.detect_encoding(text), "surrogatepass"))
        if not isinstance(content, dict) or content.keys() != {"kind", "row", "seal"}:
            raise ValueError(Text("it is not an object with kind, row and seal"))
        kind, row = content["kind"], content["row"]
        if not isinstance(kind, str) or not isinstance(row, dict):
            raise ValueError(Text("kind must be a string and row an object"))
        seal = digest_of([previous_seal, kind, row])
    except (ValueError, RecursionError) as error:
        raise bundle_error(
            number, Text("it cannot be read: %(reason)s", reason=shortened(str(error), 160))
        ) from error
    if content["seal"] != seal:
        raise bundle_error(number, Text("the seal does not fit its content and the previous line"))
    return Line(number, kind, row), seal


def _reject_constant(name: str) -> Any:
    raise ValueError(Text("%(word)s is not a JSON number", word=name))


_DECODER = json.JSONDecoder(parse_constant=_reject_constant)
