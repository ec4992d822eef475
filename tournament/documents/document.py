"""A table that every format can render: columns, typed cells, notes, and its JSON.

One function for each table returns a `TableDocument`; one module for each format renders it
(renderers/). A format shows the columns that the document names for it, in that order:

| layout | formats |
|---|---|
| csv | CSV, aligned text |
| page | HTML |
| sheet | PDF |
| picture | SVG |
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import Any


class ColumnKind(StrEnum):
    """What a column contains; the values are the alignments."""

    NUMBER = "right"
    """Whole numbers, or exact numbers as decimal text: text that needs no escaping."""

    TEXT = "left"
    MARK = "center"
    """Short text, as the results in a crosstable."""


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player in a cell of text, as `Ada (1, 2.5)`."""

    name: str
    detail: str

    def __str__(self) -> str:
        return f"{self.name} ({self.detail})"


Cell = str | int | NamedPlayer | tuple[NamedPlayer, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: its stable name for programs and its heading for people.

    On a sheet, a wide column takes the width that the others leave, and the first columns that are
    keys are repeated where a table is too wide for one page.
    """

    name: str
    heading: str = ""
    sheet_heading: str = ""
    kind: ColumnKind = ColumnKind.NUMBER
    is_wide: bool = False
    is_key: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDocument:
    """A table for every format.

    `body` is the JSON of the API, `records` are its rows, one for each line of NDJSON. `title`
    names the event, `subtitle` does not. `explanation` is for pages only.
    """

    title: str
    subtitle: str
    file_stem: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]
    csv: tuple[str, ...] = ()
    page: tuple[str, ...] = ()
    sheet: tuple[str, ...] = ()
    picture: tuple[str, ...] = ()
    explanation: str = ""
    notes: tuple[str, ...] = ()
    body: Mapping[str, Any]
    records: Sequence[Mapping[str, Any]]

    def select(self, names: tuple[str, ...]) -> tuple[list[Column], Iterator[tuple[Cell, ...]]]:
        """Return the named columns and the rows of their cells."""
        indices = {column.name: index for index, column in enumerate(self.columns)}
        chosen = [indices[name] for name in names]
        pick = itemgetter(*chosen)
        return [self.columns[index] for index in chosen], map(pick, self.rows)


def cell_text(cell: Cell) -> str:
    """Return a cell as text."""
    if cell is None:
        return ""
    return "; ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)
