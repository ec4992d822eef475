"""Lines of a spreadsheet, as the many programs write them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.http.errors import ApiError
from games.imports.csv import country, number_to, read_lines, rearmed, words
from ratings.systems.lists import without_formula

COLUMNS = {"name": words(20), "country": country, "seed_rating": number_to(4000)}
PEOPLE = [
    (2, {"name": "Zoë Š", "country": "POR", "seed_rating": 1900}),
    (3, {"name": "Ben", "country": "", "seed_rating": None}),
]
COMMAS = "name,country,seed_rating\nZoë Š,por,1900\nBen,,\n"
QUOTED = '"name","country","seed_rating"\n"Zoë Š","POR","1900"\n"Ben","",""\n'

SAME: dict[str, bytes] = {
    "commas": COMMAS.encode(),
    "semicolons": COMMAS.replace(",", ";").encode(),
    "tabs": COMMAS.replace(",", "\t").encode(),
    "every value quoted": QUOTED.encode(),
    "a byte order mark": b"\xef\xbb\xbf" + COMMAS.encode(),
    "a byte order mark before a quote": b"\xef\xbb\xbf" + QUOTED.encode(),
    "Windows-1252": COMMAS.encode("cp1252"),
    "CRLF": COMMAS.replace("\n", "\r\n").encode(),
    "CR alone": COMMAS.replace("\n", "\r").encode(),
    "no end of the last line": COMMAS.rstrip("\n").encode(),
    "empty lines at the end": COMMAS.encode() + b"\n\r\n \n,,\n , ,\n",
    "capitals and spaces": COMMAS.replace(
        "name,country,seed_rating", "NAME,Country, Seed  Rating "
    ).encode(),
    "spaces around": COMMAS.replace(",", " , ").encode(),
    "empty columns at the end": b"name,country,seed_rating,,\nZo\xc3\xab \xc5\xa0,POR,1900,,\n"
    b"Ben,,,,\n",
    "fewer empty columns than named": b"name,country,seed_rating,,\nZo\xc3\xab \xc5\xa0,POR,1900\n"
    b"Ben,,\n",
    "another order": "seed_rating,name,country\n1900,Zoë Š,POR\n,Ben,\n".encode(),
}


@pytest.mark.parametrize("content", SAME.values(), ids=SAME)
def test_the_usual_dialects_say_the_same(content: bytes) -> None:
    assert read_lines(content, COLUMNS, ("name",)) == PEOPLE


def test_latin_1_where_windows_has_no_letter() -> None:
    (line,) = read_lines("name\nZoë\x9d\n".encode("latin-1")[:-2] + b"\n", COLUMNS, ("name",))

    assert line == (2, {"name": "Zoë"})


REFUSED: dict[str, tuple[bytes, str, str]] = {
    "nothing": (b"", "wrong_columns", "it is ''"),
    "a byte order mark alone": (b"\xef\xbb\xbf", "wrong_columns", "it is ''"),
    "no header": (b"Ada,POR,1900\n", "wrong_columns", "unknown: ada, por, 1900"),
    "an unknown column": (b"name,colour\nAda,red\n", "wrong_columns", "unknown: colour"),
    "a column twice": (b"name,Name\nAda,Ada\n", "wrong_columns", "each once"),
    "a column without a name": (b"name,,country\nAda,,POR\n", "wrong_columns", "each once"),
    "none that is needed": (b"country\nPOR\n", "wrong_columns", "with name among them"),
    "too many values": (b"name,country\nAda,POR,1\n", "invalid_lines", "line 2: 2 values"),
    "too few": (b"name,country\nAda,POR\nBen\n", "invalid_lines", "line 3: 2 values are due"),
    "an open quote": (b'name\n"Ada\n', "unreadable_csv", "line 2"),
    "a quote in the middle": (b'name\n"Ada"x\n', "unreadable_csv", "line 2"),
    "two lines in one value": (b'name\n"A\nda"\n', "invalid_lines", "line breaks"),
    "a value without an end": (b"name\n" + b"x" * 200_000, "unreadable_csv", "line 2"),
    "a NUL": (b"name\nA\0da\n", "nul_byte", "NUL"),
    "UTF-16": ("name\nAda\n".encode("utf-16"), "nul_byte", "NUL"),
    "a control character of latin-1": (b"name\nAda\x81\n", "invalid_lines", "control characters"),
    "letters turned round": ("name\nA\u202eda\n".encode(), "invalid_lines", "control characters"),
    "nothing to be seen": ("name\n\u200b\u00a0\u200d\n".encode(), "invalid_lines", "to be seen"),
    "a long name": (b"name\n" + b"x" * 21 + b"\n", "invalid_lines", "at most 20"),
    "digits of elsewhere": ("name,seed_rating\nA,١٢\n".encode(), "invalid_lines", "no whole"),
    "a fraction": (b"name,seed_rating\nA,1900.5\n", "invalid_lines", "line 2, seed_rating"),
    "too many lines": (b"name\n" + b"A\n" * 20_001, "too_many_lines", "at most 20000"),
}


@pytest.mark.parametrize(("content", "code", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_none_is_refused_saying_where(content: bytes, code: str, told: str) -> None:
    with pytest.raises(ApiError) as caught:
        read_lines(content, COLUMNS, ("name",))

    assert caught.value.code == code
    assert told in caught.value.detail


def test_all_faults_are_told_with_their_lines() -> None:
    with pytest.raises(ApiError) as caught:
        read_lines(b"name,country,seed_rating\nA,XX,-1\n\nB,POR,1\nC,POR\n", COLUMNS, ("name",))

    assert [(one["line"], one["pointer"]) for one in caught.value.errors] == [
        (2, "/2/country"),
        (2, "/2/seed_rating"),
        (5, "/5/"),
    ]


def test_progress_counts_the_lines() -> None:
    told: list[tuple[str, int, int]] = []

    def note(*step: Any) -> None:
        told.append(step)

    read_lines(COMMAS.encode(), COLUMNS, ("name",), note)

    assert told == [("reading lines", 2, 3), ("reading lines", 3, 3)]


@given(st.text(st.sampled_from("='+-@A "), max_size=6))
def test_a_name_that_was_disarmed_comes_back(name: str) -> None:
    assert rearmed(without_formula(name)) == name


@pytest.mark.parametrize("name", ["=SUM(A1)", "'quoted'", "-1", "@home", "''", "'"])
def test_formulas_are_names_like_others(name: str) -> None:
    for written in (name, without_formula(name)):
        ((_, line),) = read_lines(f"name\n{written}\n".encode(), COLUMNS, ("name",))
        assert line["name"] == name
