"""Sentences that are translated where they are shown: a pattern, and the values in it.

A `Text` is its English text, so whatever takes a string takes it. What shows it to a reader
translates the pattern first and puts the values in last: a name may contain anything. A value is
data, another Text, or a list of them; never a translated string. A text that is joined to another
one is a plain string: give it as a value of a pattern instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self


class Text(str):
    """An English text that remembers its pattern (`there is no round %(number)s`) and values.

    A pattern without values is taken as it is written, percent signs included.
    """

    pattern: str
    values: dict[str, Any]

    def __new__(cls, pattern: str, /, **values: Any) -> Self:
        """Return the text of a pattern with its values."""
        text = super().__new__(cls, fill(pattern, values, str))
        text.pattern = pattern
        text.values = values
        return text

    def __str__(self) -> Self:
        """Return the text itself: `str(error)` is still the text that the error was given."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Return what makes the same text, for copies and pickles."""
        return (self.pattern,), self.values


def fill(pattern: str, values: dict[str, Any], show: Callable[[Any], str]) -> str:
    """Return a pattern with its values as `show` writes them; the items of a list with commas."""
    if not values:
        return pattern
    return pattern % {name: _written(value, show) for name, value in values.items()}


def text_json(text: str) -> Any:
    """Return a text as JSON that keeps its pattern and values; `text_from_json` is the inverse."""
    if not isinstance(text, Text):
        return text
    return {
        "pattern": text.pattern,
        "values": {name: _value_json(value) for name, value in text.values.items()},
    }


def text_from_json(stored: Any) -> str:
    """Return the text that was stored as JSON; a string is a text without a pattern."""
    if not isinstance(stored, dict):
        return str(stored)
    values = {name: _value_from_json(value) for name, value in stored["values"].items()}
    return Text(stored["pattern"], **values)


def _written(value: Any, show: Callable[[Any], str]) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(show(item) for item in value)
    return show(value)


def _value_json(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_value_json(item) for item in value]
    if isinstance(value, Text):
        return text_json(value)
    return value if isinstance(value, int) else str(value)


def _value_from_json(stored: Any) -> Any:
    if isinstance(stored, list):
        return [_value_from_json(item) for item in stored]
    return text_from_json(stored) if isinstance(stored, dict) else stored
