"""Sheets to print: PDFs for those who may see them, with every name readable or as code points."""

import pytest
from django.conf import settings

from games.core.tables import typesetting
from games.play import sheets as record_sheets
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, problem_in
from tests.tournament.sheets import NAMES, SheetData, make_sheet_event
from tournament.entries import cards

pytestmark = pytest.mark.any_database

SHEETS = [
    "standings.pdf",
    "crosstable.pdf?shape=square",
    "cards.pdf",
    "rounds/1/pairings.pdf?by=name",
    "rounds/1/slips.pdf",
    "rounds/1/sheets.pdf",
]
"""One of each template and shape."""


@pytest.fixture(scope="module")
def printable(rows_of_module: None) -> Event:
    return make_sheet_event(make_person("Olga"))


@pytest.fixture
def event(db: None, printable: Event) -> Event:
    return printable.again()


def test_each_sheet_is_a_pdf_in_the_paper_of_the_reader(
    anonymous: Person, event: Event, printed: SheetData
) -> None:
    for sheet in SHEETS:
        answer = anonymous.get(f"{event.path}/{sheet}{'&' if '?' in sheet else '?'}paper=letter")

        assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf"), sheet
        assert answer.content.startswith(b"%PDF-")
        assert answer["Content-Disposition"].startswith('inline; filename="spring.')
        data = printed[-1]
        assert (data["title"], data["paper"]) == ("Spring Open", "letter")
        assert data["place"] == "Câmara, 1 May 2026 to 3 May 2026"
        assert data["printed"] == "printed 2 May 2026, 21:00"
        assert data["source"] == f"{settings.PUBLIC_URL}/e/spring"


def test_letters_without_a_font_are_printed_in_latin_ones(
    anonymous: Person, event: Event, printed: SheetData
) -> None:
    assert anonymous.get(f"{event.path}/standings.pdf").status_code == 200

    (part,) = printed[-1]["parts"]
    assert {row[2] for row in part["rows"]} == {*NAMES} - {"春日 Tarō"} | {"[ChunRi] Tarō"}
    assert printed[-1]["name_note"].endswith(": [ChunRi] Tarō.")
    assert printed[-1]["script_note"]


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("翔太" * 40, f"[{('XiangTai' * 8)[:60]}]"),
        ("♟", "[chess_pawn]"),
        ("\ue000", "[E000]"),
        ("ー", "[30FC]"),
    ],
)
def test_the_latin_letters_of_others(letters: str, expected: str) -> None:
    assert typesetting.in_latin(letters) == expected


class TestLargeSheets:
    def test_a_wide_table_is_split_and_repeats_number_and_name(
        self, organiser: Person, anonymous: Person, printed: SheetData
    ) -> None:
        event = make_event(organiser, slug="wide", rounds=1)
        event.enter(*make_players(60))
        event.step("open", "start").play(1)

        address = f"{event.path}/crosstable.pdf?shape=square&order=number"
        assert anonymous.get(address).status_code == 200

        data = printed[-1]
        titles = [[column["title"] for column in part["columns"]] for part in data["parts"]]
        assert data["flipped"]
        assert len(titles) > 1
        assert min(map(len, titles)) > max(map(len, titles)) / 2
        assert {tuple(part[:2]) for part in titles} == {("Line", "Name")}
        across = [title for part in titles for title in part[2:]]
        assert across == [*(str(number) for number in range(1, 61)), "Points"]

    def test_a_sheet_that_is_too_large_is_rejected(
        self, anonymous: Person, event: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(typesetting, "MOST_TABLE_CELLS", 2)
        monkeypatch.setattr(cards, "MOST_SLIP_CODES", 2)
        monkeypatch.setattr(record_sheets, "MOST_SHEETS", 2)

        for sheet in ("standings.pdf", "cards.pdf", "rounds/1/slips.pdf", "rounds/1/sheets.pdf"):
            problem_in(anonymous.get(f"{event.path}/{sheet}"), 422, "too_many_for_paper")

    @pytest.mark.parametrize(
        ("limit", "value", "status", "code"),
        [("MEMORY", 64 << 20, 422, "too_many_for_paper"), ("SECONDS", 0, 503, "printing")],
    )
    def test_a_sheet_that_needs_more_than_one_may_have_is_rejected(
        self, anonymous: Person, event: Event, monkeypatch: pytest.MonkeyPatch,
        limit: str, value: int, status: int, code: str,
    ) -> None:  # fmt: skip
        with monkeypatch.context() as patch:
            patch.setattr(typesetting, limit, value)
            problem_in(anonymous.get(f"{event.path}/cards.pdf"), status, code)

        assert anonymous.get(f"{event.path}/cards.pdf").status_code == 200

    def test_one_sheet_is_printed_at_a_time(
        self, anonymous: Person, event: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(typesetting, "LONGEST_PDF_WAIT", 0.01)

        with typesetting.LOCK:
            answer = anonymous.get(f"{event.path}/cards.pdf")

        problem_in(answer, 503, "printing")
        assert int(answer["Retry-After"]) > 0
        assert anonymous.get(f"{event.path}/cards.pdf").status_code == 200

    def test_few_sheets_wait_for_another(self, anonymous: Person, event: Event) -> None:
        for _ in range(3):
            typesetting.LINE.acquire()
        try:
            answer = anonymous.get(f"{event.path}/cards.pdf")  # at once, holding no thread
        finally:
            typesetting.LINE.release(3)
        problem_in(answer, 503, "printing")
        assert anonymous.get(f"{event.path}/cards.pdf").status_code == 200


def test_an_event_without_players_is_printed(
    organiser: Person, anonymous: Person, printed: SheetData
) -> None:
    event = make_event(organiser, slug="open").step("open")

    for sheet in ("standings.pdf", "crosstable.pdf", "prizes.pdf", "clubs.pdf", "cards.pdf"):
        assert anonymous.get(f"{event.path}/{sheet}").status_code == 200
    assert {data["script_note"] for data in printed} == {""}
