"""What the API says of wrong values: in its own words, with what would be right."""

from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from games.core.errors import Unprocessable
from games.core.serializers import NoBody, validated
from tests.api.operations import operations
from tests.api.stock_words import WORDS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
WRONG: tuple[Any, ...] = (
    *(None, "", [], {}, [[]], [{}], {"a": {}}, -5, 10**30, 1.5, True),
    *("x" * 5000, "not a date", "2026-13-45", "https://", "a@", ["x" * 5000] * 200, [-5]),
)


def bodies() -> list[type[serializers.BaseSerializer]]:
    found = {operation.action.body for operation in operations() if operation.action}
    return sorted(found - {None}, key=lambda body: body.__qualname__)


def errors_of(body: type[serializers.BaseSerializer], data: Any) -> list[dict[str, Any]]:
    try:
        validated(body, data)
    except Unprocessable as error:
        return error.errors
    return []


def wrong_contents(body: type[serializers.BaseSerializer]) -> Iterator[Any]:
    """Yield contents in which every member has the same wrong value, then those of its objects."""
    yield from ({}, [], "x", None)
    fields = getattr(body(), "fields", {})
    for value in WRONG:
        yield dict.fromkeys(fields, value)
        inner = {name: getattr(field, "child", field) for name, field in fields.items()}
        yield {
            name: [dict.fromkeys(field.fields, value)]
            if isinstance(fields[name], serializers.ListSerializer)
            else dict.fromkeys(field.fields, value)
            for name, field in inner.items()
            if isinstance(field, serializers.Serializer)
        }


@pytest.mark.parametrize("body", bodies())
def test_a_wrong_value_of_a_body(body: type[serializers.BaseSerializer]) -> None:
    said = [error for content in wrong_contents(body) for error in errors_of(body, content)]

    assert [error for error in said if WORDS.match(error["detail"])] == []
    assert [error for error in said if not error["detail"] or error.get("valid") == []] == []


class Body(serializers.Serializer):
    name = serializers.CharField(min_length=2, max_length=5)
    number = serializers.IntegerField(min_value=1, max_value=9)
    side = serializers.ChoiceField(["first", "second"])
    days = serializers.ListField(child=serializers.DateField(), max_length=1)
    club = serializers.DictField(required=False)


RIGHT = {"name": "Ada", "number": 3, "side": "first", "days": ["2026-05-01"]}
LIMITS = {"min": 1, "max": 9}
ERRORS: list[tuple[Any, dict[str, Any]]] = [
    (
        NoBody(),
        {"": {"detail": "the request has no body; needed are: name, number, side, days"}},
    ),
    ([], {"": {"detail": "this must be an object, as {}"}}),
    (None, {"": {"detail": "this must be an object, as {}"}}),
    (
        RIGHT | {"number": 10},
        {"/number": {"detail": "this must be at most 9", **LIMITS}},
    ),
    (
        RIGHT | {"name": "A"},
        {"/name": {"detail": "this must have at least 2 characters", "min": 2, "max": 5}},
    ),
    (
        RIGHT | {"side": "third"},
        {
            "/side": {
                "detail": "side is 'third'; valid are: first, second",
                "valid": ["first", "second"],
            }
        },
    ),
    (
        RIGHT | {"side": True},
        {"/side": {"detail": "this must be a text", "valid": ["first", "second"]}},
    ),
    (RIGHT | {"number": True}, {"/number": {"detail": "this must be a whole number, as 12"}}),
    (RIGHT | {"days": ["x"]}, {"/days/0": {"detail": "this must be a day, as 2026-05-01"}}),
    (
        RIGHT | {"days": ["2026-05-01"] * 2},
        {"/days": {"detail": "this list is too long; its greatest length is 1", "max": 1}},
    ),
    (RIGHT | {"club": {"a": 1}, "number": "3"}, {
        "/number": {"detail": "this must be a whole number, as 12"}
    }),
    (
        {name: value for name, value in RIGHT.items() if name != "number"} | {"nmuber": 3},
        {
            "/nmuber": {
                "detail": "'nmuber' is not a member here; did you mean 'number'?",
                "nearest": "number",
            }
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("content", "expected"), ERRORS)
def test_what_is_wrong_and_what_would_be_right(content: Any, expected: dict[str, Any]) -> None:
    found = {error.pop("pointer"): error for error in errors_of(Body, content)}

    assert {
        pointer: {name: value for name, value in error.items() if name != "code"}
        for pointer, error in found.items()
    } == expected
