"""Add the players that a person has chosen to the lines of a file that were ambiguous."""

import csv
import io
from collections.abc import Mapping
from typing import Final

from games.core.uploads.csv import delimiter_of, first_line_of, parse_rows

COLUMN: Final = "player"


def add_chosen_players(text: str, chosen: Mapping[int, str]) -> str:
    """Return a file whose column `player` names the players of these lines: an id, or `new`.

    The first line that is not empty names the columns; the column is added if the file has none.
    Raises BadRequest where the text is not CSV.
    """
    delimiter = delimiter_of(first_line_of(text))
    output = io.StringIO()
    writer = csv.writer(output, delimiter=delimiter, lineterminator="\n")
    header: list[str] | None = None
    for line, row in parse_rows(text, delimiter=delimiter):
        if not any(value.strip() for value in row):
            writer.writerow([])
        elif header is None:
            header = [value.strip().lower() for value in row]
            writer.writerow(row if COLUMN in header else [*row, COLUMN])
        elif COLUMN in header:
            index = header.index(COLUMN)
            value = chosen.get(line, row[index] if index < len(row) else "")
            writer.writerow([*row[:index], value, *row[index + 1 :]])
        else:
            writer.writerow([*row, chosen.get(line, "")])
    return output.getvalue()


def add_chosen_seats(text: str, chosen: Mapping[tuple[int, str], int | str]) -> str:
    """Return a file of records with tags that name players: an id, or `new`.

    The key is the first line of a record, counted from 1, and the tag of a seat: the player of
    `(10, "First")` becomes the tag `FirstId` in front of line 10.
    """
    lines = text.split("\n")
    for (line, seat), player in sorted(chosen.items(), reverse=True):
        if 0 < line <= len(lines):
            lines.insert(line - 1, f'[{seat}Id "{player}"]')
    return "\n".join(lines)
