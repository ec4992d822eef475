"""Days as people write them, alone and beside others of the same file."""

from datetime import date

import pytest

from games.core.dates import clear_dates, possible_dates

ALONE = {
    "2005-07-28": [date(2005, 7, 28)],
    "2005/7/28 10:00": [date(2005, 7, 28)],
    "28. 07. 2005": [date(2005, 7, 28)],
    "30. Jänner 2020": [date(2020, 1, 30)],
    "20050728": [date(2005, 7, 28)],
    "28072005": [date(2005, 7, 28)],
    "May 29, 2020": [date(2020, 5, 29)],
    "Freitag, den 29. Mai 2020": [date(2020, 5, 29)],
    "1er juin 2020": [date(2020, 6, 1)],
    "29 de mayo de 2020": [date(2020, 5, 29)],
    "sab 2 mag 2020": [date(2020, 5, 2)],
    "29-Sept-2020": [date(2020, 9, 29)],
    "04/05/2025": [date(2025, 5, 4), date(2025, 4, 5)],
    "May 29-31, 2020": [],
    "2027/13/32": [],
    "29 Brumaire 2020": [],
    "29.05.20": [],
    "": [],
}


@pytest.mark.parametrize("text", ALONE)
def test_what_a_date_can_mean(text: str) -> None:
    assert list(dict.fromkeys(possible_dates(text).values())) == ALONE[text]


MAY, JUNE = date(2025, 5, 4), date(2025, 6, 5)


@pytest.mark.parametrize(
    ("texts", "between", "days"),
    [
        (["04/05/2025", "15/06/2025"], [], [MAY, date(2025, 6, 15)]),
        (["04/05/2025", "05/06/2025"], [], [None, None]),
        (["04/05/2025", "05/06/2025"], [date(2025, 5, 25)], [MAY, JUNE]),
        (["04/05/2025", "03/06/2025"], [], [MAY, date(2025, 6, 3)]),  # not 5 April to 6 March
        (["04/04/2025", "04/04/2025"], [], [date(2025, 4, 4)] * 2),
        (["04/05/2025", ""], [], [None, None]),
        (["2025-05-04", "05/06/2025"], [], [MAY, None]),
        (["06/15/2025", "15/06/2025"], [], [date(2025, 6, 15)] * 2),
        (["2025-06-05", "2025-05-04"], [], [JUNE, MAY]),
    ],
)
def test_the_dates_of_a_file_decide_each_other(
    texts: list[str], between: list[date], days: list[date | None]
) -> None:
    assert clear_dates(texts, between) == days
