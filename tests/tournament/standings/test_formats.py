"""The formats of `manage.py standings`: CSV, JSON, text and HTML of one document."""

import csv
import io

from games.core.tables.csv import CsvRenderer
from games.core.tables.html import HtmlRenderer
from games.core.tables.table import TableDocument
from games.core.tables.text import TextRenderer
from tests.tournament.pairing.events import event
from tournament.standings.crosstable import Competitor, Crosstable
from tournament.standings.table import rank
from tournament.standings.tiebreaks import parse_codes
from tournament.tables.ranking import ranking_document


def ranking(crosstable: Crosstable, codes: str = "PTS") -> TableDocument:
    return ranking_document("A & B", crosstable, rank(crosstable, codes), parse_codes(codes))


def named(*names: str) -> TableDocument:
    players = tuple(Competitor(number=n, name=name) for n, name in enumerate(names, start=1))
    return ranking(Crosstable(players=players, rounds=1))


def csv_rows(document: TableDocument) -> list[list[str]]:
    return list(csv.reader(io.StringIO(CsvRenderer().render(document))))


def test_csv_can_begin_with_a_byte_order_mark() -> None:
    text = CsvRenderer().render(named("Ana"), None, {"byte_order_mark": True})
    assert text.startswith("\ufeffrank,")


def test_undefined_values_are_empty_in_csv_and_null_in_json() -> None:
    document = ranking(event("2f=\n1s=\nU"), "ARO")
    assert csv_rows(document)[-1] == ["1", "3", "", ""]
    assert document.body["rows"][-1]["values"] == {"ARO": None}


def test_text_columns_are_aligned() -> None:
    assert TextRenderer().render(named("Ana", "Łukasz Wierzbicki")) == (
        "rank  number  name               PTS\n"
        "   1       1  Ana                  0\n"
        "   1       2  Łukasz Wierzbicki    0\n"
    )


def test_html_escapes_names() -> None:
    page = HtmlRenderer().render(named("<script>alert(1)</script>"))
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<h1>A &amp; B</h1>" in page
