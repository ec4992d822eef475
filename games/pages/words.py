"""What codes and the rules say in words, in the language of the reader."""

from collections.abc import Callable

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext

from games.rules.labels import LabelledEnum


def say(pattern: str, /, **values: str | int) -> str:
    """Return a translated pattern with its values."""
    return gettext(pattern).format(**values)


def label_of(*choices: type[TextChoices] | type[LabelledEnum]) -> Callable[[str], str]:
    """Return a function that returns the label of a value, or the value if it has none."""
    labels = {member.value: member.label for members in choices for member in members}

    def label(value: str) -> str:
        text = labels.get(value) or value
        return str(text) if isinstance(text, Promise) else gettext(text) if text else text

    return label
