"""Texts that are translated where they are shown: patterns with values.

The rules import no Django, so what they say in words takes a function that writes a pattern: the
API and the commands write it in English, pages translate it first.
"""

from typing import Final, Protocol, TypeAlias

Noun: TypeAlias = tuple[str, str]
"""The pattern of a number with its noun, for one and for several: `{number} sides`."""


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


def count(number: int, noun: Noun, say: Say) -> str:
    """Return a number with its noun: `2 sides`."""
    return say(noun[number != 1], number=number)


STONES: Final[Noun] = gettext_noop("{number} stone"), gettext_noop("{number} stones")
SIDES: Final[Noun] = gettext_noop("{number} side"), gettext_noop("{number} sides")
EDGE_CELLS: Final[Noun] = gettext_noop("{number} edge cell"), gettext_noop("{number} edge cells")
BORDER_HEXES: Final[Noun] = (
    gettext_noop("{number} border hex"),
    gettext_noop("{number} border hexes"),
)
