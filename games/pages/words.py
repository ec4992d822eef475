"""What codes and the rules say in words, in the language of the reader."""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext


def say(pattern: str, /, **values: str | int) -> str:
    """Return a translated pattern with its values."""
    return gettext(pattern).format(**values)


def text_of(texts: Mapping[str, Promise | str]) -> Callable[[str], Promise | str]:
    """Return a function that returns the text of a code, or a code that has none."""
    return lambda code: texts.get(code, code)
