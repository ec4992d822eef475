"""What the rules say in words, in the language of the reader."""

from django.utils.translation import gettext


def say(pattern: str, /, **values: str | int) -> str:
    """Return a translated pattern with its values."""
    return gettext(pattern).format(**values)
