"""Texts that are translated where they are shown: patterns with values.

The rules import no Django, so what they say in words takes a function that writes a pattern: the
API and the commands write it in English, pages translate it first.
"""

from typing import Protocol


class Say(Protocol):
    """Write a pattern with its values: `{seat} wins` with `seat="first"`."""

    def __call__(self, pattern: str, /, **values: str | int) -> str:
        """Return the text."""
        ...


def gettext_noop(text: str) -> str:
    """Return a text, or a pattern with values, that is translated where it is shown.

    Django's function of this name needs settings, which the rules and the commands on files do not
    have. It has the same name because `makemessages` looks for it.
    """
    return text


def say_in_english(pattern: str, /, **values: str | int) -> str:
    """Return a pattern with its values, as it is written."""
    return pattern.format(**values)
