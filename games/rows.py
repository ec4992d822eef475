"""Read a page of rows as dicts, with less work for each value than Django's `values()`.

Django converts each value of each row by itself. Many columns have few different values in a page
(flags, codes, options, days), so this converts each different value once. Rows of a page may
therefore share a list or a dict that was stored as JSON: they are for reading.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import QuerySet
from django.db.models.query import ValuesIterable


@dataclass(frozen=True, slots=True)
class Statement:
    """The SQL of a query with `values()`, and how its columns become Python values."""

    sql: str
    params: tuple[Any, ...]
    names: tuple[str, ...]
    converters: tuple[tuple[int, Sequence[Any], Any], ...]


def read_rows(rows: "QuerySet[Any, Any]") -> list[Any]:
    """Return the rows of a query: dicts if it has `values()`, otherwise objects."""
    if rows._iterable_class is not ValuesIterable:
        return list(rows)
    return _fetch(_compile(rows), rows.db)


def read_first_rows(rows: "QuerySet[Any, Any]", most: int) -> list[Any]:
    """Return the first rows of a query that a class holds for all requests, as dicts.

    Its SQL is compiled once for each number of rows: that takes as long as to read a hundred.
    """
    return _fetch(_compile_first(rows, most), rows.db)


@lru_cache(maxsize=1_000)
def _compile_first(rows: "QuerySet[Any, Any]", most: int) -> Statement | None:
    return _compile(rows[:most])


def _compile(rows: "QuerySet[Any, Any]") -> Statement | None:
    """Return the statement of a query, None if its conditions exclude every row."""
    query = rows.query
    compiler = query.get_compiler(rows.db)
    try:
        sql, params = compiler.as_sql()
    except EmptyResultSet:
        return None
    names = tuple(query.selected or (*query.values_select, *query.annotation_select))
    fields = [column[0] for column in compiler.select[: compiler.col_count]]
    converters = compiler.get_converters(fields).items()
    return Statement(
        sql,
        tuple(params),
        names,
        tuple((position, steps, expression) for position, (steps, expression) in converters),
    )


def _fetch(statement: Statement | None, using: str) -> list[dict[str, Any]]:
    """Return the rows of a statement; none without one."""
    if statement is None:
        return []
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute(statement.sql, statement.params)
        found = cursor.fetchall()
    columns: list[Sequence[Any]] = list(zip(*found, strict=True))
    if columns:
        for position, converters, expression in statement.converters:
            columns[position] = _convert(columns[position], converters, expression, connection)
    names = statement.names
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
