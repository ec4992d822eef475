"""The players of a plan as lines of text, as people paste them from a list.

A line is a rating, after it the error of the rating if it is known, and before it a name if there
is one, separated by tabs, semicolons or commas: `1850`, `1850;60`, `Ada Lovelace, 1850`. A decimal
rating is rounded to whole points, and `1.850` is 1850. 0 is an unrated player. Empty lines, and
those that begin with `#`, are skipped.
"""

import re
from collections.abc import Iterable
from functools import reduce
from typing import Final

from games.rules.ratings import GROUPED, parse_rating
from games.rules.text import Text
from tournament.simulation.plans import PlannedPlayer, sort_players

HIGHEST_ERROR: Final = 1000
UNRATED_ERROR: Final = 350
"""The error of a player without a rating, in points: that of `ratings.systems.intervals`."""

USUAL_ERROR: Final = 100
"""The error of a rating after about 30 rated games, in points."""

RATING_IN_LINE: Final = re.compile(
    rf"[0-9]{{1,5}}(?:\.[0-9]{{1,6}})?\Z|{GROUPED.pattern}\Z", re.ASCII
)
CELL_SEPARATOR: Final = re.compile(r"[\t;,]")
MOST_WRONG_LINES: Final = 50
"""Lines with an error that are listed."""


class BadLines(ValueError):
    """Lines that name no player; `problems` are pairs of a line number and what is wrong."""

    def __init__(self, problems: Iterable[tuple[int, str]]) -> None:
        self.problems = tuple(problems)
        lines = [
            Text("line %(line)s: %(detail)s", line=line, detail=detail)
            for line, detail in self.problems
        ]
        super().__init__(
            reduce(
                lambda above, line: Text("%(detail)s\n%(detail2)s", detail=above, detail2=line),
                lines,
            )
        )


def read_players(text: str, error: int | None = None) -> tuple[PlannedPlayer, ...]:
    """Return the players of the lines, the best first; raises BadLines.

    `error` is that of the rated players whose lines have none, in points.
    """
    players, problems = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            players.append(_read_line(line, error))
        except ValueError as reason:
            problems.append((number, str(reason)))
    if problems:
        raise BadLines(problems[:MOST_WRONG_LINES])
    return sort_players(players)


def make_player(rating: int, error: int | None) -> PlannedPlayer:
    """Return a player; without an error, it is the usual one, or that of an unrated player."""
    if not rating:
        return PlannedPlayer(0, UNRATED_ERROR)
    return PlannedPlayer(rating, USUAL_ERROR if error is None else error)


def _read_line(line: str, error: int | None) -> PlannedPlayer:
    cells = [cell.strip() for cell in CELL_SEPARATOR.split(line)]
    while cells and not cells[-1]:
        cells.pop()
    start = next((i for i, cell in enumerate(cells) if RATING_IN_LINE.match(cell)), len(cells))
    numbers = cells[start:]
    if not numbers:
        raise ValueError(
            Text("%(line)s has no rating, a whole number up to 4000", line=f"{line.strip()[:40]!r}")
        )
    if len(numbers) > 2 or not all(map(RATING_IN_LINE.match, numbers)):
        raise ValueError(
            Text("%(line)s is not a rating and, after it, its error", line=f"{line.strip()[:40]!r}")
        )
    rating = parse_rating(numbers[0])
    errors = [int(float(cell) + 0.5) for cell in numbers[1:]]
    if errors and errors[0] > HIGHEST_ERROR:
        raise ValueError(
            Text(
                "the error %(error)s is above %(most)s points", error=errors[0], most=HIGHEST_ERROR
            )
        )
    return make_player(rating, errors[0] if errors else error)
