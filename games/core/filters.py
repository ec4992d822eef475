"""Filters of lists, beside those of django-filter."""

from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator

from games.core.requests import BOOLEANS

LARGEST_ID = 2**63 - 1


class FlagField(forms.Field):
    """One of the words of `BOOLEANS`, in any case."""

    choices = [(word, word) for word in BOOLEANS]

    def to_python(self, value: Any) -> bool | None:
        """Return the value, None for a parameter that is not given; raises ValidationError."""
        if value is None:
            return None
        if str(value).lower() not in BOOLEANS:
            raise ValidationError("unknown")
        return BOOLEANS[str(value).lower()]


class FlagFilter(django_filters.BooleanFilter):
    """Filter by a value that is true or false."""

    field_class = FlagField


class IdFilter(django_filters.NumberFilter):
    """Filter by an id, a whole number that the database can hold."""

    field_class = forms.IntegerField

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, **options)

    def get_max_validator(self) -> MaxValueValidator:
        """Return the validator of the largest id."""
        return MaxValueValidator(LARGEST_ID)
