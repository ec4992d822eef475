"""The rows of a seeds file: ratings before the first game, and what decides K besides these.

K depends on the rated games before (in Elo and FIDE's system), and in FIDE's on the year of birth
and on a rating of 2400 at any time (8.3.3).
"""

import re
from typing import NamedTuple

from games.rules.ratings import LOWEST_RATING, read_rating
from ratings.systems.elo import MILLI
from ratings.systems.file_rows import (
    BadCell,
    Row,
    Rows,
    check_length,
    check_player,
    convert_rows,
    read_header,
    strip_cell,
)
from ratings.systems.presets import Start

SEEDS_FILE_COLUMNS = ("player", "rating")
OPTIONAL_COLUMNS = ("birth_year", "games", "reached_2400")
YEAR_OF_RATING = re.compile(r"(?:19|20)[0-9]{2}")
MOST_POINTS = 99_999
NUMBER_OF_GAMES = re.compile(r"[0-9]{1,6}", re.ASCII)
ANSWERS = {"": False, "no": False, "yes": True}


class Seed(NamedTuple):
    """Where a player starts from, and their year of birth, None if unknown."""

    start: Start
    birth_year: int | None


def read_seeds(rows: Rows) -> dict[str, Seed]:
    """Return the seed of each player; raises BadFile with lines and columns."""
    rows = iter(rows)
    names = read_header(rows, SEEDS_FILE_COLUMNS, OPTIONAL_COLUMNS)
    seeds: dict[str, Seed] = {}

    def convert(row: Row) -> None:
        check_length(row, names)
        cells = {name: strip_cell(name, cell) for name, cell in zip(names, row, strict=True)}
        player = check_player("player", cells["player"])
        if player in seeds:
            raise BadCell("player", f"{player!r} is listed twice")
        birth_year = _parse_year(cells.get("birth_year", ""))
        games = _parse_games(cells.get("games", ""))
        reached_2400 = _parse_answer(cells.get("reached_2400", ""))
        has_rating = bool(cells["rating"]) or birth_year is None
        rating = _parse_rating(cells["rating"]) if has_rating else None
        if rating is None and (games or reached_2400):
            column = "games" if games else "reached_2400"
            raise BadCell(column, "is that of a rating, but the player has none")
        seeds[player] = Seed(Start(rating, games, reached_2400), birth_year)

    convert_rows(rows, convert)
    return seeds


def _parse_rating(text: str) -> int:
    written = read_rating(text)
    if written is None or written.whole > MOST_POINTS or len(written.decimals) > 3:
        raise BadCell(
            "rating", f"is {text!r}; expected at most 99999.999 with three decimals: 1500.250"
        )
    if written.whole < LOWEST_RATING:
        raise BadCell("rating", f"is {text!r}; no rating is below {LOWEST_RATING}")
    return written.whole * MILLI + int(written.decimals.ljust(3, "0"))


def _parse_year(text: str) -> int | None:
    if text and not YEAR_OF_RATING.fullmatch(text):
        raise BadCell("birth_year", f"is {text!r}; expected a year such as 2008, or nothing")
    return int(text) if text else None


def _parse_games(text: str) -> int:
    if text and not NUMBER_OF_GAMES.fullmatch(text):
        raise BadCell("games", f"is {text[:20]!r}; expected the number of rated games, or nothing")
    return int(text or 0)


def _parse_answer(text: str) -> bool:
    if text not in ANSWERS:
        raise BadCell("reached_2400", f"is {text[:20]!r}; expected yes, no or nothing")
    return ANSWERS[text]
