"""The time control of a TRF as minutes and increment: record 222, and usual words of record 122.

Record 222 is exact (TRF26): periods divided by a colon, each of seconds, after the number of its
moves and before the seconds added for each move: `40/6000+30:900+30`. Record 122 is free text, of
which only what has one meaning is read:

    15 min + 10 s              each part has a unit; also in German and French
    15+10, 15 min + 10         of two parts without moves, the second is seconds for each move
    90/40+30+30s/move          90 minutes for 40 moves, as 40/90; before an increment with a unit,
                               a number alone is minutes
    1h30 for 40 moves + 30'    the periods are added

A time that is not the same for all, or not in whole minutes, and an increment that begins later
than the game, are not read.
"""

import re
from typing import Final, NamedTuple

MOST_TIME_CONTROL_CHARACTERS: Final = 200
MOST_BARE_MINUTES: Final = 120
"""A larger number without a unit may be one of seconds, as in `300+3`."""

USUAL_MOVES: Final = 40
"""The number of moves by which a stroke between two numbers is understood."""

_HOURS = r"(?:hours?|hrs?|stunden?|std|heures?|h)\.?"
_MINUTES = r"(?:minut(?:es?|en)|mins?|mn|m|')\.?"
_SECONDS = r"(?:second(?:e?s)?|sekunden?|secs?|sek|s|\")\.?"
_MOVES = r"(?:moves?|züge|zug|coups?)"
_FOR = r"(?:/|x|×|for|in|für|pour)"
_REST = (
    r"(?:for |to )?(?:the )?(?:rest|end|finish)(?: of the game)?"
    r"|(?:/|a |per |pro |par |each )\s*(?:player|game|spieler|partie|joueur)|each"
)
_TIME = rf"(?:(\d{{1,2}})\s*{_HOURS}\s*(?:(\d{{1,2}})\s*(?:{_MINUTES})?)?|(\d{{1,4}})\s*{_MINUTES})"
_PERIOD = re.compile(
    rf"{_TIME}(?P<moves>\s*{_FOR}\s*\d{{1,3}}(?:\s*{_MOVES})?)?(?:\s*(?:{_REST}))?", re.ASCII
)
_MOVES_FIRST = re.compile(rf"\d{{1,3}}\s*{_MOVES}\s*(?:/|in|en)\s*{_TIME}", re.ASCII)
_STROKE = re.compile(r"(\d{1,3})\s*/\s*(\d{1,3})", re.ASCII)
_BARE = re.compile(r"\d{1,3}", re.ASCII)
_INCREMENT = re.compile(
    rf"(?:an? )?(?:increment of )?(\d{{1,3}})\s*{_SECONDS}(?:\s*(?:increment|inc|delay)\.?)?"
    rf"(?:\s*(?:/|per|pro|par|a|each|for each|for every)\s*{_MOVES})?"
    r"(?:\s*(?:from|ab|dès) (?:the first move|move 1|zug 1|le coup 1))?",
    re.ASCII,
)
_DIVIDER = re.compile(r"\s*(?:[+,;]|\b(?:plus|and|with|und|mit|et|avec)\b)\s*")
_ENCODED = re.compile(r"(?:\d{1,3}/)?(\d{1,5})(?:\+(\d{1,3}))?", re.ASCII)
_SIGNS = str.maketrans({"’": "'", "′": "'", "´": "'", "”": '"', "″": '"', "“": '"'})


class WrittenTime(NamedTuple):
    """The main time of each player in minutes, and the seconds added for each move."""

    main_minutes: int
    increment_seconds: int = 0


def read_encoded_time(text: str) -> WrittenTime | None:
    """Return the time of record 222; None if it is not one time for all, in whole minutes."""
    main, increments = 0, set()
    for part in text.strip()[: MOST_TIME_CONTROL_CHARACTERS + 1].split(":"):
        period = _ENCODED.fullmatch(part)
        if period is None:
            return None
        main += int(period[1])
        increments.add(int(period[2] or 0))
    if main % 60 or len(increments) > 1:
        return None
    return WrittenTime(main // 60, *increments)


def write_encoded_time(main_minutes: int | None, increment_seconds: int) -> str:
    """Return record 222 for a time control; empty if no time is stated."""
    if main_minutes is None:
        return ""
    increment = f"+{increment_seconds}" if increment_seconds else ""
    return f"{60 * main_minutes}{increment}"


def read_written_time(text: str) -> WrittenTime | None:
    """Return the time that the words of record 122 state; None unless they have one meaning."""
    words = " ".join(text.translate(_SIGNS).replace("''", '"').lower().split())
    if len(words) > MOST_TIME_CONTROL_CHARACTERS:
        return None
    *periods, last = _DIVIDER.split(words)
    increment = _INCREMENT.fullmatch(last)
    if increment is not None:
        return _add_periods(periods, int(increment[1]), can_be_bare=True)
    if len(periods) == 1 and _BARE.fullmatch(last):
        found = _PERIOD.fullmatch(periods[0])
        has_moves = found["moves"] if found else not _BARE.fullmatch(periods[0])
        # After a number of moves, it may be the minutes of another period.
        return None if has_moves else _add_periods(periods, int(last), can_be_bare=True)
    return _add_periods([*periods, last], 0, can_be_bare=False)


def _add_periods(
    periods: list[str], increment_seconds: int, *, can_be_bare: bool
) -> WrittenTime | None:
    """Return the sum of the periods; None if one cannot be read, or there is none."""
    total = 0
    for period in periods:
        minutes = _read_period(period, can_be_bare=can_be_bare)
        if not minutes:
            return None
        total += minutes
    return WrittenTime(total, increment_seconds) if periods else None


def _read_period(text: str, *, can_be_bare: bool) -> int | None:
    """Return the minutes of a period; None if it cannot be read."""
    if _BARE.fullmatch(text):
        return int(text) if can_be_bare and int(text) <= MOST_BARE_MINUTES else None
    if stroke := _STROKE.fullmatch(text):
        numbers = sorted((int(stroke[1]), int(stroke[2])), key=lambda number: number != USUAL_MOVES)
        return numbers[1] if numbers[0] == USUAL_MOVES else None
    found = _PERIOD.fullmatch(text) or _MOVES_FIRST.fullmatch(text)
    if found is None:
        return None
    hours, further, minutes = (int(number or 0) for number in found.groups()[:3])
    return 60 * hours + further + minutes
