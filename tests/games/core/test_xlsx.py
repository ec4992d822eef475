"""Tables as workbooks, read back by another library with the types of their cells."""

import io
import zipfile
from datetime import date, datetime
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from games.core.errors import Unprocessable
from games.core.tables import xlsx
from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from games.core.tables.xlsx import XlsxRenderer

COLUMNS = (
    Column("number"),
    Column("name", kind=ColumnKind.TEXT),
    Column("points"),
    Column("player", cell_type=CellType.CODE),
    Column("1", kind=ColumnKind.MARK),
    Column("day", kind=ColumnKind.TEXT, cell_type=CellType.DATE),
    Column("at", kind=ColumnKind.TEXT, cell_type=CellType.DATE),
)


def document(rows: Any) -> TableDocument:
    return TableDocument(
        heading=Heading(title="A", subtitle="", file_stem="a"),
        columns=COLUMNS,
        records=[
            {each.name: cell for each, cell in zip(COLUMNS, row, strict=True)} for row in rows
        ],
    )


def rows_of(content: bytes) -> list[list[Any]]:
    return CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()


def test_numbers_dates_and_texts_are_what_they_are() -> None:
    rows = [
        (1, "Ada", "2.5", 17, "1", "2026-05-01", "2026-05-01T10:30:00Z"),
        ("12*", "=SUM(A1)", "", "0017", "=", "", ""),
        ("-3", "https://example.org", "0.123456", "9" * 20, "12f1", "2026-05-01", ""),
    ]
    found = rows_of(XlsxRenderer().render(document(rows)))

    assert found == [
        [column.name for column in COLUMNS],
        [1.0, "Ada", 2.5, "17", "1", date(2026, 5, 1), datetime(2026, 5, 1, 10, 30)],
        ["12*", "=SUM(A1)", "", "0017", "=", "", ""],
        [-3.0, "https://example.org", 0.123456, "9" * 20, "12f1", date(2026, 5, 1), ""],
    ]
    assert [type(value) for value in found[1]] == [float, str, float, str, str, date, datetime]


NAMES = [
    "=1+1",
    "{=1}",
    "https://example.org",
    "_x0041_",
    "春日 <b>&",
    "\x07\x0b",
    "a" * 40_000,
]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_text(name: str) -> None:
    content = XlsxRenderer().render(document([(1, name, 1, 1, "1", "", "")]))

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
        assert b"<f>" not in sheet
        assert b"<hyperlink" not in sheet
    assert rows_of(content)[1][1] == name[:32_767]


def test_the_same_document_gives_the_same_bytes() -> None:
    row = (1, "Ada", 1, 1, "1", "2026-05-01", "")

    assert XlsxRenderer().render(document([row])) == XlsxRenderer().render(document([row]))


def test_more_rows_than_a_sheet_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MOST_ROWS", 2)
    row = (1, "Ada", 1, 1, "1", "", "")

    assert len(rows_of(XlsxRenderer().render(document([row, row])))) == 3
    with pytest.raises(Unprocessable, match="at most 2 rows"):
        XlsxRenderer().render(document([row, row, row]))
