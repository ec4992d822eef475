"""Which texts are records of other sites and programs, and what reads them."""

from __future__ import annotations

from games.rules.records.foreign.hexworld import LINK, read_link
from games.rules.records.foreign.sgf import read_sgf
from games.rules.records.foreign.tree import START
from games.rules.records.json_form import Parts
from games.rules.records.notation import BYTE_ORDER_MARK


def is_game(text: str) -> bool:
    """Return True if a text, or its first line, begins a game in SGF."""
    return START.match(text) is not None


def is_foreign(text: str) -> bool:
    """Return True if a text, or its first line, begins a game in SGF or a link."""
    return is_game(text) or LINK.match(text) is not None


def read_foreign(text: str, *, first_line: int = 1) -> Parts | None:
    """Return the parts of a record in SGF or in a link, None for any other text.

    Raise a RecordError with line and column.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    if is_game(text):
        return read_sgf(text, first_line=first_line)
    return read_link(text, first_line=first_line) if LINK.match(text) else None
