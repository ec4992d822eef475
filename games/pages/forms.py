"""Forms of pages, made from the serializers of the API, and the body that a form sends.

A field that is left empty is not a member of the body. `a.b` is the member `b` of the object `a`,
and a name that ends with `[]` is a list.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from games.http.errors import ApiError, flatten_messages
from games.http.texts import translated, translated_problems

NAMES_OF_PAGE: Final = frozenset({"csrfmiddlewaretoken", "action", "if_match", "next"})
"""Fields of a form that are not members of the body."""

INPUT_TYPES: Final[Sequence[tuple[type[serializers.Field], str]]] = (
    (serializers.EmailField, "email"),
    (serializers.DateTimeField, "datetime-local"),
    (serializers.DateField, "date"),
    (serializers.TimeField, "time"),
    (serializers.BooleanField, "checkbox"),
    (serializers.ChoiceField, "select"),
    (serializers.IntegerField, "number"),
    (serializers.URLField, "url"),
)
"""The kind of control, by the first class that a field is an instance of."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A control of a form: its name, label, kind, value and errors (templates/games/field.html).

    `prefix` is part of its id, so that several forms of a page can have a field of this name.
    `stored` is what others have stored meanwhile, if the form has something else.
    """

    name: str
    label: str
    prefix: str = ""
    kind: str = "text"
    value: Any = ""
    help: str = ""
    required: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    longest: int | None = None
    errors: tuple[str, ...] = ()
    stored: str = ""


@dataclass(frozen=True, slots=True)
class FormState:
    """What a rejected form sent, and its errors by name of the field; empty for a new form.

    `changed` is what others have changed meanwhile, `accept` what the form may accept to succeed,
    `problems` the errors as the API lists them.
    """

    action: str = ""
    typed: Mapping[str, Any] = field(default_factory=dict)
    detail: str = ""
    code: str = ""
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    changed: Sequence[Mapping[str, Any]] = ()
    accept: Sequence[str] = ()
    problems: Sequence[Mapping[str, Any]] = ()


def form_body(form: QueryDict) -> dict[str, Any]:
    """Return the body of a form, as JSON of the API."""
    body: dict[str, Any] = {}
    for name, values in form.lists():
        given = [value for value in values if isinstance(value, str) and value.strip()]
        if name in NAMES_OF_PAGE or not given:
            continue
        *steps, last = name.removesuffix("[]").split(".")
        place = body
        for step in steps[:4]:
            place = place.setdefault(step, {})
            if not isinstance(place, dict):
                break
        else:
            place[last] = given if name.endswith("[]") else given[-1].replace("\r\n", "\n")
    return body


def form_fields(
    serializer: serializers.BaseSerializer,
    names: Iterable[str],
    *,
    values: Mapping[str, Any] | None = None,
    state: FormState | None = None,
    labels: Mapping[str, str] | None = None,
    action: str = "",
) -> dict[str, FormField]:
    """Return controls for fields of a serializer, by name.

    Their values are what a rejected form sent (`state`), else `values`, else the defaults. If the
    page has several forms, `action` is that of this one: the state of another form is ignored.
    """
    declared = getattr(serializer, "fields", {})
    state = state or FormState()
    prefix = ""
    if action and action != state.action:
        state, prefix = FormState(), f"{action}-"
    return {
        name: _control(
            name, declared[name], values or {}, state, (labels or {}).get(name, ""), prefix
        )
        for name in names
    }


def _control(
    name: str,
    declared: serializers.Field,
    values: Mapping[str, Any],
    state: FormState,
    label: str,
    prefix: str,
) -> FormField:
    default = declared.default
    initial = "" if default is serializers.empty or callable(default) else default
    value = state.typed.get(name, "") if state.typed else values.get(name, initial)
    kind = next((kind for cls, kind in INPUT_TYPES if isinstance(declared, cls)), "text")
    choices = getattr(declared, "choices", None) if kind == "select" else None
    stored = str(values.get(name) or "") if state.changed else ""
    is_other = stored.lower() != str(value).lower()
    return FormField(
        name=name,
        label=label or gettext(name.replace("_", " ").capitalize()),
        prefix=prefix,
        kind=kind,
        value="" if value is None else value,
        help=gettext(str(declared.help_text)) if declared.help_text else "",
        required=declared.required,
        choices=tuple((str(key), gettext(str(text))) for key, text in (choices or {}).items()),
        minimum=getattr(declared, "min_value", None),
        maximum=getattr(declared, "max_value", None),
        longest=getattr(declared, "max_length", None),
        errors=state.errors.get(name, ()),
        stored=stored if is_other else "",
    )


def rejected_form(
    request: HttpRequest, action: str, error: ApiError | ValidationError
) -> FormState:
    """Return the state of a form whose action was rejected."""
    typed = typed_values(request)
    if isinstance(error, ApiError):
        problems = translated_problems(error.errors)
        return FormState(
            action,
            typed,
            translated(error.detail),
            error.code,
            _by_name(problems),
            error.extra.get("changed", ()),
            error.extra.get("accept", ()),
            problems,
        )
    detail = gettext("Something in the form is not right; nothing was changed.")
    problems = translated_problems(flatten_messages(error.detail))
    return FormState(action, typed, detail, "invalid", _by_name(problems))


def with_errors_by_line(form: FormState, *, items: str, lines: str) -> FormState:
    """Return a rejected form whose field `lines` has an item in each line that is not empty.

    The API names errors by the place in its list `items`; here they have the number of the line.
    """
    sent = str(form.typed.get(lines, "")).splitlines()
    numbers = [number for number, line in enumerate(sent, 1) if line.strip()]
    errors: dict[str, tuple[str, ...]] = {}
    for name, messages in form.errors.items():
        parts = name.split(".")
        place = int(parts[1]) if parts[0] == items and parts[1:] and parts[1].isdigit() else None
        if place is not None and place < len(numbers):
            begin = gettext("line %(line)d") % {"line": numbers[place]}
            name, messages = lines, tuple(f"{begin}: {message}" for message in messages)
        errors[name] = (*errors.get(name, ()), *messages)
    return replace(form, errors=errors)


def typed_values(request: HttpRequest) -> dict[str, Any]:
    """Return the values of a form, by name."""
    form = request.POST
    return {
        name: form.getlist(name) if name.endswith("[]") else form[name]
        for name in form
        if name != "csrfmiddlewaretoken"
    }


def _by_name(errors: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return the messages of errors by the name of their field."""
    messages: dict[str, tuple[str, ...]] = {}
    for error in errors:
        name = str(error.get("pointer", "")).strip("/").replace("/", ".")
        if error.get("line") and name.partition(".")[0].isdigit():
            name = ""  # no field of the form, but a column in a line of a list
        message = str(error.get("detail", ""))
        if error.get("line"):
            line = gettext("line %(line)d") % {"line": error["line"]}
            message = message if message.startswith(line) else f"{line}: {message}"
        messages[name] = (*messages.get(name, ()), message)
    return messages
