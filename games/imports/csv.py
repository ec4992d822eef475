"""Lines of a spreadsheet: columns in any order, the usual dialects, every fault with its line.

Commas, semicolons or tabs; UTF-8 with or without a byte order mark, else Windows-1252, else
latin-1; LF, CRLF or CR. The first line names the columns, in any case, with spaces or underscores;
columns without a name and empty lines, as spreadsheets leave them at the end, are left out.
"""

import csv
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.http.errors import BadRequest, Unprocessable
from games.imports.progress import Progress, unheard
from games.lines import COUNTRY, is_one_line, is_seen

MOST_LINES = 20_000
MOST_TOLD = 100
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula; exports put an apostrophe before it."""

LINE_END = re.compile(r"\r\n|\r|\n")
DIGITS = re.compile(r"[0-9]{1,18}", re.ASCII)

Column = Callable[[str], Any]
"""Reads one value; raises ValueError with what is wrong."""


@dataclass(slots=True)
class Faults:
    """What is wrong with a file, line by line; told all at once, for nothing is half imported."""

    found: list[dict[str, Any]] = field(default_factory=list)

    def add(self, line: int, column: str, detail: str, code: str = "invalid_line") -> None:
        """Note a fault."""
        told = f"line {line}, {column}: {detail}" if column else f"line {line}: {detail}"
        self.found.append(
            {"code": code, "line": line, "pointer": f"/{line}/{column}", "detail": told}
        )

    def refuse(self) -> None:
        """Raise Unprocessable with what was noted, if anything was."""
        if self.found:
            many = f"{len(self.found)} faults; " if len(self.found) > 1 else ""
            detail = f"{many}{self.found[0]['detail']}; nothing was imported"
            raise Unprocessable("invalid_lines", detail, self.found[:MOST_TOLD])


def decoded(content: bytes) -> str:
    """The text of a file; raises BadRequest for a NUL byte."""
    if b"\0" in content:
        raise BadRequest("nul_byte", "a NUL byte stands in the file; this is no text")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def read_lines(
    content: bytes,
    columns: Mapping[str, Column],
    needed: tuple[str, ...],
    progress: Progress = unheard,
) -> list[tuple[int, dict[str, Any]]]:
    """The lines with their numbers, each value as its column reads it; empty ones are left out.

    One of `needed` must be there. Raises BadRequest for what is no such file, Unprocessable for
    its columns or with every wrong line.
    """
    text = decoded(content)
    first = LINE_END.split(text, maxsplit=1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    of = max(1, len(LINE_END.findall(text)))
    lines: list[tuple[int, dict[str, Any]]] = []
    faults = Faults()
    try:
        header = _header(next(reader, []), first, columns, needed)
        for values in reader:
            progress("reading lines", min(reader.line_num, of), of)
            number = reader.line_num
            if not any(value.strip() for value in values):
                continue
            if len(lines) >= MOST_LINES:
                raise Unprocessable("too_many_lines", f"at most {MOST_LINES} lines at a time")
            while len(values) > len(header) and not values[-1].strip():
                values.pop()
            if len(values) != len(header):
                faults.add(number, "", f"{len(header)} values are due, {len(values)} are there")
                continue
            lines.append((number, _line(number, header, values, columns, faults)))
    except csv.Error as error:
        raise BadRequest("unreadable_csv", f"line {reader.line_num}: {error}") from error
    faults.refuse()
    return lines


def _header(
    names: list[str], first: str, columns: Mapping[str, Any], needed: tuple[str, ...]
) -> list[str]:
    header = ["_".join(name.lower().split()) for name in names]
    while header and not header[-1]:
        header.pop()
    unknown = [name for name in header if name not in columns]
    if unknown or len(set(header)) != len(header) or not set(needed) & set(header):
        named = f"; unknown: {', '.join(unknown)[:80]}" if unknown else ""
        raise Unprocessable(
            "wrong_columns",
            f"the first line names columns out of {', '.join(columns)}, each once, with"
            f" {' or '.join(needed)} among them; it is {first.strip()[:80]!r}{named}",
            valid=list(columns),
        )
    return header


def _line(
    number: int,
    header: list[str],
    values: list[str],
    columns: Mapping[str, Column],
    faults: Faults,
) -> dict[str, Any]:
    read = {}
    for name, value in zip(header, values, strict=True):
        try:
            read[name] = columns[name](value.strip())
        except ValueError as fault:
            faults.add(number, name, str(fault))
    return read


def rearmed(text: str) -> str:
    """What stood there before an export disarmed it: `'=SUM(A1)` was `=SUM(A1)`."""
    is_disarmed = text.startswith("'") and text.lstrip("'").startswith(FORMULAS)
    return text[1:] if is_disarmed else text


def words(longest: int) -> Column:
    """A column of text on one line."""

    def read(value: str) -> str:
        text = rearmed(value)
        if len(text) > longest:
            raise ValueError(f"at most {longest} characters")
        if not is_one_line(text):
            raise ValueError("line breaks and control characters are not allowed")
        if text and not is_seen(text):
            raise ValueError("there is nothing to be seen in it")
        return text

    return read


def number_to(highest: int) -> Column:
    """A column of whole numbers from 0 on; None where nothing stands."""

    def read(value: str) -> int | None:
        if not value:
            return None
        if not DIGITS.fullmatch(value) or int(value) > highest:
            raise ValueError(f"{value[:20]!r} is no whole number from 0 to {highest}")
        return int(value)

    return read


def country(value: str) -> str:
    """A column of three-letter codes, as FIDE's or ISO's."""
    if value and not COUNTRY.fullmatch(value):
        raise ValueError(f"{value[:20]!r} is no three-letter code")
    return value.upper()
