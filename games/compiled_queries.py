"""Queries that are defined once and read for values that each call states."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Count, QuerySet

Row = TypeVar("Row")
Value = int | str | datetime


class CompiledQuery(Generic[Row]):
    """A query for values that each call states; `build` returns it for values of these types."""

    def __init__(self, build: "Callable[..., QuerySet[Any, Row]]", *types: type[Value]) -> None:
        self._build = build

    def rows(self, *values: Value) -> list[Row]:
        """Return the rows for the values."""
        return list(self._build(*values))

    def first(self, *values: Value) -> Row | None:
        """Return the first row for the values, None if there is none."""
        rows = self.rows(*values)
        return rows[0] if rows else None

    def only(self, *values: Value) -> Row:
        """Return the one row that there always is, as of a count."""
        (row,) = self.rows(*values)
        return row


def count_rows(queryset: "QuerySet[Any, Any]") -> "QuerySet[Any, int]":
    """Return the query for the number of rows of a query, as `count()` sends it."""
    counted = queryset.order_by().annotate(number=Count("*")).values_list("number", flat=True)
    counted.query.group_by = None
    return counted
