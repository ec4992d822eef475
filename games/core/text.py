"""Texts in the language of the reader, for what shows them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.formats import get_format
from django.utils.translation import get_language, gettext

from games.rules.text import Numeral, Text, fill


def translated(text: object) -> str:
    """Return a text in the language of the reader; a string without a pattern as it is.

    A value with a label, as a member of a `TextChoices`, is written by its label; a Numeral has the
    decimal sign of the language.
    """
    if (get_language() or "en").startswith("en"):
        return str(text)
    if isinstance(text, Text):
        return fill(gettext(text.pattern), text.values, translated)
    if isinstance(text, Numeral):
        return decimal_text(text)
    label = getattr(text, "label", "")
    return gettext(str(label)) if label else str(text)


def translated_problems(problems: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return errors as the API lists them, with their details in the language of the reader."""
    return [{**problem, "detail": translated(problem.get("detail", ""))} for problem in problems]


def decimal_text(number: str) -> str:
    """Return a number, as exact text, with the decimal sign of the active language."""
    return number.replace(".", get_format("DECIMAL_SEPARATOR"))
