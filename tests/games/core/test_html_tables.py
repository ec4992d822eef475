"""The HTML of a table: the decimal sign of numbers, escaped texts, links, and marked rows."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from html import escape
from typing import Any

import pytest
from django.utils import translation

from games.core.tables.html import table_context
from games.core.tables.table import Column, ColumnKind, Heading, TableDocument
from games.templatetags.game_names import day_text, decimal_sign

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
    ],
)
def test_numbers_have_the_decimal_sign_of_the_language(language: str, cells: list[str]) -> None:
    document = TableDocument(
        heading=Heading(title="Standings", subtitle="", file_stem="standings"),
        columns=COLUMNS,
        records=RECORDS,
    )

    with translation.override(language):
        rows = table_context(document)["rows"]
        assert re.findall(r"<td[^>]*>([^<]*)</td>", rows) == cells
        assert [decimal_sign("14.25"), decimal_sign("")] == [cells[3], ""]


def test_days_are_in_the_language() -> None:
    with translation.override("de"):
        assert {day_text("2026-05-01"), day_text(date(2026, 5, 1))} == {"1. Mai 2026"}
        assert [day_text(""), day_text(None), day_text("soon")] == ["", "", "soon"]


TEXT = TableDocument(
    heading=Heading(title="Players", subtitle="", file_stem="players"),
    columns=(Column("id", "No"), Column("name", "Name", ColumnKind.TEXT)),
    records=[
        {"id": 1, "name": "<b>Ada</b>"},
        {"id": 2, "name": "Ben & 'Co'"},
        {"id": 3, "name": ""},
        {"id": 4, "name": "none"},
    ],
)
ESCAPED = [
    '<tr><td class="right">1</td><td><a href="/p?a=1&amp;b=1">&lt;b&gt;Ada&lt;/b&gt;</a></td></tr>',
    '<tr class="own"><td class="right">2</td><td><a href="/p?a=1&amp;b=2">Ben &amp; '
    "&#x27;Co&#x27;</a></td></tr>",
    '<tr><td class="right">3</td><td></td></tr>',
    '<tr><td class="right">4</td><td>none</td></tr>',
]


def test_texts_and_addresses_are_escaped_and_own_rows_are_marked() -> None:
    def find_link(record: Mapping[str, Any]) -> str:
        return f"/p?a=1&b={record['id']}" if record["name"] != "none" else ""

    def row_class(record: Mapping[str, Any]) -> str:
        return "own" if record["id"] == 2 else ""

    rows = table_context(TEXT, links={"name": find_link}, row_class=row_class)["rows"]
    assert rows.splitlines() == ESCAPED


@pytest.mark.parametrize("names", [[], ["Ada"], ["", "\n"], ["a\n", "<i>", "b"]])
def test_each_text_has_its_own_cell_even_if_it_has_several_lines(names: list[str]) -> None:
    records = [{"id": 1, "name": name} for name in names]
    rows = table_context(replace(TEXT, records=records))["rows"]
    cells = [f'<tr><td class="right">1</td><td>{escape(name)}</td></tr>\n' for name in names]
    assert rows == "".join(cells)
