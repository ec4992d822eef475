"""CSV as the many spreadsheet programs write it, and formulas in it."""

import csv
import io
import tracemalloc
from typing import Any

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from games.core.errors import ApiError
from games.core.uploads.cells import country_column, integer_column, rating_column, text_column
from games.core.uploads.csv import escape_formula, parse_rows, unescape_formula, write_csv
from games.core.uploads.lists import MAX_ROWS, read_rows
from tests.games.core.workbooks import open_document, workbook

COLUMNS = {"name": text_column(20), "country": country_column, "seed_rating": integer_column(4000)}
PLAYERS = [
    (2, {"name": "Zoë Š", "country": "POR", "seed_rating": 1900}),
    (3, {"name": "Ben", "country": "", "seed_rating": None}),
]
COMMAS = "name,country,seed_rating\nZoë Š,por,1900\nBen,,\n"
QUOTED = '"name","country","seed_rating"\n"Zoë Š","POR","1900"\n"Ben","",""\n'

DIALECTS: dict[str, bytes] = {
    "commas": COMMAS.encode(),
    "semicolons": COMMAS.replace(",", ";").encode(),
    "tabs": COMMAS.replace(",", "\t").encode(),
    "a byte order mark before a quote": b"\xef\xbb\xbf" + QUOTED.encode(),
    "CR alone": COMMAS.replace("\n", "\r").encode(),
    "empty lines at the end": COMMAS.encode() + b"\n\r\n \n,,\n , ,\n",
    "capitals and spaces": COMMAS.replace(
        "name,country,seed_rating", "NAME,Country, Seed  Rating "
    ).encode(),
    "spaces around": COMMAS.replace(",", " , ").encode(),
    "empty columns at the end": b"name,country,seed_rating,,\nZo\xc3\xab \xc5\xa0,POR,1900,,\n"
    b"Ben,,,,\n",
    "fewer empty columns than named": b"name,country,seed_rating,,\nZo\xc3\xab \xc5\xa0,POR,1900\n"
    b"Ben,,\n",
    "UTF-16, big-endian": b"\xfe\xff" + COMMAS.encode("utf-16-be"),
    "UTF-16 without a mark": COMMAS.encode("utf-16-le"),
    "the end of a file of DOS": COMMAS.encode() + b"\x1a",
}


SHEET: list[list[object]] = [
    ["name", "country", "seed_rating"],
    ["Zoë\nŠ", "POR", 1900],
    ["Ben", "", ""],
]


@pytest.mark.parametrize(
    "content",
    [workbook(SHEET), workbook(SHEET, hidden_first=True), open_document(SHEET)],
    ids=["xlsx", "a hidden and an empty sheet before it", "ods"],
)
def test_a_workbook_is_read_as_it_is(content: bytes) -> None:
    assert read_rows(content, COLUMNS, ("name",)).rows == PLAYERS


def test_an_error_in_a_workbook_names_the_row_of_its_sheet() -> None:
    content = workbook([[], ["name", "seed_rating"], [], ["Zoë", 1900.5], ["Ben", "strong"]])

    with pytest.raises(ApiError) as refusal:
        read_rows(content, COLUMNS, ("name",))

    assert [(error["line"], error["pointer"]) for error in refusal.value.errors] == [
        (4, "/4/seed_rating"),
        (5, "/5/seed_rating"),
    ]


def far_cell() -> bytes:
    output = io.BytesIO()
    with xlsxwriter.Workbook(output, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "name")
        sheet.write(1_048_575, 16_383, "far")
    return output.getvalue()


def test_a_workbook_that_cannot_be_read_is_refused() -> None:
    for content in (
        workbook(SHEET)[:-40],
        b"PK\x03\x04 no archive",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",  # the first bytes of an old one
        far_cell(),
    ):
        with pytest.raises(ApiError) as refusal:
            read_rows(content, COLUMNS, ("name",))

        assert refusal.value.code == "unreadable_workbook", content[:8]


def test_a_small_workbook_takes_no_memory_by_what_it_repeats() -> None:
    content = workbook([["name"], *[["x" * 32_000] for _ in range(1000)]])
    assert len(content) < 50_000
    tracemalloc.start()

    with pytest.raises(ApiError):
        read_rows(content, COLUMNS, ("name",))

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 << 20


@pytest.mark.parametrize("first", ["SEP=;", '"sep=;"', "sep=;;;"])
def test_a_line_that_names_the_separator_is_obeyed(first: str) -> None:
    text = f"{first}\r\n" + 'name;country;seed_rating\r\n"Zoë Š";por;1900\r\nBen;;\r\n'

    assert read_rows(text.encode(), COLUMNS, ("name",)).rows == [
        (line + 1, values) for line, values in PLAYERS
    ]


@pytest.mark.parametrize("content", DIALECTS.values(), ids=DIALECTS)
def test_the_usual_dialects_give_the_same_rows(content: bytes) -> None:
    assert read_rows(content, COLUMNS, ("name",)).rows == PLAYERS


REJECTED: dict[str, tuple[bytes, str, str]] = {
    "nothing": (b"", "no_lines", "the file is empty"),
    "headings alone": (b"name\n", "no_lines", "below the headings (line 1)"),
    "formulas without values": (workbook([["name"]]), "no_lines", "a formula has a value only"),
    "a PDF": (b"%PDF-1.4\n\xe2\xe3", "unreadable_csv", "is a PDF"),
    "two delimiters": (b"name,country\nAda;POR\n", "invalid_lines", "by ',', this line by ';'"),
    "a lost letter": ("name\nM\ufffdller\n".encode(), "invalid_lines", "has lost a letter"),
    "UTF-8 twice": ("name\nMÃ¼ller\n".encode(), "invalid_lines", "is probably 'Müller'"),
    "a column twice": (b"name,Name\nAda,Ada\n", "wrong_columns", "“name”, “Name” mean name"),
    "many columns": (b"name" + b",x" * 200 + b"\nAda\n", "too_many_columns", "at most 200"),
    "no required column": (b"country\nPOR\n", "wrong_columns", "with name among them"),
    "too many values": (b"name,country\nAda,POR,1\n", "invalid_lines", "'1' in column 3 has"),
    "values without headings": (b"name\nAda;1500\n", "invalid_lines", "'1500' in column 2 has no"),
    "a number without a heading": (b"name\nAda,1500\n", "invalid_lines", "'1500' in column 2"),
    "too few": (b"name,country\nAda,POR\nBen\n", "invalid_lines", "line 3: 2 values are expected"),
    "an open quote": (b'name\n"Ada\n', "unreadable_csv", "line 2"),
    "two lines in one value": (b'name\n"A\nda"\n', "invalid_lines", "U+000A"),
    "a value without an end": (b"name\n" + b"x" * 200_000, "unreadable_csv", "line 2"),
    "a NUL": (b"name\nA\0da\n", "nul_byte", "line 2: a NUL"),
    "invisible text": ("name\n\u200b\u00a0\u200d\n".encode(), "invalid_lines", "U+200B"),
    "a long name": (b"name\n" + b"x" * 21 + b"\n", "invalid_lines", "at most 20"),
    "other scripts' digits": ("name,seed_rating\nA,١٢\n".encode(), "invalid_lines", "not a whole"),
    "a fraction": (b"name,seed_rating\nA,1900.5\n", "invalid_lines", "line 2, seed_rating"),
}


@pytest.mark.parametrize(("content", "code", "detail"), REJECTED.values(), ids=REJECTED)
def test_a_wrong_file_is_rejected_with_the_place(content: bytes, code: str, detail: str) -> None:
    with pytest.raises(ApiError) as caught:
        read_rows(content, COLUMNS, ("name",))

    assert caught.value.code == code
    assert detail in caught.value.detail


def test_a_file_has_a_limited_number_of_lines() -> None:
    """The heading is no line of it; more are refused before they are read."""
    content = b"name\n" + b"A\n" * MAX_ROWS
    assert len(read_rows(content, COLUMNS, ("name",)).rows) == MAX_ROWS == 20_000
    with pytest.raises(ApiError) as caught:
        read_rows(content + b"A\n", COLUMNS, ("name",))
    assert caught.value.code == "too_many_lines"


def test_all_errors_are_listed_with_their_lines() -> None:
    with pytest.raises(ApiError) as caught:
        read_rows(b"name,country,seed_rating\nA,XX,-1\n\nB,POR,1\nC,POR\n", COLUMNS, ("name",))

    assert [(error["line"], error["pointer"]) for error in caught.value.errors] == [
        (2, "/2/country"),
        (2, "/2/seed_rating"),
        (5, "/5/"),
    ]


def test_a_row_has_the_number_of_its_first_line() -> None:
    assert list(parse_rows('a\n"b\nc"\nd\n')) == [(1, ["a"]), (2, ["b\nc"]), (4, ["d"])]


def test_progress_counts_the_lines() -> None:
    steps: list[tuple[str, int, int]] = []

    def note(*step: Any) -> None:
        steps.append(step)

    read_rows(COMMAS.encode(), COLUMNS, ("name",), note)

    assert steps == [("reading lines", 2, 3), ("reading lines", 3, 3)]


def test_rows_are_written_with_commas_and_line_feeds() -> None:
    rows = [["id", "name"], [1, "Ada, of Rooks"]]

    assert write_csv(rows) == 'id,name\n1,"Ada, of Rooks"\n'
    assert write_csv(rows, byte_order_mark=True) == "\ufeff" + write_csv(rows)
    assert list(csv.reader(io.StringIO(write_csv(rows))))[1] == ["1", "Ada, of Rooks"]


FULL_WIDTH = ["\uff1dSUM(A1)", "\uff0b1", "\uff0d1", "\uff20home"]


def test_a_formula_gets_an_apostrophe() -> None:
    for formula in ("=A1", "+1", "-1", "@home", "\tA1", *FULL_WIDTH):
        assert escape_formula(formula) == f"'{formula}"


@given(st.text(st.sampled_from("='+-@A "), max_size=6))
def test_unescaping_gives_the_escaped_text_back(name: str) -> None:
    assert unescape_formula(escape_formula(name)) == name


@pytest.mark.parametrize("name", ["=SUM(A1)", "'quoted'", "-1", "'"])
def test_a_formula_is_a_valid_name(name: str) -> None:
    for written in (name, escape_formula(name)):
        ((_, row),) = read_rows(f"name\n{written}\n".encode(), COLUMNS, ("name",)).rows
        assert row["name"] == name


def test_text_without_a_formula_is_written_as_it_is() -> None:
    assert [escape_formula(name) for name in ("Ana-Lía", "", "a=b")] == ["Ana-Lía", "", "a=b"]


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        ("1887", 1887), ("1887.4", 1887), ("1887,5", 1888), ("1887.49", 1887), ("", None),
        ("0", 0), ("0.0", 0), ("100", 100), ("4000", 4000), ("999,5", 1000), ("100.125", 100),
    ],
)  # fmt: skip
def test_a_rating_is_rounded_a_half_up(value: str, rounded: int | None) -> None:
    assert rating_column(value) == rounded


@pytest.mark.parametrize("sign", [".", ",", "\u202f"])
def test_a_sign_after_the_thousands(sign: str) -> None:
    assert rating_column(f"1{sign}900") == 1900
    assert rating_column(f"2{sign}250{',' if sign == '.' else '.'}5") == 2251


@pytest.mark.parametrize(
    ("value", "rating"),
    [
        ("-", 0), ("–", 0), ("n/a", 0), ("unr.", 0), ("UNR", 0), ("NC", 0), ("0000", 0),
        ("1830 F", 1830), ("1499 N", 1499), ("1873-45", 1873), ("1873 - 4", 1873), ("950E", 950),
        ("2020.0", 2020),
    ],
)  # fmt: skip
def test_how_programs_write_a_rating_or_none(value: str, rating: int) -> None:
    assert rating_column(value) == rating


@pytest.mark.parametrize(
    "value",
    [
        "4000.5", "1e3", "-1.5", "1830 X", "187345-", "18-1873",
        "١.٥", "99.9", "0.5", "1.90", "4.001", "1.900.000", "01.900",
    ],
)  # fmt: skip
def test_what_is_no_rating(value: str) -> None:
    with pytest.raises(ValueError, match="is not a rating from 100 to 4000, or 0 for none"):
        rating_column(value)
