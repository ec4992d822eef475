"""The HTML of a table: numbers have the decimal sign of the language, texts stay as they are."""

import re

import pytest
from django.utils import translation

from games.documents.document import Column, ColumnKind, Heading, TableDocument
from games.documents.renderers.html import table_context
from games.templatetags.game_names import decimal_sign

COLUMNS = (
    Column("rank", "Rank"),
    Column("name", "Name", ColumnKind.TEXT),
    Column("PTS", "PTS"),
    Column("BH", "BH"),
)
RECORDS = [
    {"rank": 1, "name": "J.R. Ada, 2.5", "PTS": "2.5", "BH": "14.25"},
    {"rank": 2, "name": "Ben", "PTS": "2", "BH": "-0.5"},
]


@pytest.mark.parametrize(
    ("language", "cells"),
    [
        ("en-gb", ["1", "J.R. Ada, 2.5", "2.5", "14.25", "2", "Ben", "2", "-0.5"]),
        ("de", ["1", "J.R. Ada, 2.5", "2,5", "14,25", "2", "Ben", "2", "-0,5"]),
        ("fr", ["1", "J.R. Ada, 2.5", "2,5", "14,25", "2", "Ben", "2", "-0,5"]),
    ],
)
def test_numbers_have_the_decimal_sign_of_the_language(language: str, cells: list[str]) -> None:
    names = tuple(column.name for column in COLUMNS)
    document = TableDocument(
        heading=Heading(title="Standings", subtitle="", file_stem="standings"),
        columns=COLUMNS,
        records=RECORDS,
        cells=lambda record: tuple(record[name] for name in names),
    )

    with translation.override(language):
        rows = "".join(table_context(document)["rows"])
        assert re.findall(r"<td[^>]*>([^<]*)</td>", rows) == cells
        assert [decimal_sign("14.25"), decimal_sign("")] == [cells[3], ""]
