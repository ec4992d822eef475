"""The rows of a seeds file: the players' ratings before their first game."""

import re

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

COLUMNS = ("player", "rating")
RATING = re.compile(r"(-?)([0-9]{1,5})(?:\.([0-9]{1,3}))?")


def read_seeds(rows: Rows) -> dict[str, int]:
    """Return the rating in milli of each player; raises BadFile with lines and columns."""
    rows = iter(rows)
    names = read_header(rows, COLUMNS, ())
    seeds: dict[str, int] = {}

    def convert(chunk: list[Row]) -> None:
        for row in chunk:
            check_length(row, names)
            cells = {name: strip_cell(name, cell) for name, cell in zip(names, row, strict=True)}
            player = check_player("player", cells["player"])
            if player in seeds:
                raise BadCell("player", f"{player!r} is listed twice")
            seeds[player] = _parse_rating(cells["rating"])

    convert_rows(rows, convert, chunk_size=1)
    return seeds


def _parse_rating(text: str) -> int:
    found = RATING.fullmatch(text)
    if found is None:
        raise BadCell("rating", f"is {text!r}; expected up to three decimals: 1500.250")
    milli = int(found[2]) * MILLI + int((found[3] or "").ljust(3, "0"))
    return -milli if found[1] else milli
