"""Queries whose SQL is compiled once: those for the few rows that nearly every request reads.

Django compiles the SQL of a query each time. For one row, that takes several times as long as to
execute it. `games/rows.py` reads whole pages by compiled queries.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Count, Model, QuerySet
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    ValuesIterable,
    ValuesListIterable,
)
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

from games.row_objects import object_reader
from games.sql import ALL_ROWS, Sql
from games.stated_values import StatedValues, Value, is_too_large

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Statement:
    """A compiled query: its SQL, and how some columns become Python values."""

    queryset: "QuerySet[Any, Any]"
    compiler: SQLCompiler
    sql: Sql
    params: tuple[Any, ...]
    converters: dict[int, tuple[Sequence[Any], Any]]


def compile_query(queryset: "QuerySet[Any, Any]") -> Statement:
    """Return the statement of a query; raises EmptyResultSet if its conditions exclude all rows."""
    query: Query = queryset.query
    compiler = query.get_compiler(using=queryset.db)
    sql, params = compiler.as_sql()
    fields = [column[0] for column in compiler.select[: compiler.col_count]]
    return Statement(queryset, compiler, Sql(sql), tuple(params), compiler.get_converters(fields))


class CompiledQuery(Generic[Row]):
    """A query for values that each call states; the first call compiles it.

    `build` returns a query, of objects or with `values()` or `values_list()`, for values of these
    types. Its conditions may depend on nothing but these values, of which none is None.
    """

    def __init__(self, build: "Callable[..., QuerySet[Any, Row]]", *types: type[Value]) -> None:
        self._build = build
        self._values = StatedValues(types)
        self._statement: Statement | None = None
        self._read: Callable[[Sequence[Any]], Any] = tuple

    def rows(self, *values: Value) -> list[Row]:
        """Return the rows for the values."""
        if is_too_large(values):
            return list(self._build(*values))
        statement = self._statement or self._compile()
        connection = connections[statement.queryset.db]
        params = self._values.params(values, connection)
        return [self._read(row) for row in _fetch(statement, connection, params)]

    def first(self, *values: Value) -> Row | None:
        """Return the first row for the values, None if there is none."""
        rows = self.rows(*values)
        return rows[0] if rows else None

    def only(self, *values: Value) -> Row:
        """Return the one row that there always is, as of a count."""
        (row,) = self.rows(*values)
        return row

    def _compile(self) -> Statement:
        statement = compile_query(self._build(*self._values.examples))
        connection = connections[statement.queryset.db]
        self._values.find_places(statement.sql.text, statement.params, connection)
        self._read = _row_reader(statement)
        self._statement = statement
        return statement


def count_rows(queryset: "QuerySet[Any, Any]") -> "QuerySet[Any, int]":
    """Return the query for the number of rows of a query, as `count()` sends it."""
    counted = queryset.order_by().annotate(number=Count("*")).values_list("number", flat=True)
    counted.query.group_by = None
    return counted


def _fetch(
    statement: Statement, connection: BaseDatabaseWrapper, params: Sequence[Any]
) -> Sequence[Sequence[Any]]:
    """Return the rows of a statement, with Python values."""
    if statement.compiler.query.select_for_update and connection.get_autocommit():
        raise TransactionManagementError("a row can be locked in a transaction only")
    found = statement.sql.execute(connection, params, ALL_ROWS)
    if not statement.converters:
        return found
    rows = [list(row) for row in found]
    for position, (converters, expression) in statement.converters.items():
        for row in rows:
            for convert in converters:
                row[position] = convert(row[position], expression, connection)
    return rows


def _row_reader(statement: Statement) -> Callable[[Sequence[Any]], Any]:
    """Return the function that makes of a row what the query of the statement yields."""
    queryset: Any = statement.queryset
    query, width = queryset.query, statement.compiler.col_count
    if queryset._iterable_class is ModelIterable:
        return object_reader(statement.compiler, queryset.db)
    if queryset._iterable_class is ValuesIterable:
        names = tuple(query.selected or (*query.values_select, *query.annotation_select))
        return lambda row: dict(zip(names, row, strict=False))
    if queryset._iterable_class is FlatValuesListIterable:
        return lambda row: row[0]
    if queryset._iterable_class is ValuesListIterable:
        return lambda row: tuple(row[:width])
    raise ValueError(f"{statement.sql.text} has rows that are neither objects, dicts nor tuples")


def refresh_row(row: Model, *names: str) -> None:
    """Read the fields of a row again, or these, as `refresh_from_db` does."""
    model: Any = type(row)
    found = _query_by_key(model).first(row.pk)
    if found is None:
        raise model.DoesNotExist(f"{row._meta.label} {row.pk} does not exist")
    for field in model._meta.concrete_fields:
        if not names or {field.name, field.attname} & {*names}:
            setattr(row, field.attname, getattr(found, field.attname))
            if field.is_relation and field.is_cached(row):
                field.delete_cached_value(row)
    for relation in () if names else model._meta.related_objects:
        if relation.is_cached(row):
            relation.delete_cached_value(row)


@cache
def _query_by_key(model: type[Model]) -> CompiledQuery[Model]:
    return CompiledQuery(lambda key: model._base_manager.filter(pk=key), int)
