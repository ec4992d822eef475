"""Forms of pages: the action that a form carries out, its controls, and the body that it sends.

A form carries out the action of a request of the API (games/core/actions.py). Its fields are the
members of the body; `action` names the action, `if_match` is the tag of what the page has shown.
The button of a preview has `formaction="?dry_run=1"`.

The class of a serializer's field decides its control, as in DRF's own forms, and the JSON value
that its text becomes. `label` and `help_text` are what a reader sees; `style` has what DRF names
(`input_type`, `base_template`), `help`, the help on pages where that of the API is technical, and
`choices`, a function that returns those of a page where the API takes any code. A field of a class
of its own may have `read_text`, which makes its value of a text box, and `shown_text`, the reverse.

`a.b` is the member `b` of the object `a`. A name that ends with `[]` is a list, one value for each
control. A list that is one text box has its items separated by spaces, commas or lines.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.http import HttpRequest, QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop
from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.renderers import HTMLFormRenderer
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from games.core.actions import Action
from games.core.errors import ApiError, BadRequest, Unprocessable
from games.core.places import is_country
from games.core.text import labelled, translated, translated_problems
from games.rules.text import Text

NAMES_OF_PAGE: Final = frozenset({"csrfmiddlewaretoken", "action", "if_match", "next"})
"""Fields of a form that are not members of the body."""

LENGTHS: Final = {"datetime-local": 16, "time": 5}
"""Characters of an ISO time that a control takes: without seconds and zone."""
INTEGER: Final = re.compile(r"[+-]?[0-9]{1,17}")
NUMBER: Final = re.compile(r"[+-]?[0-9]{1,12}([.,][0-9]{1,12})?")
NUMBER_IN_FORM: Final = re.compile(r"[0-9]{1,17}")
WORD_IN_FORM: Final = re.compile(r"[0-9A-Za-z_-]{1,40}")
LABELS_IN_TEMPLATES: Final = {
    "claim.result": gettext_noop("Result"),
    "reason": gettext_noop("Reason"),
    "file": gettext_noop("File"),
}
"""The labels of fields that have no FormField, but are written in a template."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page that carries out an action.

    `parameters` are fields of the form that are part of the address, as whole numbers, `words`
    those that are words. `text` is a field, or a file, that is the whole content as bytes. `body`
    makes the content of the fields of a form whose names are not those of the serializer, given the
    address of the page; it raises Unprocessable for what it cannot read. It takes texts, or with
    `is_typed` the values that the serializer decides. `sentence` replaces that of the action.
    """

    action: type[Action]
    parameters: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    text: str = ""
    body: Callable[[dict[str, Any], Mapping[str, Any]], Any] | None = None
    is_typed: bool = False
    sentence: str = ""

    def address_of(self, fields: QueryDict) -> dict[str, Any]:
        """Return the parts of the address that the form has; raises BadRequest without one."""
        address: dict[str, Any] = {}
        for name in (*self.parameters, *self.words):
            is_number, text = name in self.parameters, fields.get(name, "")
            if not (NUMBER_IN_FORM if is_number else WORD_IN_FORM).fullmatch(text):
                detail = Text("the form lacks %(name)s; load the page again", name=name)
                raise BadRequest("unreadable", detail)
            address[name] = int(text) if is_number else text
        return address

    def content_of(self, request: Request, address: Mapping[str, Any]) -> Any:
        """Return the content of the action; raises Unprocessable for a text that is missing."""
        if self.text:
            return _text_of(request, self.text)
        serializer = self.action.body if self.is_typed or not self.body else None
        content = form_body(request.POST, serializer() if serializer else None)
        for name in (*self.parameters, *self.words):
            content.pop(name, None)
        return self.body(content, address) if self.body else content


def secret_of(link: str) -> str:
    """Return what follows the `#` of an address, or a secret that was pasted without one."""
    return link.rpartition("#")[2].strip()


def _text_of(request: Request, name: str) -> bytes:
    sent = request.FILES.get(name)
    text = sent.read() if sent else request.POST.get(name, "").encode()
    if not text.strip():
        raise Unprocessable("missing", Text("paste the text, or select a file"), at=f"/{name}")
    if b"\0" in text:
        raise Unprocessable("unreadable", Text("the text contains a NUL byte"), at=f"/{name}")
    return text


@dataclass(frozen=True, slots=True)
class FormField:
    """A control of a form: its name, label, kind, value and errors (templates/games/field.html).

    `prefix` is part of its id, so that several forms of a page can have a field of this name.
    `stored` is what others have stored meanwhile, if the form has something else. `is_clearable`
    says that a selection can be taken back. The value of `checkboxes` is a list. A number has no
    limits here: a browser would refuse it in its own words, one field at a time.
    """

    name: str
    label: str
    prefix: str = ""
    kind: str = "text"
    value: Any = ""
    help: str = ""
    required: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    step: str = ""
    longest: int | None = None
    errors: tuple[str, ...] = ()
    stored: str = ""
    is_clearable: bool = True

    @property
    def id(self) -> str:
        """Return the end of the ids of the elements."""
        return f"{self.prefix}{self.name}"

    @property
    def about(self) -> str:
        """Return the attribute that names the help and the errors, if there are some."""
        is_needed = self.help or self.errors
        return format_html(' aria-describedby="about-{}"', self.id) if is_needed else ""

    @property
    def options(self) -> list[tuple[str, str, bool]]:
        chosen = self.value if isinstance(self.value, list) else [str(self.value)]
        return [(key, text, key in chosen) for key, text in self.choices]


@dataclass(frozen=True, slots=True)
class Undo:
    """A button in the notice of what was done: the action of the page that takes it back."""

    action: str
    fields: Mapping[str, Any]


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


def form_body(form: QueryDict, serializer: BaseSerializer | None = None) -> dict[str, Any]:
    """Return the body of a form, as JSON of the API; without a serializer, its texts.

    An empty field clears its value: null, an empty text, an empty list or the default, if the
    serializer's field can be that; otherwise it is not a member of the body, or, in changes, an
    empty text. The API refuses this, what cannot be read as the type of its field, and what no
    field reads.
    """
    body: dict[str, Any] = {}
    for name in form:
        if name in NAMES_OF_PAGE:
            continue
        *steps, last = name.removesuffix("[]").split(".")[:5]
        given = [text.replace("\r\n", "\n") for text in form.getlist(name) if text.strip()]
        declared = reduce(_member, [*steps, last], serializer)
        value = _read(declared, given, is_list=name.endswith("[]"))
        if value is empty:
            continue
        place = body
        for step in steps:
            inner = place.setdefault(step, {})
            place = inner if isinstance(inner, dict) else {}  # the form has the object as a text
        place[last] = value
    return body


def _member(declared: Any, name: str) -> Any:
    """Return the field of a member of an object or a list; None if there is none."""
    if not isinstance(declared, serializers.Serializer):
        return getattr(declared, "child", None)
    found = declared.fields.get(name)
    return None if found is None or found.read_only else found


def _read(declared: Any, given: Sequence[str], *, is_list: bool = False) -> Any:
    """Return the JSON value of what a control sends; `empty` for no member of the body."""
    text = given[-1] if given else ""
    if hasattr(declared, "read_text"):
        return declared.read_text(text)
    if isinstance(declared, serializers.ListField):
        if not given and (declared.min_length or not declared.allow_empty):
            return empty
        return [_read(declared.child, [item]) for item in (given if is_list else split_items(text))]
    if not given:
        return _cleared(declared)
    if is_list:
        return given
    is_any = isinstance(declared, serializers.JSONField)
    if text in ("true", "false") and (is_any or isinstance(declared, serializers.BooleanField)):
        return text == "true"
    if is_any or isinstance(declared, serializers.IntegerField):
        return int(text) if INTEGER.fullmatch(text.strip()) else text
    if isinstance(declared, serializers.FloatField):
        return float(text.replace(",", ".")) if NUMBER.fullmatch(text.strip()) else text
    return text


def typed_members(serializer: BaseSerializer, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return members with the JSON values that their texts mean for a serializer."""
    return {
        name: _read(_member(serializer, name), [value])
        if isinstance(value, str) and value
        else value
        for name, value in values.items()
    }


def _cleared(declared: Any) -> Any:
    """Return the value of an empty control; `empty` if its field has none."""
    can_be_blank = getattr(declared, "allow_blank", False)
    if declared is None or (declared.default == "" and not can_be_blank):
        return empty  # only the default itself may be an empty text
    if declared.default is not empty:
        return declared.default() if callable(declared.default) else declared.default
    if declared.allow_null:
        return None
    is_refused = declared.required and getattr(declared.root, "partial", False)
    return "" if can_be_blank or is_refused else empty


def split_items(text: str) -> list[str]:
    """Return the items of a text box, separated by spaces, commas, semicolons or lines."""
    return re.sub(r"[,;]", " ", text).split()


def with_zone(text: Any, zone: str) -> Any:
    """Return a time that was typed without an offset with that of a time zone, else the value."""
    with suppress(TypeError, ValueError):
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=at.tzinfo or ZoneInfo(zone)).isoformat()
    return text


def without_same_country(content: dict[str, Any], stored: Any) -> dict[str, Any]:
    """Return the content of a form without a country that is none of FIDE if a row has it."""
    code = str(content.get("country") or "").upper()
    if not code or is_country(code) or not stored.filter(country=code).exists():
        return content
    return {name: value for name, value in content.items() if name != "country"}


def form_fields(
    serializer: BaseSerializer,
    names: Iterable[str],
    *,
    values: Mapping[str, Any] | None = None,
    state: FormState | None = None,
    action: str = "",
) -> dict[str, FormField]:
    """Return controls for fields of a serializer, by name.

    Their values are what a rejected form sent (`state`), else `values`, else the defaults. If the
    page has several forms, `action` is that of this one: the state of another form is ignored.
    """
    values, state, prefix = values or {}, state or FormState(), ""
    if action and action != state.action:
        state, prefix = FormState(), f"{action}-"
    fields = getattr(serializer, "fields", {})
    return {name: _control(fields[name], values, state, prefix) for name in names}


def _control(declared: Any, values: Mapping[str, Any], state: FormState, prefix: str) -> FormField:
    name = declared.field_name
    style = HTMLFormRenderer.default_style[declared] | declared.style
    kind = style["base_template"].removesuffix(".html")
    if kind not in ("checkbox", "select", "textarea"):
        kind = style.get("input_type", "text")
    choices = declared.style["choices"]() if "choices" in declared.style else {}
    choices = choices or getattr(declared, "choices", {})
    if isinstance(declared, serializers.ListField) and hasattr(declared.child, "choices"):
        kind, choices = "checkboxes", declared.child.choices
    default = declared.default
    initial = "" if default is empty or callable(default) else default
    value = stored = _shown(kind, values.get(name, initial))
    if name in values and hasattr(declared, "shown_text"):
        value = stored = declared.shown_text(stored)
    if state.typed and kind != "password":
        value = _shown(kind, state.typed.get(f"{name}[]" if kind == "checkboxes" else name))
    if kind == "select" and value and str(value) not in map(str, choices):
        choices = {**choices, value: value}  # what was typed elsewhere, or is stored, stays
    is_other = bool(state.changed and stored) and str(stored).lower() != str(value).lower()
    help_text = style.get("help", declared.help_text)
    return FormField(
        name,
        gettext(str(declared.label)),
        prefix,
        kind,
        value,
        help=gettext(str(help_text)) if help_text else "",
        required=declared.required,
        choices=tuple((str(key), gettext(str(text))) for key, text in choices.items()),
        step="any" if isinstance(declared, serializers.FloatField) else "",
        longest=declared.style.get("longest", declared.max_length)
        if isinstance(declared, serializers.CharField)
        else None,
        errors=state.errors.get(name, ()),
        stored=str(_shown("text", stored)) if is_other else "",
        is_clearable=declared.allow_null or getattr(declared, "allow_blank", False),
    )


def _shown(kind: str, value: Any) -> Any:
    """Return a value as its control shows it."""
    if kind == "checkboxes":
        return [str(item) for item in value or ()]
    if value is None:
        return ""
    if kind in LENGTHS:
        return str(value).replace(" ", "T")[: LENGTHS[kind]]
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


def rejected_form(request: HttpRequest, action: str, error: ApiError) -> FormState:
    """Return the state of a form whose action was rejected."""
    problems, typed = translated_problems(error.errors), typed_values(request)
    detail = translated(error.detail)
    first = problems[0] if problems else {}
    if first and (error.code == "invalid" or ("line" in first and detail == first["detail"])):
        detail = gettext("Mend what is named here, and send the form again.")  # all are listed
    elif "wanted" in error.extra:  # the API names the object whose tag the form did not have
        detail = gettext("The page shows the new state; what you typed is still in the form.")
    return FormState(
        action=action,
        typed=typed,
        detail=detail,
        code=error.code,
        errors=_by_name(problems, typed),
        changed=error.extra.get("changed", ()),
        accept=error.extra.get("accept", ()),
        problems=problems,
    )


def typed_values(request: HttpRequest) -> dict[str, Any]:
    """Return the values of a form, by name."""
    form = request.POST
    return {
        name: form.getlist(name) if name.endswith("[]") else form[name]
        for name in form
        if name != "csrfmiddlewaretoken"
    }


def _by_name(
    errors: Iterable[Mapping[str, Any]], typed: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Return the messages of errors by the name of their field, with the line or item they name."""
    messages: dict[str, tuple[str, ...]] = {}
    for error in errors:
        place = error.get("pointer") or error.get("parameter", "")
        name = str(place).strip("/").replace("/", ".")
        message = str(error.get("detail", ""))
        if error.get("line"):
            line = gettext("line %(line)d") % {"line": error["line"]}
            message = message if message.startswith(line) else labelled(line, message)
            if name[:1].isdigit():
                name = ""  # no field of the form, but a column in a line of a list
        name, item = _field_and_item(name, typed)
        is_named = not item or {item, f'"{item}"', f"'{item}'"} & set(message.split())
        message = message if is_named else labelled(item, message)
        messages[name] = (*messages.get(name, ()), message)
    return messages


def _field_and_item(name: str, typed: Mapping[str, Any]) -> tuple[str, str]:
    """Return the field of a form that has the value at a place, and the item of it at the place."""
    owner, place = name, ""
    while owner and owner not in typed and f"{owner}[]" not in typed:
        owner, _, place = owner.rpartition(".")
    if not owner or not place:
        return name, ""
    sent = typed.get(owner) or typed.get(f"{owner}[]", "")
    items = [item for item in sent if item] if isinstance(sent, list) else split_items(str(sent))
    number = int(place) if place.isdecimal() else len(items)
    return owner, items[number] if number < len(items) else place


def listed_errors(form: FormState, context: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the errors for the summary of a form, whose controls are in the context of its page.

    An error without a `name` is of no field of the form.
    """
    labels = {name: gettext(label) for name, label in LABELS_IN_TEMPLATES.items()}
    labels |= {field.name: field.label for field in _controls_in(context) if not field.prefix}
    fields = {*labels, *(name.removesuffix("[]") for name in form.typed)}
    # The only error is the detail itself, unless a link leads to its field.
    return [
        {"name": name if name in fields else "", "label": labels.get(name, ""), "message": message}
        for name, messages in form.errors.items()
        for message in messages
        if name in fields or message != form.detail
    ]


def _controls_in(context: Any) -> Iterator[FormField]:
    if isinstance(context, FormField):
        yield context
    elif isinstance(context, Mapping | ValuesView | list | tuple):
        for value in context.values() if isinstance(context, Mapping) else context:
            yield from _controls_in(value)
