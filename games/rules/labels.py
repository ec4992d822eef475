"""Closed sets whose members have a label for people."""

from enum import StrEnum
from typing import Self


class LabelledEnum(StrEnum):
    """Values with a label for people, as Django's `TextChoices`, for modules without Django.

    The label is English, marked by `gettext_noop`, and translated where it is shown. A value that
    is only ever shown in a sentence of its own has none.
    """

    label: str

    def __new__(cls, value: str, label: str = "") -> Self:
        """Return the member of a value."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        return member
