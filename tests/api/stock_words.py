"""The words of the framework: all that its fields, forms and validators say of wrong values."""

import re
from collections.abc import Iterator
from inspect import getmembers, isclass
from typing import Any

import django.core.validators
import django.forms.fields
import django_filters.fields
import rest_framework.exceptions
import rest_framework.fields
import rest_framework.serializers
import rest_framework.validators

MODULES = (
    *(rest_framework.fields, rest_framework.serializers, rest_framework.validators),
    *(rest_framework.exceptions, django_filters.fields),
    *(django.forms.fields, django.core.validators),
)


def texts_of(kind: Any) -> Iterator[str]:
    """Yield what a class of the framework says of wrong values."""
    messages = getattr(kind, "default_error_messages", {})
    yield from (str(text) for text in messages.values())
    for name in ("message", "messages", "default_detail"):
        said = getattr(kind, name, {})
        yield from map(str, said.values() if isinstance(said, dict) else [said])


WORDS = re.compile(
    "|".join(
        re.sub(r"(\\\{.*?\\\}|%\\\(\w+\\\)[sd]|%\w)", ".*", re.escape(text)) + r"\Z"
        for module in MODULES
        for _, kind in getmembers(module, isclass)
        if kind.__module__.startswith(("django.", "rest_framework.", "django_filters."))
        for text in texts_of(kind)
        if len(text) > 4
    )
)
