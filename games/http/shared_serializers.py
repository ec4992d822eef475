"""Serializers that all requests share: to build their fields takes longer than to use them."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from rest_framework.serializers import Serializer


@cache
def shared_serializer(serializer_class: type[Serializer], *, partial: bool = False) -> Serializer:
    """Return the serializer without data or context; nobody may call what stores data in it.

    `to_representation` and `run_validation` store nothing.
    """
    return serializer_class(partial=True) if partial else serializer_class()


def as_json(serializer_class: type[Serializer], row: Any) -> dict[str, Any]:
    """Return a row as its serializer shows it."""
    body: dict[str, Any] = shared_serializer(serializer_class).to_representation(row)
    return body


def rows_as_json(serializer_class: type[Serializer], rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Return each row as its serializer shows it."""
    return [as_json(serializer_class, row) for row in rows]
