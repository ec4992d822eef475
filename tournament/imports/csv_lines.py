"""Lines of a spreadsheet: columns in any order, the usual dialects, every fault with its line.

Commas, semicolons or tabs; UTF-8 with or without a byte order mark, else latin-1; any line ends.
The first line names the columns, in any case.
"""

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.errors import Unprocessable, Unreadable

MOST_LINES = 20_000
MOST_TOLD = 100


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
            detail = f"{self.found[0]['detail']}; nothing was imported"
            raise Unprocessable("invalid_lines", detail, self.found[:MOST_TOLD])


def decoded(content: bytes) -> str:
    """The text of a file; raises Unreadable for a NUL byte."""
    if b"\0" in content:
        raise Unreadable("nul_byte", "a NUL byte stands in the file; this is no text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read_lines(
    content: bytes, columns: Mapping[str, Callable[[str], Any]], needed: tuple[str, ...]
) -> list[tuple[int, dict[str, Any]]]:
    """The lines with their numbers, each value as its column reads it; empty ones are left out.

    A column's reader raises ValueError with what is wrong. One of `needed` must be there. Raises
    Unreadable for what is no such file, Unprocessable for its columns or with every wrong line.
    """
    text = decoded(content)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[tuple[int, dict[str, Any]]] = []
    faults = Faults()
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        _check_header(header, first, columns, needed)
        for values in reader:
            if len(lines) > MOST_LINES:
                raise Unprocessable("too_many_lines", f"at most {MOST_LINES} lines at a time")
            number = reader.line_num
            if not any(value.strip() for value in values):
                continue
            if len(values) != len(header):
                faults.add(number, "", f"{len(header)} values are due, {len(values)} are there")
                continue
            lines.append((number, _line(number, header, values, columns, faults)))
    except csv.Error as error:
        raise Unreadable("unreadable_csv", f"line {reader.line_num}: {error}") from error
    faults.refuse()
    return lines


def _check_header(
    header: list[str], first: str, columns: Mapping[str, Any], needed: tuple[str, ...]
) -> None:
    unknown = [name for name in header if name not in columns]
    if unknown or len(set(header)) != len(header) or not set(needed) & set(header):
        raise Unprocessable(
            "wrong_columns",
            f"the first line names columns out of {', '.join(columns)}, each once, with"
            f" {' or '.join(needed)} among them; it is {first.strip()[:80]!r}",
            valid=list(columns),
        )


def _line(
    number: int,
    header: list[str],
    values: list[str],
    columns: Mapping[str, Callable[[str], Any]],
    faults: Faults,
) -> dict[str, Any]:
    read = {}
    for name, value in zip(header, values, strict=True):
        try:
            read[name] = columns[name](value.strip())
        except ValueError as fault:
            faults.add(number, name, str(fault))
    return read
