"""Queries whose SQL is compiled once: those for the few rows that nearly every request reads.

Django compiles the SQL of a query each time. For one row, that takes several times as long as to
execute it. `games/rows.py` reads whole pages by compiled queries.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import QuerySet
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

Row = TypeVar("Row")

SMALLEST_COLUMN = 2**15 - 1
"""The largest number of the smallest columns: Django compiles no comparison with a larger one."""

MOST = 2**63 - 1
"""The largest number that SQLite can compare with."""


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

    def __init__(self, build: "Callable[..., QuerySet[Any, Row]]", *types: type[int | str]) -> None:
        self._build = build
        self._examples = tuple(
            SMALLEST_COLUMN - number if kind is int else f"\t{number}"
            for number, kind in enumerate(types)
        )
        self._statement: Statement | None = None
        self._places: tuple[int | None, ...] = ()
        self._read: Callable[[Sequence[Any]], Any] = tuple

    def rows(self, *values: int | str) -> list[Row]:
        """Return the rows for the values."""
        if any(isinstance(value, int) and not 0 <= value <= MOST for value in values):
            return list(self._build(*values))  # Django knows that no column has it
        statement = self._statement or self._compile()
        params = [
            param if place is None else values[place]
            for param, place in zip(statement.params, self._places, strict=True)
        ]
        return [self._read(row) for row in _fetch(statement, params)]

    def first(self, *values: int | str) -> Row | None:
        """Return the first row for the values, None if there is none."""
        rows = self.rows(*values)
        return rows[0] if rows else None

    def _compile(self) -> Statement:
        """Store the statement, and which value each of its parameters is, None for a constant."""
        examples = self._examples
        statement = compile_query(self._build(*examples))
        self._places = tuple(
            examples.index(param) if param in examples else None for param in statement.params
        )
        if {*self._places} - {None} != {*range(len(examples))}:
            count = len(examples)
            raise ValueError(
                f"{statement.sql.text} has other values than {count} that are compared as stated"
            )
        self._read = _row_reader(statement)
        self._statement = statement
        return statement


def _fetch(statement: Statement, params: Sequence[Any]) -> Sequence[Sequence[Any]]:
    """Return the rows of a statement, with Python values."""
    connection = connections[statement.queryset.db]
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
