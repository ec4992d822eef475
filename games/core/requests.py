"""The parameters of a request and their declaration, its wait, the address of its client.

An operation declares its parameters once, for its description and for `check_parameters`, which
refuses every other name and every wrong value before the operation reads anything.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, Final

from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.serializers import BooleanField, DateField, IntegerField, Serializer
from rest_framework.settings import api_settings

from games.core.errors import (
    check_all,
    invalid_parameter,
    missing_parameter,
    named_member,
    unknown_parameter,
    unknown_value,
)
from games.core.wrong_values import listed_errors
from games.rules.text import Text

MAX_WAIT = 30.0
"""Seconds that a request waits at most."""

BOOLEANS: Final = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}
"""The values of a parameter that is true or false, in any case."""
WHOLE_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)

LONGEST_PARAMETER: Final = 4_000
"""The most characters of a value: web servers refuse long addresses before the application."""

Declared = OpenApiParameter | type[Serializer]
"""What declares one parameter of an address, or several."""


class ListedParameter(OpenApiParameter):
    """A parameter with values that the schema does not list; the error of its absence does.

    `valid` returns them from the other parameters of the address, None if they are not known.
    """

    def __init__(
        self, name: str, valid: Callable[[Mapping[str, str]], Sequence[str] | None], **options: Any
    ) -> None:
        super().__init__(name, **options)
        self.valid = valid


class CheckedParameter(OpenApiParameter):
    """A parameter with values that the schema does not describe; `check` raises Unprocessable."""

    def __init__(self, name: str, check: Callable[[str], object], **options: Any) -> None:
        super().__init__(name, **options)
        self.check = check


FORMATS: Final = "x-formats"
"""The member of a parameter's description with the formats that it is for."""


def only_in(declared: OpenApiParameter, *formats: str) -> OpenApiParameter:
    """Return a parameter that has an effect in some formats only, and is refused in others."""
    found = copy(declared)
    found.description = f"{declared.description}; only in {', '.join(formats)}"
    found.extensions = {FORMATS: [*formats]}
    return found


def client_address(request: HttpRequest | Request) -> str:
    """Return the address of the client.

    Behind proxies it is the one that the outermost trusted proxy (`NUM_PROXIES`) has seen; anything
    before it in `X-Forwarded-For` was sent by the client and may be forged.
    """
    trusted = int(api_settings.NUM_PROXIES or 0)
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if trusted and len(forwarded) >= trusted and forwarded[-trusted].strip():
        return str(forwarded[-trusted].strip())
    return str(request.META.get("REMOTE_ADDR", ""))


def read_boolean(name: str, text: str) -> bool:
    """Return the value of a parameter that is true or false; raises Unprocessable."""
    if text.lower() not in BOOLEANS:
        raise unknown_value(name, text, list(BOOLEANS))
    return BOOLEANS[text.lower()]


def is_flag_set(request: Request, name: str) -> bool:
    """Return True if the query has this flag with the value true; raises Unprocessable."""
    return name in request.query_params and read_boolean(name, request.query_params[name])


def wait_seconds(request: Request) -> float:
    """Return the seconds in `Prefer: wait=10` (RFC 7240), at most `MAX_WAIT`."""
    found = re.search(r'\bwait="?([0-9]{1,9})\b', request.headers.get("Prefer", ""))
    return min(float(found[1]), MAX_WAIT) if found else 0.0


def requested_choice(request: Request, name: str, valid: Sequence[str]) -> str:
    """Return a parameter that is one of a few words, by default the first."""
    word = request.query_params.get(name) or valid[0]
    if word not in valid:
        raise unknown_value(name, word, valid)
    return word


def requested_number(
    request: Request, name: str, default: int, *, least: int, most: int | None = None
) -> int:
    """Return a number in the query; raises Unprocessable for one out of range and another text."""
    return read_number(name, request.query_params.get(name) or str(default), least, most)


def read_number(name: str, text: str, least: int, most: int | None = None) -> int:
    """Return the value of a parameter that is a whole number; raises Unprocessable."""
    found = int(text) if WHOLE_NUMBER.fullmatch(text) else -1
    if found >= least and (most is None or found <= most):
        return found
    values = {"field": named_member(name), "value": f"{text[:20]!r}", "least": least}
    detail = Text("%(field)s is %(value)s; it must be a whole number from %(least)s", **values)
    if most is not None:
        detail = Text(
            "%(field)s is %(value)s; it must be a whole number from %(least)s to %(most)s",
            **values,
            most=most,
        )
    raise invalid_parameter(name, detail, min=least, max=most)


def whole_number(least: int, most: int | None = None, default: int | None = None) -> Any:
    """Return the schema of a parameter that is a whole number."""
    found = {"minimum": least, "maximum": most, "default": default}
    limits = {name: value for name, value in found.items() if value is not None}
    return {"type": "integer", **limits}


def query_names(declared: Sequence[Declared]) -> tuple[str, ...]:
    """Return the names of the declared parameters of the query."""
    names: list[str] = []
    for each in declared:
        if not isinstance(each, OpenApiParameter):
            names += each().fields
        elif each.location == OpenApiParameter.QUERY:
            names.append(each.name)
    return tuple(names)


def parameter_checks(
    request: Request, names: Sequence[str], declared: Sequence[Declared]
) -> list[Callable[[], object]]:
    """Return the checks of a query: of its names, of each value, and of what the format takes."""
    query = request.query_params
    return [
        *(partial(_refuse_parameter, name, names) for name in sorted({*query} - {*names})),
        *(
            partial(_check_value, each, _given_value(request, each.name), _named_values(request))
            for each in declared
            if isinstance(each, OpenApiParameter) and each.location == OpenApiParameter.QUERY
        ),
        *(
            partial(require_format, request, each.name, each.extensions[FORMATS])
            for each in declared
            if isinstance(each, OpenApiParameter) and each.extensions
        ),
        *(
            partial(_check_field, name, field, query[name])
            for each in declared
            if not isinstance(each, OpenApiParameter)
            for name, field in each().fields.items()
            if name in query
        ),
        *(partial(_check_text, name, query[name]) for name in names if name in query),
        *(
            partial(validated_query, each, query)
            for each in declared
            if not isinstance(each, OpenApiParameter)
        ),
    ]


def _given_value(request: Request, name: str) -> str | None:
    """Return a value of the query, all with commas for a list; None if it is not given."""
    return ",".join(request.query_params.getlist(name)) if name in request.query_params else None


def _named_values(request: Request) -> dict[str, str]:
    """Return the values in the path and in the query of an address."""
    return {**request.parser_context["kwargs"], **request.query_params.dict()}


def _refuse_parameter(name: str, names: Sequence[str]) -> None:
    raise unknown_parameter(name, names)


def require_format(request: Request, name: str, formats: Sequence[str]) -> None:
    """Raise Unprocessable for a parameter that has no effect in the format of the response."""
    form = request.accepted_renderer.format
    if name in request.query_params and form not in formats:
        detail = Text(
            "%(field)s has no effect in %(format)s; it is for: %(names)s",
            field=name,
            format=form,
            names=", ".join(formats),
        )
        raise invalid_parameter(name, detail)


def _check_field(name: str, field: Any, text: str) -> None:
    """Raise Unprocessable for what is no value of a serializer's field, as an address writes it."""
    if isinstance(field, BooleanField):
        read_boolean(name, text)
    elif text and isinstance(field, IntegerField):
        read_number(name, text, field.min_value or 0, field.max_value)
    elif text and isinstance(field, DateField) and not DAY.fullmatch(text):
        detail = Text("%(field)s must be a day as 2026-05-01", field=name)
        raise invalid_parameter(name, detail)


def validated_query(serializer: type[Serializer], query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the validated parameters of a query; raises Unprocessable with all errors.

    The style of a field whose values are not choices has a function `valid`, which returns them
    from the parameters, None if they are not known.
    """
    checked = serializer(data={name: query[name] for name in query})
    if not checked.is_valid():
        wrong = listed_errors(checked.errors, checked, checked.initial_data)
        check_all(*(partial(_refuse, checked, error) for error in wrong))
    found: dict[str, Any] = checked.validated_data
    return found


def _refuse(checked: Serializer, error: Mapping[str, Any]) -> None:
    """Raise the error of a parameter."""
    name = error["pointer"].removeprefix("/")
    field = checked.fields[name]
    valid = field.style["valid"](checked.initial_data) if "valid" in field.style else None
    valid = valid or [str(choice) for choice in getattr(field, "choices", ())]
    if error["code"] == "required":
        raise missing_parameter(name, valid)
    detail = error["detail"]
    if error["code"] != "invalid_choice":  # which names it
        detail = Text("%(subject)s: %(detail)s", subject=name, detail=detail)
    raise invalid_parameter(name, detail, valid, min=error.get("min"), max=error.get("max"))


def _check_text(name: str, text: str) -> None:
    """Raise Unprocessable for an empty value, a long one, and one that is no text.

    Django puts the replacement character where bytes are not UTF-8.
    """
    if len(text) > LONGEST_PARAMETER:
        values = {"field": name, "most": LONGEST_PARAMETER}
        raise invalid_parameter(name, Text("%(field)s has more than %(most)s characters", **values))
    if not text:
        detail = Text("%(field)s is empty; leave it out for the default", field=named_member(name))
        raise invalid_parameter(name, detail)
    if "\0" in text or "\N{REPLACEMENT CHARACTER}" in text:
        detail = Text("%(field)s must be text in UTF-8 without NUL characters", field=name)
        raise invalid_parameter(name, detail)


def _check_value(declared: OpenApiParameter, text: str | None, values: Mapping[str, str]) -> None:
    """Raise Unprocessable for a value that is not of the declared type."""
    schema: Any = declared.type
    if declared.required and text is None:
        listed = declared.valid(values) if isinstance(declared, ListedParameter) else declared.enum
        valid = None if listed is None else [str(word) for word in listed]
        raise missing_parameter(declared.name, valid)
    if text is None:
        return
    if isinstance(declared, CheckedParameter):
        declared.check(text)
    elif schema is bool:
        read_boolean(declared.name, text)
    elif declared.enum and text not in declared.enum:
        raise unknown_value(declared.name, text, [str(word) for word in declared.enum])
    elif isinstance(schema, dict) and schema["type"] == "array":
        for word in text.split(","):
            if word not in schema["items"]["enum"]:
                raise unknown_value(declared.name, word, schema["items"]["enum"])
    elif isinstance(schema, dict) and schema["type"] == "integer":
        read_number(declared.name, text, schema["minimum"], schema.get("maximum"))
