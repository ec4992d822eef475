"""A table that every format can render: columns, typed cells, notes, and its JSON.

One function for each table returns a `TableDocument`; one module for each format renders it. A
format shows the columns that the document names for it, in that order:

| layout | formats |
|---|---|
| csv | CSV, workbooks, aligned text |
| page | HTML |
| sheet | PDF |
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.utils.formats import get_format

from games.core.decimals import write
from games.core.namesakes import namesakes_of, number_after


class ColumnKind(StrEnum):
    """What a column contains; the values are the alignments."""

    NUMBER = "right"
    """Whole numbers, or exact numbers as decimal text, which needs no escaping."""

    TEXT = "left"
    MARK = "center"
    """Short text, as the results in a crosstable."""


class CellType(StrEnum):
    """What the cells of a column are in a workbook."""

    VALUE = "value"
    """Numbers in a column of numbers, else text."""

    CODE = "code"
    """Text, also of digits: an id, with which nobody computes."""

    DATE = "date"
    """Dates, or times in UTC, which the document has as text by ISO 8601."""


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player in a cell of text, as `Ada (1, 2.5)`."""

    name: str
    detail: str

    def __str__(self) -> str:
        return f"{self.name}{number_after(self.name, self.detail)}"


@dataclass(frozen=True, slots=True)
class NamedPlayers:
    """Several players in a cell of text, as `Ada (1, 2.5); Ben (4, 2)`."""

    players: tuple[NamedPlayer, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.players))


Cell = str | int | NamedPlayer | NamedPlayers
"""A cell; `str()` is its text."""


Record = Mapping[str, Any]
"""A row of a table as JSON."""


def listed(items: Iterable[object]) -> str:
    """Return the cell of several numbers."""
    return " ".join(map(str, items))


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its stable name for programs, its heading for people, and its cells.

    The cell of a record is its member of this name, or that to which `of` leads (`player.name`), as
    decimal text with `digits`, or what `cell` makes of it; without `of`, `cell` gets the record. A
    null is an empty cell. On a sheet, a wide column takes the width that the others leave, and the
    first columns that are keys are repeated where a table is too wide for one page. A page shows
    the stone of the `seat` beside the names.
    """

    name: str
    heading: str = ""
    kind: ColumnKind = ColumnKind.NUMBER
    _: KW_ONLY
    of: str = ""
    digits: int | None = None
    cell: Callable[[Any], Cell | None] | None = None
    cell_type: CellType = CellType.VALUE
    sheet_heading: str = ""
    is_wide: bool = False
    is_key: bool = False
    seat: str = ""

    def cell_of(self, record: Record) -> Cell:
        """Return the cell of a record."""
        found: Any = record
        if self.of or not self.cell:
            for name in self.of.split(".") if self.of else (self.name,):
                found = None if found is None else found[name]
        if self.digits is not None:
            return write(found, self.digits)
        found = self.cell(found) if self.cell and found is not None else found
        return "" if found is None else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The titles of a table, and its file name without extension.

    The subtitle is for a sheet, whose head names the event.
    """

    title: str
    subtitle: str
    file_stem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDocument:
    """A table for every format.

    `body` is the JSON of the API, `records` are its rows, one for each line of NDJSON, which a
    renderer reads once. An empty layout contains all columns. The `explanation` comes before the
    notes. `people` are the rows of all players, if a table of some of them must tell them from the
    others. On pages and sheets, the records of each title that `section` returns are a table of
    their own.
    """

    heading: Heading
    columns: tuple[Column, ...]
    records: Iterable[Record]
    csv: tuple[str, ...] = ()
    page: tuple[str, ...] = ()
    sheet: tuple[str, ...] = ()
    explanation: str = ""
    notes: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    people: Sequence[Record] = ()
    section: Callable[[Record], str] | None = None

    def by_section(self) -> list[tuple[str, Self]]:
        """Return the tables of a page or a sheet with their titles, "" if it is a single one."""
        if self.section is None:
            return [("", self)]
        found: dict[str, list[Record]] = {}
        for record in self.records:
            found.setdefault(self.section(record), []).append(record)
        parts = [(title, replace(self, records=rows)) for title, rows in found.items()]
        return parts or [("", self)]

    def with_namesakes(self) -> Self:
        """Return the table for people: players who share a name are told apart in its `name`.

        It changes the records that have a `player` and, if they have numbers, a `number`.
        """
        column = next((column for column in self.columns if column.name == "name"), None)
        if column is None:
            return self
        records = list(self.records)
        listed = (*self.people, *records)
        named = [record for record in listed if "name" in (record.get("player") or ())]
        numbers = {record["player"]["id"]: record.get("number") for record in named}
        found = namesakes_of((record["player"] for record in named), numbers)
        if not found:
            return replace(self, records=records)

        def name_of(record: Record) -> Cell:
            player = record.get("player") or {}
            return found.get(player.get("id", 0)) or column.cell_of(record)

        return replace(self, records=records).with_cells({"name": name_of})

    def with_cells(self, cells: Mapping[str, Callable[[Record], Cell]]) -> Self:
        """Return the table with other cells, made of its records, in the columns of these names."""
        columns = (
            replace(column, of="", digits=None, cell=cells[column.name])
            if column.name in cells
            else column
            for column in self.columns
        )
        return replace(self, columns=tuple(columns))

    def select(self, names: tuple[str, ...]) -> tuple[list[Column], Iterator[tuple[Cell, ...]]]:
        """Return the columns of a layout and the rows of their cells."""
        by_name = {column.name: column for column in self.columns}
        columns = [by_name[name] for name in names or by_name]
        rows = (tuple(column.cell_of(record) for column in columns) for record in self.records)
        return columns, rows


def localized_rows(
    columns: Sequence[Column], rows: Iterable[Sequence[Cell]]
) -> Iterable[Sequence[Cell]]:
    """Return rows whose columns of numbers have the decimal sign of the active language."""
    sign = get_format("DECIMAL_SEPARATOR")
    if sign == ".":
        return rows
    places = [n for n, column in enumerate(columns) if column.kind is ColumnKind.NUMBER]
    return (_with_sign(row, places, sign) for row in rows)


def _with_sign(row: Sequence[Cell], places: Sequence[int], sign: str) -> list[Cell]:
    cells = list(row)
    for place in places:
        cell = cells[place]
        cells[place] = cell.replace(".", sign) if isinstance(cell, str) else cell
    return cells


if TYPE_CHECKING:
    from rest_framework.renderers import BaseRenderer
else:
    # Commands on files render documents without the settings and the start-up time of DRF.
    BaseRenderer = object

Context = Mapping[str, Any] | None
"""What a view passes: `byte_order_mark` for CSV, `frame` for PDF."""


class DocumentRenderer(BaseRenderer):
    """Render a document in one format.

    A browser saves the file (`attachment`), displays it (`inline`), or gets no file name ("").
    """

    media_type: str
    format: str
    charset: str | None = "utf-8"
    render_style = "text"
    extension: ClassVar[str] = ""
    """The extension of the file name, if it is not the format."""

    disposition: ClassVar[str] = "attachment"
    shows_notes: ClassVar[bool] = False
    follows_language: ClassVar[bool] = False
    """Whether the texts are in the language of the reader, as those of pages; else in English."""

    security_policy: ClassVar[str] = ""
    """The Content-Security-Policy, if it is not that of the site."""
