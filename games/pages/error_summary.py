"""The summary of what is wrong in a form, with the label of each field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext, gettext_noop

from games.pages.forms import FormField, FormState

LABELS_IN_TEMPLATES: Final = {
    "claim.result": gettext_noop("Result"),
    "reason": gettext_noop("Reason"),
    "file": gettext_noop("List"),
}
"""The labels of fields that have no FormField, but are written in a template."""


@dataclass(frozen=True, slots=True)
class ListedError:
    """An error in the summary of a form: the name and the label of its field, and the message.

    An error without a `name` is of no field of the form.
    """

    name: str
    label: str
    message: str


def listed_errors(form: FormState, context: Mapping[str, Any]) -> list[ListedError]:
    """Return the errors for the summary of a form; `context` is that of its page."""
    if not form.errors:
        return []
    labels = {name: gettext(label) for name, label in LABELS_IN_TEMPLATES.items()}
    labels |= dict(_labels_in(context))
    fields = {*labels, *(name.removesuffix("[]") for name in form.typed)}
    listed = [
        ListedError(name if name in fields else "", labels.get(name, ""), message)
        for name, messages in form.errors.items()
        for message in messages
    ]
    # The only error is the detail itself, unless a link leads to its field.
    return [error for error in listed if error.name or error.message != form.detail]


def _labels_in(context: Any) -> Iterator[tuple[str, str]]:
    """Yield the names and the labels of the controls of a rejected form."""
    if isinstance(context, FormField):
        if not context.prefix:
            yield context.name, context.label
    elif isinstance(context, Mapping):
        for value in context.values():
            yield from _labels_in(value)
    elif isinstance(context, list | tuple):
        for value in context:
            yield from _labels_in(value)
