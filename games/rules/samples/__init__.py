"""A sample game of each game, as the page of its rules shows it: a legal record each.

The game of Hex was played at the Computer Olympiad 2010; the others were played by programs.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from games.rules.records.record import Record


@cache
def find_sample(code: str) -> Record:
    """Return the sample game of a game."""
    return Record.parse(files(__name__).joinpath(f"{code}.rec").read_text("utf-8"))
