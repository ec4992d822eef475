"""Days as people and programs write them: `2005-07-28`, `28. 07. 2005`, `May 29, 2020`.

`04/05/2025` is a day of May or of April; another date of the same file can decide it.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from itertools import pairwise
from typing import Final

from babel import Locale

from games.names import fold_name

FIRST_YEAR, LAST_YEAR = 1900, 2199
LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "pl")
"""In which a date can name its month."""
YEAR_FIRST: Final = re.compile(r"(\d{4})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{1,2})(?!\d)", re.ASCII)
YEAR_LAST: Final = re.compile(r"(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{4})(?!\d)", re.ASCII)
DIGITS: Final = re.compile(r"[0-9]{8}")
PARTS: Final = re.compile(r"[0-9]+|[^\W\d_]+")
LONGEST: Final = 60
FILLERS: Final = frozenset(
    {"a", "de", "del", "den", "der", "di", "do", "el", "er", "il", "le", "nd", "of", "rd", "st"}
    | {"th", "the"}
)
"""Words of a date beside its weekday and its month."""
DAY_FIRST, MONTH_FIRST = "day first", "month first"
Order = str


def possible_dates(text: str) -> Mapping[Order, date]:
    """Return what a text with a date at its beginning can mean, by the order of day and month.

    A date that is clear by itself is the same in both orders; without any date it has none.
    """
    text = text.strip()[:LONGEST]
    if found := YEAR_FIRST.match(text):
        return _in_both(_date(*map(int, found.groups())))
    if found := YEAR_LAST.match(text):
        first, second, year = map(int, found.groups())
        days = {
            DAY_FIRST: _date(year, second, first),
            MONTH_FIRST: _date(year, first, second),
        }
        return {order: day for order, day in days.items() if day}
    if DIGITS.fullmatch(text):
        return _in_both(
            _date(int(text[:4]), int(text[4:6]), int(text[6:]))
            or _date(int(text[4:]), int(text[2:4]), int(text[:2]))
        )
    return _in_both(_with_named_month(text))


def clear_dates(texts: Sequence[str], between: Sequence[date] = ()) -> list[date | None]:
    """Return the days that texts of one file mean, the first and the last; None where unclear.

    They are written in one order of day and month, not later than the next one, and include the
    days `between`.
    """
    possible = [possible_dates(text) for text in texts]
    fitting = [
        days
        for order in (DAY_FIRST, MONTH_FIRST)
        if (days := [dates.get(order) for dates in possible]) and _fits(days, possible, between)
    ]
    if not fitting:
        return [_only(dates) for dates in possible]
    return [days[0] if len(set(days)) == 1 else None for days in zip(*fitting, strict=True)]


def _fits(
    days: Sequence[date | None], possible: Sequence[Mapping[Order, date]], between: Sequence[date]
) -> bool:
    """Return True if an order gives each text its date, in a possible sequence."""
    if any(dates and not day for day, dates in zip(days, possible, strict=True)):
        return False
    known = [day for day in days if day]
    is_ordered = all(first <= second for first, second in pairwise(known))
    return is_ordered and all(known[0] <= day <= known[-1] for day in between if len(known) > 1)


def _only(dates: Mapping[Order, date]) -> date | None:
    days = set(dates.values())
    return days.pop() if len(days) == 1 else None


def _in_both(day: date | None) -> Mapping[Order, date]:
    return dict.fromkeys((DAY_FIRST, MONTH_FIRST), day) if day else {}


def _with_named_month(text: str) -> date | None:
    """Return the day of `May 29, 2020` or `Freitag, 29. Mai 2020`."""
    parts = PARTS.findall(fold_name(text))
    numbers = [part for part in parts if part.isdecimal()]
    months = [month for part in parts if (month := _months().get(part))]
    known = _months().keys() | _weekdays() | FILLERS
    if len(numbers) != 2 or len(months) != 1 or not known.issuperset({*parts} - {*numbers}):
        return None
    day, year = sorted(numbers, key=len)
    return _date(int(year), months[0], int(day)) if len(year) == 4 and len(day) < 3 else None


@cache
def _months() -> Mapping[str, int]:
    """Return the months by their folded names; one that means two months in two languages none."""
    found: dict[str, set[int]] = {}
    for language in LANGUAGES:
        months = Locale(language).months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for month, name in months[context][width].items():
                    for part in PARTS.findall(fold_name(name)):
                        found.setdefault(part, set()).add(month)
    found.setdefault("sept", set()).add(9)
    found.setdefault("mrz", set()).add(3)
    found.setdefault("janner", set()).add(1)
    return {name: months.pop() for name, months in found.items() if len(months) == 1}


@cache
def _weekdays() -> frozenset[str]:
    return frozenset(
        part
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for name in Locale(language).days["format"][width].values()
        for part in PARTS.findall(fold_name(name))
    )


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None
