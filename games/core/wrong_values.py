"""What is wrong with the values of a body or a query, in the words of this service.

The framework finds most of it, but its words do not say what would be right. A field with words of
its own (`error_messages`, or an error that it raises) keeps them.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from rest_framework import serializers

from games.core.errors import none_of, pointer_step
from games.core.text import translated
from games.rules.text import Text

A_TEXT: Final = Text("this must be a text")
KINDS: Final[tuple[tuple[type, tuple[type, ...], Text], ...]] = (
    (serializers.BooleanField, (bool,), Text("this must be true or false")),
    (serializers.IntegerField, (int, float), Text("this must be a whole number, as 12")),
    (serializers.FloatField, (int, float), Text("this must be a number, as 2.5")),
    (serializers.DateField, (str,), Text("this must be a day, as 2026-05-01")),
    (
        serializers.DateTimeField,
        (str, datetime),  # as a page has read it
        Text("this must be a day and a time, as 2026-05-01T10:00+02:00"),
    ),
    (serializers.EmailField, (str,), Text("this must be an email address, as ada@example.org")),
    (serializers.URLField, (str,), Text("this must be an address, as https://example.org/club")),
    (
        serializers.SlugField,
        (str,),
        Text("this must have letters a to z, digits, hyphens and underscores only, as spring-open"),
    ),
    (serializers.CharField, (str,), A_TEXT),
    (serializers.ChoiceField, (str,), A_TEXT),
    (serializers.DictField, (Mapping,), Text("this must be an object, as {}")),
    (serializers.ListField, (list,), Text("this must be a list, as []")),
    (serializers.ListSerializer, (list,), Text("this must be a list, as []")),
    (serializers.BaseSerializer, (Mapping,), Text("this must be an object, as {}")),
)
"""The types of JSON that the values of a field have, besides null, and what is said of others.

The framework takes other types as well, as a number in quotes.
"""

WORDS: Final = {
    "required": Text("this is needed"),
    "null": Text("this cannot be null"),
    "blank": Text("this must not be empty"),
    "empty": Text("this list must not be empty"),
    "unique": Text("this is taken; choose another"),
    "not_a_list": Text("this must be a list, as []"),
    "not_a_dict": Text("this must be an object, as {}"),
}
"""What errors of the framework say here, by their codes."""


class WrongValue(serializers.ValidationError):
    """The refusal of a value, or of members by their names, in the language of the reader."""

    def __init__(self, detail: Any, code: str | None = None) -> None:
        members = detail.items() if isinstance(detail, dict) else ()
        of_members = {name: translated(text) for name, text in members}
        super().__init__(of_members or translated(detail), code)


Error = dict[str, Any]
"""An error with `pointer`, `code` and `detail`, and `valid`, `min` and `max` where they exist."""


def listed_errors(detail: Any, field: Any, value: Any, pointer: str = "") -> Iterator[Error]:
    """Yield the nested errors of a field that has refused a value, each with its place."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            if name == "non_field_errors":
                yield from listed_errors(inner, field, value, pointer)
            else:
                place = f"{pointer}/{pointer_step(name)}"
                yield from listed_errors(inner, *_member(field, value, name), place)
    elif isinstance(detail, list) and any(isinstance(item, Mapping) for item in detail):
        for index, inner in enumerate(detail):
            yield from listed_errors(inner, *_member(field, value, index), f"{pointer}/{index}")
    elif isinstance(detail, list):
        for inner in detail:
            yield from listed_errors(inner, field, value, pointer)
    else:
        yield {
            "pointer": pointer,
            "code": str(detail.code),
            **_worded(field, value, detail, pointer),
        }


def mistyped(field: Any, value: Any, pointer: str = "") -> Iterator[Error]:
    """Yield an error for each value whose JSON type is not that of its field."""
    if value is None and pointer:
        return
    _, types, detail = _kind_of(field)
    is_flag = isinstance(value, bool) and bool not in types
    if types and (is_flag or not isinstance(value, types)):
        yield {"pointer": pointer, "code": "invalid", "detail": detail, **_choices(field)}
    elif isinstance(value, Mapping | list):
        for name, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            member, _ = _member(field, value, name)
            if member is not None and not member.read_only:
                yield from mistyped(member, inner, f"{pointer}/{pointer_step(name)}")


def _kind_of(field: Any) -> tuple[type, tuple[type, ...], Text]:
    """Return the row of a field in the table of kinds; one without types if it has none."""
    found = (kind for kind in KINDS if isinstance(field, kind[0]))
    return next(found, (object, (), Text("")))


def _member(field: Any, value: Any, name: Any) -> tuple[Any, Any]:
    """Return the field of a member or an item, None if there is none, and its value."""
    fields = getattr(field, "fields", None)
    found = fields.get(name) if isinstance(fields, Mapping) else getattr(field, "child", None)
    try:
        return found, value[name]
    except (KeyError, IndexError, TypeError):
        return found, None


def _worded(field: Any, value: Any, error: Any, pointer: str) -> Error:
    """Return the detail of an error of a field, with its valid values and its limits."""
    code = str(error.code)
    if code == "invalid_choice" and (choices := _choices(field)):
        detail = none_of(choices["valid"], _name_of(field, pointer), value)
        return {"detail": detail if _is_stock(field, error) else str(error), **choices}
    side, _, what = code.partition("_")
    if side in ("min", "max") and what in ("value", "length"):
        limits = {side: getattr(field, f"{side}_{what}", None) for side in ("min", "max")}
        limits = {side: limit for side, limit in limits.items() if limit is not None}
        words = _words_of_limit(field, side, what, limits.get(side))
        return {"detail": words if _is_stock(field, error) else str(error), **limits}
    if not _is_stock(field, error):
        nearest = field.nearest(str(value)) if hasattr(field, "nearest") else ""
        return {"detail": str(error)} | ({"nearest": nearest} if nearest else {})
    return {"detail": WORDS.get(code) or _kind_of(field)[2] or str(error)}


def _words_of_limit(field: Any, side: str, what: str, limit: Any) -> Text:
    """Return what the limit of a number, a text or a list allows."""
    if what == "value":
        return (
            Text("this must be at least %(least)s", least=limit)
            if side == "min"
            else Text("this must be at most %(most)s", most=limit)
        )
    if isinstance(field, serializers.CharField):
        return (
            Text("this must have at least %(least)s characters", least=limit)
            if side == "min"
            else Text("this must have at most %(most)s characters", most=limit)
        )
    return (
        Text("this list is too short; its least length is %(least)s", least=limit)
        if side == "min"
        else Text("this list is too long; its greatest length is %(most)s", most=limit)
    )


def _choices(field: Any) -> dict[str, list[str]]:
    """Return the values that a field can have, if it has a list of them, as `valid`."""
    choices = [str(choice) for choice in getattr(field, "choices", ()) if choice != ""]
    return {"valid": choices} if choices else {}


def _name_of(field: Any, pointer: str) -> str:
    """Return the name of the member that a field is, or that it is an item of."""
    while not field.field_name and field.parent is not None:
        field = field.parent
    return field.field_name or pointer.rpartition("/")[2]


def _is_stock(field: Any, error: Any) -> bool:
    """Return True if an error has the words of the framework, and not those of a field."""
    words: dict[str, Any] = {}
    for kind in reversed(type(field).__mro__):
        if kind.__module__.startswith("rest_framework."):
            words |= vars(kind).get("default_error_messages", {})
    code = str(error.code)
    words["unique"] = ""  # the validator of a column has its own words for each
    return code in words and str(error).startswith(str(words[code]).partition("{")[0])
