"""Read a page of rows as dicts, with less work for each value than Django's `values()`.

Django converts each value of each row by itself. Many columns have few different values in a page
(flags, codes, options, days), so this converts each different value once. Rows of a page may
therefore share a list or a dict that was stored as JSON: they are for reading.
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import QuerySet
from django.db.models.query import ValuesIterable

from games.compiled_queries import Statement, compile_query
from games.sql import ALL_ROWS


def read_rows(rows: "QuerySet[Any, Any]") -> list[Any]:
    """Return the rows of a query: dicts if it has `values()`, otherwise objects."""
    if rows._iterable_class is not ValuesIterable:
        return list(rows)
    return _fetch(_compile(rows))


def read_first_rows(rows: "QuerySet[Any, Any]", most: int) -> list[Any]:
    """Return the first rows of a query that a class holds for all requests, as dicts.

    Its SQL is compiled once for each number of rows: that takes as long as to read a hundred.
    """
    return _fetch(_compile_first(rows, most))


@lru_cache(maxsize=1_000)
def _compile_first(rows: "QuerySet[Any, Any]", most: int) -> Statement | None:
    return _compile(rows[:most])


def _compile(rows: "QuerySet[Any, Any]") -> Statement | None:
    """Return the statement of a query, None if its conditions exclude every row."""
    try:
        return compile_query(rows)
    except EmptyResultSet:
        return None


def _fetch(statement: Statement | None) -> list[dict[str, Any]]:
    """Return the rows of a statement with `values()`; none without a statement."""
    if statement is None:
        return []
    query, connection = statement.queryset.query, connections[statement.queryset.db]
    found = statement.sql.execute(connection, statement.params, ALL_ROWS)
    columns: list[Sequence[Any]] = list(zip(*found, strict=True))
    if columns:
        for position, (converters, expression) in statement.converters.items():
            columns[position] = _convert(columns[position], converters, expression, connection)
    names = tuple(query.selected or (*query.values_select, *query.annotation_select))
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _convert(
    column: Sequence[Any], converters: Sequence[Any], expression: Any, connection: Any
) -> list[Any]:
    """Return the values of a column as Python values, each different one converted once."""
    known: dict[Hashable, Any] = {}
    converted = []
    for value in column:
        if value not in known:
            new = value
            for convert in converters:
                new = convert(new, expression, connection)
            known[value] = new
        converted.append(known[value])
    return converted
