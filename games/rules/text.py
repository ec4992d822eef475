"""Sentences that are translated where they are shown: a pattern, and the values in it.

A `Text` is its English text, so whatever takes a string takes it. What shows it to a reader
translates the pattern first and puts the values in last: a name may contain anything. A value is
data, another Text, or a list of them; never a translated string. A text that is joined to another
one is a plain string: give it as a value of a pattern instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Self


class Text(str):
    """An English text that remembers its pattern (`there is no round %(number)s`) and values.

    A pattern without values is taken as it is written, percent signs included.
    """

    pattern: str
    values: Mapping[str, Any]

    def __new__(cls, pattern: str, /, **values: Any) -> Self:
        """Return the text of a pattern with its values; an error is a value by its own text."""
        values = {
            name: str(value) if isinstance(value, Exception) else value
            for name, value in values.items()
        }
        text = super().__new__(cls, fill(pattern, values, str))
        text.pattern = pattern
        text.values = values
        return text

    def __str__(self) -> Self:
        """Return the text itself: `str(error)` is still the text that the error was given."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], Mapping[str, Any]]:
        """Return what makes the same text, for copies and pickles."""
        return (self.pattern,), self.values


class Word(str):
    """A value that its `label` names for readers in other languages: `draft`, in preparation.

    A member of a `TextChoices` or `LabelledEnum` is one too.
    """

    label: str

    def __new__(cls, word: str, label: str) -> Self:
        """Return the value with its label."""
        value = super().__new__(cls, word)
        value.label = label
        return value


class Numeral(str):
    """A value in decimals, as exact text: `2.5`, or the score `1.5-0.5`.

    Readers see the decimal sign of their language.
    """


class Moment(str):
    """A day in ISO 8601, with or without a time after it: `2026-05-01, 14:00 CEST`.

    Readers see the day as their language writes it.
    """

    @classmethod
    def of(cls, at: datetime) -> Self:
        """Return a day and time, in the time zone that it has."""
        return cls(f"{at:%Y-%m-%d, %H:%M %Z}")


def fill(pattern: str, values: Mapping[str, Any], show: Callable[[Any], str]) -> str:
    """Return a pattern with its values as `show` writes them; the items of a list with commas."""
    if not values:
        return pattern
    return pattern % {
        name: ", ".join(map(show, value)) if isinstance(value, list | tuple) else show(value)
        for name, value in values.items()
    }


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters; one that is not too long keeps its pattern."""
    return text if len(text) <= most else text[:most]


def either(texts: list[Any]) -> Any:
    """Return the texts of which one is meant: `a or b or c`."""
    *others, last = texts
    return Text("%(first)s or %(second)s", first=either(others), second=last) if others else last


def storable(value: Any) -> Any:
    """Return JSON in which each text is its pattern and values; `restored` is the inverse."""
    if isinstance(value, Text):
        return {"pattern": value.pattern, "values": storable(value.values)}
    if label := getattr(value, "label", ""):
        return {"word": str(value), "label": str(label)}
    if isinstance(value, Numeral):
        return {"decimal": str(value)}
    if isinstance(value, Moment):
        return {"moment": str(value)}
    if isinstance(value, Mapping):
        return {name: storable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [storable(inner) for inner in value]
    return value if isinstance(value, int | float | None) else str(value)


def restored(stored: Any) -> Any:
    """Return JSON with the texts that `storable` took apart."""
    if isinstance(stored, list):
        return [restored(inner) for inner in stored]
    if not isinstance(stored, dict):
        return stored
    values = {name: restored(inner) for name, inner in stored.items()}
    if values.keys() == {"pattern", "values"}:
        return Text(values["pattern"], **values["values"])
    if values.keys() == {"decimal"}:
        return Numeral(values["decimal"])
    if values.keys() == {"moment"}:
        return Moment(values["moment"])
    return Word(**values) if values.keys() == {"word", "label"} else values
