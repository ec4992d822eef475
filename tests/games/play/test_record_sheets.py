"""`rulesets/{code}/sheet.pdf`: a blank record sheet of each game."""

import re

import pytest

from games.core.errors import Unprocessable
from games.core.tables.pdf import SheetFrame
from games.play import sheets
from games.play.sheets import PAGE_HEIGHTS, RecordSheet, print_record_sheets
from games.rules.conditions import Conditions
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

QUICK = {("star-star", "10", "a4"), ("queens", "10", "letter")}
"""The others only run in `make test-long`: each takes a quarter of a second."""
BOARDS = [
    pytest.param(
        code, board, paper, marks=() if (code, board, paper) in QUICK else pytest.mark.long
    )
    for code, rules in GAMES.items()
    for board in sorted({rules.boards[0], rules.boards[-1]})
    for paper in PAGE_HEIGHTS
    for case in [(code, board, paper)]
]


def conditions(code: str, board: str, **tags: str) -> Conditions:
    return read_conditions({"Game": code, "Board": board, **tags})


def pages_of(content: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", content))


@pytest.mark.parametrize(("code", "board", "paper"), BOARDS)
def test_a_sheet_of_each_board_fits_its_pages(code: str, board: str, paper: str) -> None:
    """As many lines fit as are drawn: neither page continues on another one."""
    frame = SheetFrame(title="x", place="", source="x", printed="x", paper=paper)
    sheet = RecordSheet(conditions=conditions(code, board), place="Round 1, board 1")

    one, three = (print_record_sheets([sheet] * count, frame, "x") for count in (1, 3))

    assert pages_of(one) in (1, 2)
    assert pages_of(three) == 3 * pages_of(one)


def test_a_limited_number_of_sheets_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_SHEETS", 2)
    frame = SheetFrame(title="x", place="", source="x", printed="x", paper="a4")
    one, other = (RecordSheet(conditions=conditions("hex", board)) for board in ("3", "4"))
    assert pages_of(print_record_sheets([one, other], frame, "x")) == 2
    with pytest.raises(Unprocessable) as caught:
        print_record_sheets([one, other, one], frame, "x")
    assert caught.value.code == "too_many_for_paper"
