"""Read a page of rows."""

from typing import Any

from django.db.models import QuerySet


def read_rows(rows: "QuerySet[Any, Any]") -> list[Any]:
    """Return the rows of a query."""
    return list(rows)


def read_first_rows(rows: "QuerySet[Any, Any]", most: int) -> list[Any]:
    """Return the first rows of a query."""
    return list(rows[:most])
